#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "server/http/messages/message.h"
#include "server/mcp/jsonrpc.h"

// The headers that mirror a request's body in revision 2026-07-28 [wire.headers] [wire.headers.mirrored]. Pure
// functions.
namespace bridle {

// `=?base64?...?=` decoded (strict alphabet and padding); other text as it is; nullopt when the sentinel's content is
// bad or the value holds anything but visible ASCII and blanks.
std::optional<std::string> decode_header_value(std::string_view value);

// Each returns what is wrong, or "".
// Mcp-Method is there once at most and equal to the method.
std::string check_method_header(const HttpRequest& http, const jsonrpc::Message& message);
// The required ones are there, and Mcp-Name equals the name, URI or task id that the method works on.
std::string check_required_headers(const HttpRequest& http, const jsonrpc::Message& message);
// Mcp-Param-NAME for the arguments that `input_schema` marks with x-mcp-header.
std::string check_param_headers(const HttpRequest& http, const nlohmann::json& input_schema,
                                const nlohmann::json& arguments);

}  // namespace bridle
