#pragma once

#include <string>
#include <string_view>

#include "server/http/messages/message.h"

// Answers to HTTP requests that no transport takes. Pure functions.
namespace bridle {

// A transport's own refusal: a JSON-RPC error as the body; `id` is JSON text or empty.
HttpReply rpc_refusal(int status, int code, std::string_view words, std::string_view id = {});
// 405 with Allow.
HttpReply method_not_allowed(std::string_view allow);

}  // namespace bridle
