#include "server/mcp/task_methods.h"

#include <utility>

#include "server/mcp/serializer.h"

namespace bridle {

using jsonrpc::Message;
using namespace rpc;

std::vector<Method> TaskMethods::table() {
  const auto own = [this](auto handler) {
    return [this, handler](const Caller& caller, const Message& message, const Stream& stream) {
      return (this->*handler)(caller, message, stream);
    };
  };
  using Era = Method::Era;
  return {{.name = "tasks/get", .era = Era::modern, .handler = own(&TaskMethods::get)},
          {.name = "tasks/update", .era = Era::modern, .handler = own(&TaskMethods::update)},
          {.name = "tasks/cancel", .era = Era::modern, .handler = own(&TaskMethods::cancel)}};
}

// "Non-declaring client -> -32021; unknown id -> -32602."
std::shared_ptr<Task> TaskMethods::find(const Caller& caller, const Message& message, Outcome& error) const {
  if (!knows_tasks(caller)) {
    const Json needed = {{"extensions", {{kTasksExtension, Json::object()}}}};
    error = answer(message, missing_capability(needed), caller.revision);
    return nullptr;
  }
  auto task = services_.tasks.find(string_in(message.params, "taskId"));
  if (!task) {
    error = failure(message, jsonrpc::kInvalidParams, "Invalid params: taskId names no task; it expired, or never was");
  }
  return task;
}

Outcome TaskMethods::get(const Caller& caller, const Message& message, const Stream&) {
  Outcome error;
  const auto task = find(caller, message, error);
  if (!task) return error;
  return answer(message, serializer::task_state(caller.revision, task->state(), task->result_text(caller.revision)));
}

Outcome TaskMethods::update(const Caller& caller, const Message& message, const Stream&) {
  Outcome error;
  const auto task = find(caller, message, error);
  if (!task) return error;
  const auto responses = message.params.find("inputResponses");
  if (responses == message.params.end() || !responses->is_object()) {
    return failure(message, jsonrpc::kInvalidParams, "Invalid params: inputResponses must be an object");
  }
  task->update(*responses);
  return answer(message, serializer::empty_result(caller.revision));
}

// "Cooperative, idempotent on terminal": the task is cancelled when its work in the browser has ended.
Outcome TaskMethods::cancel(const Caller& caller, const Message& message, const Stream&) {
  Outcome error;
  const auto task = find(caller, message, error);
  if (!task) return error;
  if (!task->is_over()) {
    task->note("being cancelled");
    services_.calls.cancel(task->key(), AbortReason::client_cancelled, "tasks/cancel");
  }
  return answer(message, serializer::empty_result(caller.revision));
}

}  // namespace bridle
