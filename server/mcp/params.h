#pragma once

#include <string>
#include <string_view>

#include "server/mcp/dispatcher.h"

// What the dispatcher's files share: members of a request's params, and whole answers. Pure functions.
namespace bridle::rpc {

using jsonrpc::Message;

inline McpServer::Outcome answer(const Message& message, std::string_view result_text) {
  return {.text = jsonrpc::result(message.id, result_text)};
}

inline McpServer::Outcome failure(const Message& message, int code, std::string_view words, int status = 200,
                                  const Json& data = nullptr) {
  return {.http_status = status, .text = jsonrpc::error(message.id, code, words, data)};
}

// A member of params that is an object, or an empty one.
inline const Json& object_in(const Json& params, const char* name) {
  static const Json none = Json::object();
  if (!params.is_object()) return none;
  const auto found = params.find(name);
  return found != params.end() && found->is_object() ? *found : none;
}

inline std::string string_in(const Json& params, const char* name) {
  if (!params.is_object()) return {};
  const auto found = params.find(name);
  return found != params.end() && found->is_string() ? found->get<std::string>() : std::string();
}

inline Json progress_token(const Message& message) {
  const Json& meta = object_in(message.params, "_meta");
  const auto token = meta.find("progressToken");
  if (token == meta.end() || (!token->is_string() && !token->is_number_integer())) return nullptr;
  return *token;
}

// Every list fits one page, so no cursor was ever given out [wire.tool-entries].
inline bool has_cursor(const Message& message) {
  return message.params.is_object() && message.params.contains("cursor");
}
inline McpServer::Outcome bad_cursor(const Message& message) {
  return failure(message, jsonrpc::kInvalidParams,
                 "Invalid params: unknown cursor; leave it out to start from the first page");
}

}  // namespace bridle::rpc
