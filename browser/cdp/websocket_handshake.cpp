#include "browser/cdp/websocket_handshake.h"

#include <optional>

#include "base/text/codecs.h"
#include "base/text/digest.h"
#include "base/text/random.h"
#include "base/text/text.h"

namespace bridle::ws {
namespace {

constexpr std::string_view kGuid = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

// The value of the header `name` without blanks around it; nullopt when it isn't there.
std::optional<std::string_view> header_value(std::string_view head, std::string_view name) {
  take_until(head, '\n');  // the status line
  while (!head.empty()) {
    auto value = take_until(head, '\n');
    const auto key = take_until(value, ':');
    if (equals_ignoring_case(key, name)) return trimmed(value, " \t\r");
  }
  return std::nullopt;
}

}  // namespace

std::string make_key() { return base64(random_bytes(16)); }

std::string accept_for(std::string_view key) { return base64(sha1(std::string(key).append(kGuid))); }

std::string handshake_request(std::string_view host_and_port, std::string_view target, std::string_view key,
                              const std::vector<std::string>& headers) {
  std::string request = "GET " + std::string(target) + " HTTP/1.1\r\nHost: " + std::string(host_and_port) +
                        "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: " + std::string(key) +
                        "\r\nSec-WebSocket-Version: 13\r\n";
  for (const auto& header : headers) request += header + "\r\n";
  return request + "\r\n";
}

void check_handshake(std::string_view head, std::string_view key) {
  const auto status = head.substr(0, head.find("\r\n"));
  if (!status.starts_with("HTTP/1.1 101")) {
    throw ProtocolError("it answered the WebSocket handshake with \"" + std::string(status.substr(0, 100)) + "\"");
  }
  const auto upgrade = header_value(head, "Upgrade");
  const auto connection = header_value(head, "Connection");
  const auto accept = header_value(head, "Sec-WebSocket-Accept");
  if (!upgrade || !equals_ignoring_case(*upgrade, "websocket") || !connection ||
      lower(*connection).find("upgrade") == std::string::npos || !accept || *accept != accept_for(key)) {
    throw ProtocolError("its answer to the WebSocket handshake is not one of a WebSocket server");
  }
  if (header_value(head, "Sec-WebSocket-Extensions")) {
    throw ProtocolError("it uses a WebSocket extension that was not offered");
  }
}

}  // namespace bridle::ws
