#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "server/calls/call_answer.h"
#include "server/calls/stream/reply_stream.h"
#include "server/mcp/caller.h"
#include "server/mcp/jsonrpc.h"
#include "tools/contract/catalogue.h"

namespace bridle {

class ToolCall;

// What became of a request.
struct Outcome {
  bool started = false;   // the answer will come through the reply stream; else it is `text`
  int http_status = 200;  // of an answer over HTTP [wire.errors.modern]
  std::string text{};
  std::shared_ptr<ToolCall> call{};  // a started one
  bool may_become_task = false;      // it should, when it takes long
};

// One method of MCP: which era knows it, what of it the catalogue must hold, and what answers it.
struct Method {
  using Handler = std::function<Outcome(const Caller&, const jsonrpc::Message&, const std::shared_ptr<ReplyStream>&)>;
  enum class Era { both, legacy, modern };
  enum class Needs { nothing, resources, prompts, either };
  std::string_view name;  // a literal
  Era era = Era::both;
  Handler handler{};
  bool starts = false;  // runs on a thread of its own: registered, cancellable
  Needs needs = Needs::nothing;

  bool is_of(Revision revision) const {
    return era == Era::both || (is_modern(revision) ? era == Era::modern : era == Era::legacy);
  }
  bool is_served(const Catalogue& catalogue) const {
    switch (needs) {
      case Needs::resources:
        return catalogue.has_resources();
      case Needs::prompts:
        return catalogue.has_prompts();
      case Needs::either:
        return catalogue.has_resources() || catalogue.has_prompts();
      case Needs::nothing:
        break;
    }
    return true;
  }
};

}  // namespace bridle

// What the methods share: members of a request's params, and whole answers. Pure functions.
namespace bridle::rpc {

using jsonrpc::Message;

inline Outcome answer(const Message& message, std::string_view result_text) {
  return {.text = jsonrpc::result(message.id, result_text)};
}

inline Outcome answer(const Message& message, const CallAnswer& answer, Revision revision) {
  return {.http_status = answer.http_status, .text = answer.message(message.id, revision)};
}

inline Outcome failure(const Message& message, int code, std::string_view words, int status = 200,
                       const Json& data = nullptr) {
  return {.http_status = status, .text = jsonrpc::error(message.id, code, words, data)};
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
inline Outcome bad_cursor(const Message& message) {
  return failure(message, jsonrpc::kInvalidParams,
                 "Invalid params: unknown cursor; leave it out to start from the first page");
}

}  // namespace bridle::rpc
