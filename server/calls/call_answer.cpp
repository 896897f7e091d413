#include "server/calls/call_answer.h"

#include <utility>

#include "base/text/log.h"
#include "base/text/named_secrets.h"
#include "server/mcp/jsonrpc.h"
#include "server/mcp/serializer.h"
#include "tools/contract/response.h"

namespace bridle {

std::string CallAnswer::message(std::string_view id, Revision revision) const {
  if (const auto* result = std::get_if<ToolResult>(&content)) {
    return jsonrpc::result(id, serializer::tool_result(revision, *result));
  }
  if (const auto* result = std::get_if<ResultText>(&content)) return jsonrpc::result(id, result->text);
  if (const auto* failure = std::get_if<RpcFailure>(&content)) {
    return jsonrpc::error(id, failure->code, failure->words, failure->data);
  }
  return {};
}

// The one place that all results pass [tool.secrets.named]. Pictures are left alone.
void CallAnswer::hide_secrets() {
  if (!has_named_secrets()) return;
  if (auto* result = std::get_if<ToolResult>(&content)) {
    for (Content& block : result->content) {
      for (auto* text : {&block.text, &block.uri, &block.name}) hide_named_secrets(*text);
    }
    hide_named_secrets(result->structured);
    hide_named_secrets(result->noted);
  } else if (auto* text = std::get_if<ResultText>(&content)) {
    hide_named_secrets_in_message(text->text);
  } else if (auto* failure = std::get_if<RpcFailure>(&content)) {
    hide_named_secrets(failure->words);
    hide_named_secrets(failure->data);
  }
}

std::size_t CallAnswer::bytes() const {
  if (const auto* result = std::get_if<ToolResult>(&content)) {
    std::size_t sum = result->structured.is_null() ? 0 : dump(result->structured).size();
    for (const Content& block : result->content) sum += block.text.size() + block.data.size();
    return sum;
  }
  if (const auto* result = std::get_if<ResultText>(&content)) return result->text.size();
  return 0;
}

CallAnswer failure_answer(const CallName& call, const std::string& words) {
  if (call.is_tool) return {.content = ToolResult::error(words)};
  return {.content = RpcFailure{.code = jsonrpc::kInternalError, .words = words}};
}

CallAnswer unexpected_answer(const CallName& call) {
  return {.content = RpcFailure{.code = jsonrpc::kInternalError,
                                .words = "Internal error in " + call.name + "; the server's log has the details."}};
}

CallAnswer abort_answer(const CallName& call, const AbortSignal& signal) {
  const auto ended = [&](const std::string& words) {
    return call.is_tool ? CallAnswer{.content = error_result(words)} : failure_answer(call, words);
  };
  switch (signal.reason()) {
    case AbortReason::stopped_by_user: {
      std::string words = call.name + " was stopped by the user before it finished.";
      if (!signal.text().empty()) words += " (" + loggable(signal.text()) + ")";
      return ended(words + " Don't repeat it unless you are asked to.");
    }
    case AbortReason::deadline:
      return ended(call.name + " ran out of time (" + signal.text() +
                   ") and was ended. Do less in one call, or wait for something narrower.");
    case AbortReason::shutdown:
      return {.content = RpcFailure{.code = jsonrpc::kInternalError,
                                    .words = "The server is shutting down; the call was ended."}};
    case AbortReason::none:
    case AbortReason::client_cancelled:
    case AbortReason::client_gone:
    case AbortReason::session_closed:
      break;
  }
  return {};
}

CallAnswer missing_capability(Json required) {
  return {.content = RpcFailure{.code = jsonrpc::kMissingCapability,
                                .words = "This call needs a client capability that the request doesn't declare",
                                .data = {{"requiredCapabilities", std::move(required)}}},
          .http_status = 400};
}

}  // namespace bridle
