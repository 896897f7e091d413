#pragma once

#include <string>

#include "server/mcp/caller.h"
#include "server/mcp/jsonrpc.h"

// The `_meta` by which a request of 2026-07-28 describes itself [wire.envelope]. Any transport. Pure functions.
namespace bridle {

// Whether the message names a protocol version in its _meta, and so claims to be of the modern era.
bool has_modern_claim(const jsonrpc::Message& message);
// The version it names; "" when it names none, or no string.
std::string claimed_version(const jsonrpc::Message& message);
// What is wrong with the envelope (-32602), or "".
std::string check_envelope(const jsonrpc::Message& message);
// The whole -32022 answer for a version that is not served this way.
std::string unsupported_version(const jsonrpc::Message& message);
// Capabilities, log level: from a checked envelope. `name`: in the registry.
Caller modern_caller(const jsonrpc::Message& message, std::string name);

}  // namespace bridle
