#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>

#include "base/limits.h"
#include "server/calls/outbox.h"
#include "server/calls/tool_call.h"
#include "server/mcp/caller.h"
#include "server/mcp/jsonrpc.h"
#include "server/mcp/token_bucket.h"

namespace bridle {

// The dispatcher: MCP's methods, for every revision and every transport. Transports parse, find out who speaks, and
// bring the answer away; what a message means stands here. Any thread may call anything; nothing waits for a tool.
class McpServer {
 public:
  explicit McpServer(const CallServices& services);

  struct Outcome {
    bool started = false;   // the answer will come through the outbox; else it is `text`
    int http_status = 200;  // of an answer over HTTP [wire.errors.modern]
    std::string text{};
    std::shared_ptr<ToolCall> call{};  // a started one
    bool may_become_task = false;      // it should, when it takes long
  };
  // A request. tools/call, prompts/get and resources/read are started with a lane in `outbox`;
  // everything else is answered at once.
  Outcome request(const Caller& caller, const jsonrpc::Message& message, const std::shared_ptr<Outbox>& outbox);
  // initialize, in a session that is not negotiated yet. http_status 200 says whether it is now.
  Outcome initialize(Session& session, const jsonrpc::Message& message);
  // A notification; never answered, never an error.
  void notification(const Caller& caller, const jsonrpc::Message& message);
  // The client's answer to a question of ours.
  void response(const Caller& caller, jsonrpc::Message message);

  const Toolbox& toolbox() const { return services_.toolbox; }
  // The answer to a body that is no JSON-RPC message; its HTTP status is 400.
  static std::string invalid_message(const jsonrpc::Message& message);

 private:
  struct Method;
  using Handler = Outcome (McpServer::*)(const Caller&, const jsonrpc::Message&, const std::shared_ptr<Outbox>&);
  // Null: the caller's revision, or this server, has no such method.
  const Method* find_method(const Caller& caller, std::string_view name) const;

  Outcome ping(const Caller& caller, const jsonrpc::Message& message, const std::shared_ptr<Outbox>& outbox);
  Outcome discover(const Caller& caller, const jsonrpc::Message& message, const std::shared_ptr<Outbox>& outbox);
  Outcome set_level(const Caller& caller, const jsonrpc::Message& message, const std::shared_ptr<Outbox>& outbox);
  Outcome list_tools(const Caller& caller, const jsonrpc::Message& message, const std::shared_ptr<Outbox>& outbox);
  Outcome call_tool(const Caller& caller, const jsonrpc::Message& message, const std::shared_ptr<Outbox>& outbox);
  // mcp_catalogue.cpp
  Outcome list_resources(const Caller& caller, const jsonrpc::Message& message, const std::shared_ptr<Outbox>& outbox);
  Outcome list_templates(const Caller& caller, const jsonrpc::Message& message, const std::shared_ptr<Outbox>& outbox);
  Outcome read_resource(const Caller& caller, const jsonrpc::Message& message, const std::shared_ptr<Outbox>& outbox);
  Outcome subscribe(const Caller& caller, const jsonrpc::Message& message, const std::shared_ptr<Outbox>& outbox);
  Outcome unsubscribe(const Caller& caller, const jsonrpc::Message& message, const std::shared_ptr<Outbox>& outbox);
  Outcome list_prompts(const Caller& caller, const jsonrpc::Message& message, const std::shared_ptr<Outbox>& outbox);
  Outcome get_prompt(const Caller& caller, const jsonrpc::Message& message, const std::shared_ptr<Outbox>& outbox);
  Outcome complete(const Caller& caller, const jsonrpc::Message& message, const std::shared_ptr<Outbox>& outbox);
  // mcp_tasks.cpp
  Outcome get_task(const Caller& caller, const jsonrpc::Message& message, const std::shared_ptr<Outbox>& outbox);
  Outcome update_task(const Caller& caller, const jsonrpc::Message& message, const std::shared_ptr<Outbox>& outbox);
  Outcome cancel_task(const Caller& caller, const jsonrpc::Message& message, const std::shared_ptr<Outbox>& outbox);
  std::shared_ptr<Task> find_task(const Caller& caller, const jsonrpc::Message& message, Outcome& error) const;

  static nlohmann::json missing_capabilities(const Caller& caller, const ToolSpec& spec);
  std::shared_ptr<ToolScope> scope_of(const Caller& caller) const;
  // Starts a call on a thread of its own, or says why it can't.
  Outcome start(ToolCall::Plan plan, const jsonrpc::Message& message, const std::shared_ptr<Outbox>& outbox);
  // Answers a request at once that would otherwise have been registered as a call; its id counts as answered.
  Outcome refuse(const Caller& caller, const jsonrpc::Message& message, int code, const std::string& words,
                 const nlohmann::json& data = nullptr, int status = 200) const;
  // 2026-07-28: reads the answers that earlier rounds of this call got. False, with `error` set, if requestState or
  // inputResponses are malformed or forged.
  bool read_answers(ToolCall::Plan& plan, const jsonrpc::Message& message, Outcome& error) const;
  std::shared_ptr<Request> in_flight(const Caller& caller, const std::string& id) const;
  // Whether the id belongs to a request in flight. A request whose client was already released by an abort gets a
  // moment to end first, because some clients use one id for everything.
  bool is_taken(const Caller& caller, const std::string& id) const;
  void cancelled(const Caller& caller, const jsonrpc::Message& message);

  const CallServices& services_;
  TokenBucket sessionless_calls_{limits::kCallBurst, limits::kCallsPerSecond};
  std::array<std::string, kRevisions.size()> tool_lists_;  // by Revision; the toolbox is read-only
};

}  // namespace bridle
