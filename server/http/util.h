#pragma once

#include <string>
#include <string_view>

#include "server/http/server.h"

// Small things that every HTTP transport of MCP needs. Pure functions.
namespace bridle {

// What the client takes in answer [wire.accept]. Without the header, and by */*, both.
struct Accepts {
  bool json = false;
  bool sse = false;
};
Accepts parse_accept(const HttpRequest& request);

// Content-Type is application/json, with any parameters.
bool has_json_body(const HttpRequest& request);
// Whether the body is compressed, which nobody asked for [wire.http.bounds].
bool has_encoded_body(const HttpRequest& request);

std::string lower(std::string_view text);
std::string_view trimmed(std::string_view text);

// A transport's own refusal: a JSON-RPC error as the body; `id` is JSON text or empty.
HttpReply rpc_refusal(int status, int code, std::string_view words, std::string_view id = {});
// 405 with Allow.
HttpReply method_not_allowed(std::string_view allow);

}  // namespace bridle
