#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "browser/cdp/websocket_frames.h"

// RFC 6455's opening handshake, the client's half, as pure functions over text.
namespace bridle::ws {

// A fresh Sec-WebSocket-Key (4.1).
std::string make_key();
// Sec-WebSocket-Accept for a key (4.2.2).
std::string accept_for(std::string_view key);
// The client's request. `headers`: further ones, "Name: value".
std::string handshake_request(std::string_view host_and_port, std::string_view target, std::string_view key,
                              const std::vector<std::string>& headers);
// Checks the server's answer, a whole head up to and with its empty line. Throws ProtocolError with what the server
// answered.
void check_handshake(std::string_view head, std::string_view key);

}  // namespace bridle::ws
