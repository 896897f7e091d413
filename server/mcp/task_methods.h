#pragma once

#include <memory>
#include <vector>

#include "server/calls/tool_call.h"
#include "server/mcp/method.h"

namespace bridle {

// tasks/get, tasks/update, tasks/cancel of io.modelcontextprotocol/tasks [wire.tasks]. Any thread.
class TaskMethods {
 public:
  // `services` outlives it.
  explicit TaskMethods(const CallServices& services) : services_(services) {}

  // For the dispatcher's table; they refer to this object.
  std::vector<Method> table();

 private:
  using Stream = std::shared_ptr<ReplyStream>;
  Outcome get(const Caller& caller, const jsonrpc::Message& message, const Stream& stream);
  Outcome update(const Caller& caller, const jsonrpc::Message& message, const Stream& stream);
  Outcome cancel(const Caller& caller, const jsonrpc::Message& message, const Stream& stream);
  std::shared_ptr<Task> find(const Caller& caller, const jsonrpc::Message& message, Outcome& error) const;

  const CallServices& services_;
};

}  // namespace bridle
