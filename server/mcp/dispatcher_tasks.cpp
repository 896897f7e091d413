// tasks/get, tasks/update, tasks/cancel of io.modelcontextprotocol/tasks [wire.tasks].
#include <utility>

#include "server/mcp/dispatcher.h"
#include "server/mcp/params.h"
#include "server/mcp/serializer.h"

namespace bridle {

using jsonrpc::Message;
using Outcome = McpServer::Outcome;
using namespace rpc;

// "Non-declaring client -> -32021; unknown id -> -32602."
std::shared_ptr<Task> McpServer::find_task(const Caller& caller, const Message& message, Outcome& error) const {
  if (!knows_tasks(caller)) {
    const Json needed = {{"extensions", {{kTasksExtension, Json::object()}}}};
    error = {.http_status = 400, .text = missing_capability(message.id, needed)};
    return nullptr;
  }
  auto task = services_.tasks.find(string_in(message.params, "taskId"));
  if (!task) {
    error = failure(message, jsonrpc::kInvalidParams, "Invalid params: taskId names no task; it expired, or never was");
  }
  return task;
}

Outcome McpServer::get_task(const Caller& caller, const Message& message, const std::shared_ptr<Outbox>&) {
  Outcome error;
  const auto task = find_task(caller, message, error);
  if (!task) return error;
  return answer(message, serializer::wrap_result(caller.revision, task->detailed(), false));
}

Outcome McpServer::update_task(const Caller& caller, const Message& message, const std::shared_ptr<Outbox>&) {
  Outcome error;
  const auto task = find_task(caller, message, error);
  if (!task) return error;
  const auto responses = message.params.find("inputResponses");
  if (responses == message.params.end() || !responses->is_object()) {
    return failure(message, jsonrpc::kInvalidParams, "Invalid params: inputResponses must be an object");
  }
  task->update(*responses);
  return answer(message, serializer::empty_result(caller.revision));
}

// "Cooperative, idempotent on terminal": the task is cancelled when its work in the browser has ended.
Outcome McpServer::cancel_task(const Caller& caller, const Message& message, const std::shared_ptr<Outbox>&) {
  Outcome error;
  const auto task = find_task(caller, message, error);
  if (!task) return error;
  if (!task->is_over()) {
    task->note("being cancelled");
    services_.registry.cancel(task->key(), AbortReason::client_cancelled, "tasks/cancel");
  }
  return answer(message, serializer::empty_result(caller.revision));
}

}  // namespace bridle
