#include "server/calls/client_questions.h"

#include <utility>

#include "base/errors.h"
#include "server/calls/call_answer.h"
#include "server/calls/task_store.h"
#include "server/mcp/jsonrpc.h"

namespace bridle {
namespace {

// The answer to a question, from a response's result or from inputResponses. Throws ToolError on another shape.
UserPrompt::Answer to_answer(const Json& result) {
  const auto action = result.is_object() ? result.find("action") : result.end();
  const bool known = result.is_object() && action != result.end() &&
                     (*action == "accept" || *action == "decline" || *action == "cancel");
  if (!known) throw ToolError("The client's answer to the question was not understood: it names no action.");
  UserPrompt::Answer answer;
  answer.action = action->get<std::string>();
  if (const auto content = result.find("content"); content != result.end()) answer.content = *content;
  return answer;
}

// Rings when it ends, however a question is over: what the panel shows has changed.
class RingsAtEnd {
 public:
  explicit RingsAtEnd(Bell& bell) : bell_(bell) {}
  ~RingsAtEnd() { bell_.ring(); }
  RingsAtEnd(const RingsAtEnd&) = delete;
  RingsAtEnd& operator=(const RingsAtEnd&) = delete;

 private:
  Bell& bell_;
};

}  // namespace

ClientQuestions::ClientQuestions(const Caller& caller, ReplyStream::Lane& lane, Json answers, const Json& unsealed,
                                 std::function<std::shared_ptr<Task>()> task, Shown shown)
    : caller_(caller),
      lane_(lane),
      answers_(std::move(answers)),
      unsealed_(unsealed),
      task_(std::move(task)),
      shown_(shown) {}

bool ClientQuestions::can_ask(std::string_view method) const {
  const Json& declared = caller_.capabilities;
  if (method == "elicitation/create") return can_show_forms(caller_);
  if (method == "sampling/createMessage") return declared.contains("sampling");
  // Sampling in which the model may call tools (2025-11-25). In 2026-07-28 only a task can ask again and again.
  if (method == "sampling/tools")
    return object_in(declared, "sampling").contains("tools") && (!is_modern(caller_.revision) || task_() != nullptr);
  return method == "roots/list" && declared.contains("roots");
}

void ClientQuestions::check_askable(const Json& requests) const {
  Json missing = Json::object();
  for (const auto& [key, request] : requests.items()) {
    const auto method = request.at("method").get<std::string>();
    if (!can_ask(method)) missing[method.substr(0, method.find('/'))] = Json::object();
  }
  if (missing.empty()) return;
  if (is_modern(caller_.revision)) throw MissingCapability{.required = std::move(missing)};
  if (missing.contains("elicitation")) {
    throw ToolError(
        "This client can't put questions to its user (it declares no elicitation). Ask in your own words "
        "instead, in the conversation.");
  }
  throw ToolError("This client doesn't declare the capability " + missing.begin().key() + ", which this call needs.");
}

Json ClientQuestions::ask_all(const CallContext& ctx, const Json& requests, bool sealed) {
  ctx.signal.throw_if_aborted();
  check_askable(requests);
  Json answers = Json::object();
  if (!is_modern(caller_.revision)) {
    for (const auto& [key, request] : requests.items()) answers[key] = ask_session(ctx, key, request);
    return answers;
  }
  // 2026-07-28: the call ends by saying what it needs, and is made again with the answers [wire.questions].
  Json missing = Json::object();
  for (const auto& [key, request] : requests.items()) {
    if (answers_.contains(key)) {
      answers[key] = answers_[key];
    } else if (!sealed && unsealed_.contains(key)) {
      answers[key] = unsealed_[key];
    } else {
      missing[key] = request;
    }
  }
  if (missing.empty()) return answers;
  const auto task = task_();
  if (!task) throw InputRequired{.requests = std::move(missing), .sealed = sealed};
  const Json given = task->ask(ctx, missing);
  answers_.update(given);
  answers.update(given);
  return answers;
}

UserPrompt::Answer ClientQuestions::ask(const CallContext& ctx, std::string_view key, std::string_view message,
                                        const Json& form_schema) {
  Json params = {{"message", message}, {"requestedSchema", form_schema}};
  if (is_modern(caller_.revision)) params["mode"] = "form";
  const std::string name(key);
  const Json answers = ask_all(ctx, {{name, {{"method", "elicitation/create"}, {"params", params}}}}, true);
  return to_answer(answers.at(name));
}

// Up to 2025-11-25: sends a request of ours on the call's own stream and waits for its result.
Json ClientQuestions::ask_session(const CallContext& ctx, std::string_view key, const Json& request) {
  const auto method = request.at("method").get<std::string>();
  ShownQuestion shown;
  if (method == "elicitation/create") {
    const Json& params = object_in(request, "params");
    shown = {.message = string_in(params, "message"),
             .schema = object_in(params, "requestedSchema"),
             .call = shown_.call,
             .take_over = key.ends_with(kTakeOverQuestion),  // a nested call's key has more before it
             .since = Clock::now()};
  }
  const RingsAtEnd over(shown_.changes);  // ends after the question
  const auto question = caller_.session->questions().open(std::move(shown));
  const std::string& id = question->id();
  shown_.changes.ring();
  const std::string taken_back = jsonrpc::notification(
      "notifications/cancelled", {{"requestId", Json::parse(id)}, {"reason", "the call that asked was cancelled"}});
  const bool sent = lane_.push_request(id, jsonrpc::request(id, method, request.value("params", Json())), taken_back);
  jsonrpc::Message answer;
  try {
    ctx.signal.throw_if_aborted();
    if (!sent) throw ToolError("The question can't reach the client: its call takes no event stream.");
    if (!question->wait(ctx, answer)) throw ToolError("The user did not answer in time.");
  } catch (...) {
    // If the whole call is aborted, its lane takes the question back. One that a nested call has put, which was stopped
    // alone, or whose time is over, is taken back here.
    lane_.take_back_request(id);
    throw;
  }
  // Answered at the panel: the client's answer is wanted no more.
  if (question->answered_elsewhere()) {
    lane_.take_back_request(id);
  } else {
    lane_.settle_request(id);
  }
  if (!answer.error.is_null()) throw ToolError("The client refused to put the question to its user.");
  return std::move(answer.result);
}

bool ClientQuestions::ask_as_task(const CallContext& ctx, const Json& wanted) {
  try {
    answers_.update(task_()->ask(ctx, wanted));
    return true;
  } catch (const Aborted&) {
    return false;
  }
}

}  // namespace bridle
