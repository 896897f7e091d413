#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/concurrency/token_bucket.h"
#include "base/limits.h"
#include "server/calls/stream/reply_stream.h"
#include "server/calls/tool_call.h"
#include "server/mcp/call_starter.h"
#include "server/mcp/caller.h"
#include "server/mcp/catalogue_methods.h"
#include "server/mcp/jsonrpc.h"
#include "server/mcp/method.h"
#include "server/mcp/task_methods.h"

namespace bridle {

// The dispatcher: MCP's methods, for every revision and every transport. Transports parse, find out who speaks, and
// bring the answer away; what a message means stands here. Any thread may call anything; nothing waits for a tool.
class McpServer {
 public:
  explicit McpServer(const CallServices& services);
  McpServer(const McpServer&) = delete;
  McpServer& operator=(const McpServer&) = delete;

  // A request. tools/call, prompts/get and resources/read are started with a lane in `stream`;
  // everything else is answered at once.
  Outcome request(const Caller& caller, const jsonrpc::Message& message, const std::shared_ptr<ReplyStream>& stream);
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
  using Stream = std::shared_ptr<ReplyStream>;
  void add(std::vector<Method> methods);
  // Null: the caller's revision, or this server, has no such method.
  const Method* find_method(const Caller& caller, std::string_view name) const;

  Outcome ping(const Caller& caller, const jsonrpc::Message& message, const Stream& stream);
  Outcome discover(const Caller& caller, const jsonrpc::Message& message, const Stream& stream);
  Outcome set_level(const Caller& caller, const jsonrpc::Message& message, const Stream& stream);
  Outcome list_tools(const Caller& caller, const jsonrpc::Message& message, const Stream& stream);
  Outcome call_tool(const Caller& caller, const jsonrpc::Message& message, const Stream& stream);
  static nlohmann::json missing_capabilities(const Caller& caller, const ToolSpec& spec);
  void cancelled(const Caller& caller, const jsonrpc::Message& message);

  const CallServices& services_;
  CallStarter starter_;
  CatalogueMethods catalogue_;
  TaskMethods tasks_;
  std::unordered_map<std::string_view, Method> methods_;  // filled once; their names are literals
  TokenBucket sessionless_calls_{limits::kCallBurst, limits::kCallsPerSecond};
  std::array<std::string, kRevisions.size()> tool_lists_;  // by Revision; the toolbox is read-only
};

}  // namespace bridle
