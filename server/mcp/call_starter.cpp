#include "server/mcp/call_starter.h"

#include <utility>

#include "base/limits.h"

namespace bridle {

using jsonrpc::Message;
using namespace rpc;

Outcome CallStarter::start(ToolCall::Plan plan, const Message& message, const std::shared_ptr<ReplyStream>& stream) {
  plan.id = message.id;
  plan.progress_token = progress_token(message);
  Outcome outcome;
  if (is_modern(plan.caller.revision) && !read_answers(plan, message, outcome)) return outcome;
  const bool may_become_task = plan.spec != nullptr && plan.spec->may_take_long && knows_tasks(plan.caller);
  std::shared_ptr<ToolCall> call;
  switch (ToolCall::start(services_, std::move(plan), stream, &call)) {
    case CallTable::Refusal::none:
      outcome.started = true;
      outcome.call = std::move(call);
      outcome.may_become_task = may_become_task;
      return outcome;
    case CallTable::Refusal::duplicate_id:
      return duplicate(message);
    case CallTable::Refusal::too_many:
      break;
  }
  return failure(
      message, jsonrpc::kInternalError,
      "Too many calls at once: the limit is " + std::to_string(limits::kInFlight) + "; try again when some have ended");
}

Outcome CallStarter::refuse(const Caller& caller, const Message& message, int code, const std::string& words,
                            const Json& data) const {
  if (caller.session) caller.session->note_answered(message.id);
  return failure(message, code, words, 200, data);
}

bool CallStarter::is_taken(const Caller& caller, const std::string& id) const {
  const auto call = services_.calls.find({.session = caller.name, .id = id});
  if (!call) return false;
  if (!caller.may_wait || !call->signal().aborted()) return true;
  CallContext moment;
  moment.deadline = Deadline::after(limits::kCleanup);
  return !call->wait_terminal(moment);
}

Outcome CallStarter::duplicate(const Message& message) {
  return failure(message, jsonrpc::kInvalidRequest, "Invalid request: this id is in flight already", 400);
}

// The state is the client's to forge: what the seal doesn't cover is not believed [wire.questions].
bool CallStarter::read_answers(ToolCall::Plan& plan, const Message& message, Outcome& error) const {
  const auto given = message.params.find("requestState");
  const auto responses = message.params.find("inputResponses");
  if (responses != message.params.end() && !responses->is_object()) {
    error = failure(message, jsonrpc::kInvalidParams, "Invalid params: inputResponses must be an object");
    return false;
  }
  if (given == message.params.end()) {
    // A first round. What needs a state is asked for again; the rest is for those who asked without one.
    if (responses == message.params.end()) return true;
    for (const auto& [key, response] : responses->items()) {
      if (!response.is_object()) {
        error = failure(message, jsonrpc::kInvalidParams, "Invalid params: an input response must be an object");
        return false;
      }
    }
    plan.unsealed = *responses;
    return true;
  }
  const auto state = given->is_string()
                         ? services_.sealer.open(given->get_ref<const std::string&>(), plan.name, plan.arguments)
                         : std::nullopt;
  if (!state) {
    error = failure(message, jsonrpc::kInvalidParams,
                    "Invalid params: requestState is not one of this call, or it expired; make the call anew");
    return false;
  }
  plan.answers = state->answers;
  if (responses == message.params.end()) return true;
  for (const Json& key : state->asked) {
    const auto found = responses->find(key.get_ref<const std::string&>());
    if (found == responses->end()) continue;
    if (!found->is_object()) {
      error = failure(message, jsonrpc::kInvalidParams, "Invalid params: an input response must be an object");
      return false;
    }
    plan.answers[key.get_ref<const std::string&>()] = *found;
  }
  return true;
}

}  // namespace bridle
