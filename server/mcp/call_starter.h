#pragma once

#include <memory>
#include <string>

#include "server/calls/tool_call.h"
#include "server/mcp/caller.h"
#include "server/mcp/jsonrpc.h"
#include "server/mcp/method.h"

namespace bridle {

// Starts the requests that run on a thread of their own (tools/call, prompts/get, resources/read), or says why not. Any
// thread; nothing waits for a tool.
class CallStarter {
 public:
  explicit CallStarter(const CallServices& services) : services_(services) {}

  Outcome start(ToolCall::Plan plan, const jsonrpc::Message& message, const std::shared_ptr<ReplyStream>& stream);
  // Answers a request at once that would otherwise have been registered as a call; its id counts as answered.
  Outcome refuse(const Caller& caller, const jsonrpc::Message& message, int code, const std::string& words,
                 const Json& data = nullptr) const;
  // Whether the id belongs to a request in flight. A request whose client was already released by an abort gets a
  // moment to end first, because some clients use one id for everything.
  bool is_taken(const Caller& caller, const std::string& id) const;
  static Outcome duplicate(const jsonrpc::Message& message);

 private:
  // 2026-07-28: reads the answers that earlier rounds of this call got. False, with `error` set, if requestState or
  // inputResponses are malformed or forged.
  bool read_answers(ToolCall::Plan& plan, const jsonrpc::Message& message, Outcome& error) const;

  const CallServices& services_;
};

}  // namespace bridle
