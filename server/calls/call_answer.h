#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <variant>

#include "base/concurrency/abort.h"
#include "server/mcp/revision.h"
#include "tools/contract/tool.h"

namespace bridle {

// The result of a method that makes its own text (prompts/get, resources/read, input_required).
struct ResultText {
  std::string text;
};

// The request itself is at fault: its answer is a JSON-RPC error. Thrown by methods, too.
struct RpcFailure {
  int code;
  std::string words;
  Json data{};
};

// What a call is answered with, before it is written for its client: nothing, a tool's result, another method's result,
// or an error. A value.
struct CallAnswer {
  std::variant<std::monostate, ToolResult, ResultText, RpcFailure> content{};
  int http_status = 200;

  bool is_none() const { return std::holds_alternative<std::monostate>(content); }
  // The whole JSON-RPC message; empty when there is no answer.
  std::string message(std::string_view id, Revision revision) const;
  // The values of --secrets are told as their names.
  void hide_secrets();
  // Roughly what it occupies.
  std::size_t bytes() const;
};

// Who is being answered, as far as the words depend on it. A value, so that a reply stream may keep it.
struct CallName {
  std::string id;    // JSON text
  std::string name;  // the tool, or the method
  bool is_tool;
  Revision revision;
};

// Words for the model: a failed result if the method has such results, else a JSON-RPC error.
CallAnswer failure_answer(const CallName& call, const std::string& words);
// The answer after an unexpected exception; the log has the details.
CallAnswer unexpected_answer(const CallName& call);
// [cancel.wire.not-by-client]: what a client gets that didn't cancel itself. Nothing for a client that did cancel or is
// gone.
CallAnswer abort_answer(const CallName& call, const AbortSignal& signal);

// Thrown through a tool to end this round of a call of 2026-07-28. No std::exception: a tool that catches those must
// not catch these.
struct InputRequired {  // the result is input_required, with {key: request}
  Json requests;
  bool sealed = true;  // with a requestState of ours
};
struct MissingCapability {  // -32021: the client declared no such capability with its request
  Json required;            // as ClientCapabilities: {"elicitation": {}}
};

// The error -32021 (2026-07-28); `required` is a ClientCapabilities object. Its HTTP status is 400.
CallAnswer missing_capability(Json required);

}  // namespace bridle
