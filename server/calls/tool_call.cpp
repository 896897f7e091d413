#include "server/calls/tool_call.h"

#include <algorithm>
#include <utility>

#include "base/log.h"
#include "server/mcp/jsonrpc.h"
#include "server/mcp/result_store.h"
#include "server/mcp/serializer.h"
#include "server/status_board.h"
#include "tools/contract/response.h"

namespace bridle {
namespace {

Frame frame_of(Frame::Kind kind, std::string text) {
  return {.kind = kind, .text = std::make_shared<const std::string>(std::move(text))};
}

std::string cancel_question(const std::string& id) {
  return jsonrpc::notification("notifications/cancelled",
                               {{"requestId", Json::parse(id)}, {"reason", "the call that asked was cancelled"}});
}

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

}  // namespace

std::string missing_capability(std::string_view id, const Json& required) {
  return jsonrpc::error(id, jsonrpc::kMissingCapability,
                        "This call needs a client capability that the request doesn't declare",
                        {{"requiredCapabilities", required}});
}

bool knows_tasks(const Caller& caller) {
  if (!is_modern(caller.revision)) return false;
  const auto extensions = caller.capabilities.find("extensions");
  return extensions != caller.capabilities.end() && extensions->is_object() && extensions->contains(kTasksExtension);
}

bool can_show_forms(const Caller& caller) {
  if (!has_elicitation(caller.revision)) return false;
  const auto found = caller.capabilities.find("elicitation");
  if (found == caller.capabilities.end() || !found->is_object()) return false;
  return found->contains("form") || !found->contains("url");
}

AbortRegistry::Refusal ToolCall::start(const CallServices& services, Plan plan, const std::shared_ptr<Outbox>& outbox,
                                       std::shared_ptr<ToolCall>* started_call) {
  auto refusal = AbortRegistry::Refusal::none;
  auto call = std::make_shared<ToolCall>(services, std::move(plan));
  const Plan& fixed = call->plan_;
  call->entry_ = services.registry.begin({.session = fixed.caller.name, .id = fixed.id}, fixed.name,
                                         fixed.caller.signal, &refusal, {.one_shot = fixed.caller.one_shot});
  if (!call->entry_) return refusal;
  if (started_call != nullptr) *started_call = call;
  call->request_ = call->entry_.shared();
  call->outbox_ = outbox;
  call->lane_ = outbox->open_lane(call->request_->signal(), [call] { return call->abort_frames(); });
  call->progress_ = std::make_unique<ProgressReporter>(fixed.caller.revision, fixed.progress_token, call->lane_);
  if (call->request_->signal().aborted()) {
    // The call was cancelled before it came. It ends here, without a thread, and its id is free by the time its client
    // is told.
    const RequestEntry entry = std::move(call->entry_);
    entry->finish(RequestState::completed);
    call->lane_->finish_aborted();
    return AbortRegistry::Refusal::none;
  }
  bool started = false;
  try {
    started = services.pool.submit([call] { call->run(); });
  } catch (const std::exception& error) {
    spdlog::error("no thread for {}: {}", fixed.name, error.what());
  }
  if (!started) {
    const RequestEntry entry = std::move(call->entry_);
    entry->finish(RequestState::error);
    call->lane_->finish(jsonrpc::error(fixed.id, jsonrpc::kInternalError, "The server is busy or ending; try again."));
  }
  return AbortRegistry::Refusal::none;
}

ToolCall::ToolCall(const CallServices& services, Plan plan)
    : services_(services), plan_(std::move(plan)), answers_(plan_.answers) {}
ToolCall::~ToolCall() = default;

// On the request's own thread.
void ToolCall::run() {
  const RequestEntry entry = std::move(entry_);
  Ending ending = execute();
  entry->finish(ending.state);
  tell_of_changes();
  // The canonical test: whatever the tool returned or threw, an abort decides [cancel.states.abort-decides].
  const bool aborted = request_->signal().aborted();
  if (aborted && ending.succeeded) request_->note_late_result();
  std::shared_ptr<Task> task;
  {
    const MutexLock lock(mutex_);
    over_ = true;
    task = task_;
  }
  if (task) {
    task->finish(aborted ? abort_answer() : ending.answer);
    return;
  }
  if (aborted) return lane_->finish_aborted();
  lane_->finish(std::move(ending.answer), ending.http_status);
}

// A task that asks is not called again by its client: the rounds of 2026-07-28 are made here.
ToolCall::Ending ToolCall::execute() {
  for (;;) {
    Ending ending;
    serve(request_->signal(), ending);
    if (ending.wanted.is_null() || !ask_as_task(ending.wanted)) return ending;
  }
}

bool ToolCall::ask_as_task(const Json& wanted) {
  try {
    answers_.update(task()->ask({.signal = request_->signal()}, wanted));
    return true;
  } catch (const Aborted&) {
    return false;
  }
}

void ToolCall::serve(const AbortSignal& signal, Ending& ending) {
  const auto unexpected = [&](const char* what) {
    spdlog::error("{} failed unexpectedly: session={} request={}: {}", plan_.name, plan_.caller.name,
                  loggable(plan_.id), loggable(what));
    ending.state = RequestState::error;
    ending.answer = jsonrpc::error(plan_.id, jsonrpc::kInternalError,
                                   "Internal error in " + plan_.name + "; the server's log has the details.");
  };
  try {
    signal.throw_if_aborted();
    if (plan_.spec == nullptr || !plan_.spec->queues) request_->start_running();
    ToolContext context;
    context.call = {.signal = signal, .progress = progress_.get()};
    context.scope = plan_.caller.session ? plan_.caller.session->scope(services_.toolbox) : services_.default_scope;
    const auto control = services_.board.control_for(request_->key(), context.scope);
    context.requests = control.get();
    context.user = this;
    context.observer = this;
    std::string answer;
    if (plan_.spec != nullptr) {
      ToolResult result = plan_.spec->handler(context, plan_.arguments);
      keep_whole(result, context.scope);
      answer = result_message(result);
    } else {
      answer = jsonrpc::result(plan_.id, plan_.work(context));
    }
    ending.succeeded = true;
    if (!signal.aborted()) ending.answer = std::move(answer);
  } catch (const Aborted&) {
    // If the call's own signal has fired, finish() decides what the abort means. The abort of a mere step of the call
    // must not get here; that is a bug of the tool.
    if (!signal.aborted()) unexpected("an abort that is not the request's");
  } catch (const ToolError& error) {
    ending.answer = failure_message(error.what());
  } catch (const InputRequired& wanted) {
    if (task()) {
      ending.wanted = wanted.requests;
    } else {
      ending.answer = input_required(wanted);
    }
  } catch (const MissingCapability& missing) {
    ending.http_status = 400;
    ending.answer = missing_capability(plan_.id, missing.required);
  } catch (const RpcFailure& failure) {
    ending.answer = jsonrpc::error(plan_.id, failure.code, failure.words, failure.data);
  } catch (const std::exception& error) {
    unexpected(error.what());
  } catch (...) {
    unexpected("an exception of an unknown type");
  }
}

// A cut result names its resource in its last lines [tool.max-output].
void ToolCall::keep_whole(ToolResult& result, const std::shared_ptr<ToolScope>& scope) const {
  if (result.whole.empty() || services_.results == nullptr || request_->signal().aborted()) return;
  const std::string uri = services_.results->keep(scope, plan_.name, std::move(result.whole), !result.unlisted);
  if (uri.empty() || result.content.empty()) return;
  result.content.front().text += "\nThe whole text is the resource " + uri + " (resources/read).";
  if (!result.unlisted) services_.catalogue.list_changed("resources", scope.get());
}

// To whoever subscribed: what a call of theirs may have changed.
void ToolCall::tell_of_changes() const {
  if (plan_.spec == nullptr || !services_.catalogue.resources_notify) return;
  for (const ResourceSpec& spec : services_.catalogue.resources()) {
    using Changes = ResourceSpec::Changes;
    const bool changed = spec.changes == Changes::with_every_call ||
                         (spec.changes == Changes::with_acting_calls && !plan_.spec->read_only);
    if (!changed) continue;
    const auto& session = plan_.caller.session;
    if (!session) {
      services_.catalogue.resource_updated(spec.resource.uri, services_.default_scope.get());
    } else if (session->is_subscribed(spec.resource.uri)) {
      session->notify("notifications/resources/updated", {{"uri", spec.resource.uri}});
    }
  }
}

// Words for the model: a failed result if the method has such results, else a JSON-RPC error.
std::string ToolCall::failure_message(const std::string& words) const {
  if (plan_.spec != nullptr) return result_message(ToolResult::error(words));
  return jsonrpc::error(plan_.id, jsonrpc::kInternalError, words);
}

std::string ToolCall::result_message(const ToolResult& result) const {
  return jsonrpc::result(plan_.id, serializer::tool_result(plan_.caller.revision, result));
}

// ---- the end by abort

std::optional<std::vector<Frame>> ToolCall::abort_frames() {
  std::vector<Frame> frames;
  {
    // A question's own cancel goes out before the stream ends [cancel.wire.question].
    const MutexLock lock(mutex_);
    for (const std::string& id : open_questions_) {
      frames.push_back(frame_of(Frame::Kind::notification, cancel_question(id)));
    }
  }
  if (std::string answer = abort_answer(); !answer.empty()) {
    frames.push_back(frame_of(Frame::Kind::response, std::move(answer)));
  }
  return frames;
}

// [cancel.wire.not-by-client]: what a client gets that didn't cancel itself.
std::string ToolCall::abort_answer() const {
  const AbortSignal signal = request_->signal();
  const auto ended = [&](const std::string& words) {
    return plan_.spec != nullptr ? result_message(error_result(words)) : failure_message(words);
  };
  switch (signal.reason()) {
    case AbortReason::stopped_by_user: {
      std::string words = plan_.name + " was stopped by the user before it finished.";
      if (!signal.text().empty()) words += " (" + loggable(signal.text()) + ")";
      return ended(words + " Don't repeat it unless you are asked to.");
    }
    case AbortReason::deadline:
      return ended(plan_.name + " ran out of time (" + signal.text() +
                   ") and was ended. Do less in one call, or wait for something narrower.");
    case AbortReason::shutdown:
      return jsonrpc::error(plan_.id, jsonrpc::kInternalError, "The server is shutting down; the call was ended.");
    case AbortReason::none:
    case AbortReason::client_cancelled:
    case AbortReason::client_gone:
    case AbortReason::session_closed:
      return {};
  }
  return {};
}

// ---- for the tool

void ToolCall::on_tab(std::string_view tab_id) { request_->set_tab(tab_id); }

void ToolCall::on_running() {
  if (!request_->signal().aborted()) request_->start_running();
}

// In 2026-07-28 the request's own level decides. Before, the session's does; without one, messages from `info` on are
// sent [why.log-level-before-modern].
void ToolCall::log(std::string_view level_name, const Json& data) {
  const auto level = parse_log_level(level_name);
  const bool modern = is_modern(plan_.caller.revision);
  const auto wanted = modern ? plan_.caller.log_level : plan_.caller.session->log_level().value_or(LogLevel::info);
  if (!level || !wanted || *level < *wanted) return;
  lane_->push(Frame::Kind::notification,
              jsonrpc::notification("notifications/message",
                                    {{"level", to_string(*level)}, {"logger", "bridle"}, {"data", data}}));
}

// "Durable before reply": tasks/get knows it before the client does.
bool ToolCall::become_task() {
  if (!knows_tasks(plan_.caller)) return false;
  Json handle;
  {
    const MutexLock lock(mutex_);
    if (task_) return true;
    if (over_ || request_->signal().aborted() || lane_->ended()) return false;
    task_ = services_.tasks.create(request_);
    if (!task_) return false;
    handle = task_->created();
  }
  lane_->finish(jsonrpc::result(plan_.id, serializer::task_created(handle)));
  return true;
}

std::shared_ptr<Task> ToolCall::task() {
  const MutexLock lock(mutex_);
  return task_;
}

void ToolCall::let_client_poll() {
  if (!has_resumable_streams(plan_.caller.revision) || plan_.caller.session->single_stream()) return;
  if (const auto outbox = outbox_.lock()) outbox->release_reader();
}

// ---- questions to the client

bool ToolCall::can_ask(std::string_view method) const {
  const Json& declared = plan_.caller.capabilities;
  if (method == "elicitation/create") return can_show_forms(plan_.caller);
  if (method == "sampling/createMessage") return declared.contains("sampling");
  return method == "roots/list" && declared.contains("roots");
}

void ToolCall::check_askable(const Json& requests) const {
  Json missing = Json::object();
  for (const auto& [key, request] : requests.items()) {
    const auto method = request.at("method").get<std::string>();
    if (!can_ask(method)) missing[method.substr(0, method.find('/'))] = Json::object();
  }
  if (missing.empty()) return;
  if (is_modern(plan_.caller.revision)) throw MissingCapability{.required = std::move(missing)};
  if (missing.contains("elicitation")) {
    throw ToolError(
        "This client can't put questions to its user (it declares no elicitation). Ask in your own words "
        "instead, in the conversation.");
  }
  throw ToolError("This client doesn't declare the capability " + missing.begin().key() + ", which this call needs.");
}

Json ToolCall::ask_all(const CallContext& ctx, const Json& requests, bool sealed) {
  ctx.signal.throw_if_aborted();
  check_askable(requests);
  Json answers = Json::object();
  if (!is_modern(plan_.caller.revision)) {
    for (const auto& [key, request] : requests.items()) answers[key] = ask_session(ctx, request);
    return answers;
  }
  // 2026-07-28: the call ends by saying what it needs, and is made again with the answers [wire.questions].
  Json missing = Json::object();
  for (const auto& [key, request] : requests.items()) {
    if (answers_.contains(key)) {
      answers[key] = answers_[key];
    } else if (!sealed && plan_.unsealed.contains(key)) {
      answers[key] = plan_.unsealed[key];
    } else {
      missing[key] = request;
    }
  }
  if (missing.empty()) return answers;
  const auto task = this->task();
  if (!task) throw InputRequired{.requests = std::move(missing), .sealed = sealed};
  const Json given = task->ask(ctx, missing);
  answers_.update(given);
  answers.update(given);
  return answers;
}

UserPrompt::Answer ToolCall::ask(const CallContext& ctx, std::string_view key, std::string_view message,
                                 const Json& form_schema) {
  Json params = {{"message", message}, {"requestedSchema", form_schema}};
  if (is_modern(plan_.caller.revision)) params["mode"] = "form";
  const std::string name(key);
  const Json answers = ask_all(ctx, {{name, {{"method", "elicitation/create"}, {"params", params}}}}, true);
  return to_answer(answers.at(name));
}

// Up to 2025-11-25: sends a request of ours on the call's own stream and waits for its result.
Json ToolCall::ask_session(const CallContext& ctx, const Json& request) {
  const auto question = plan_.caller.session->questions().open();
  {
    const MutexLock lock(mutex_);
    open_questions_.push_back(question->id());
  }
  const auto method = request.at("method").get<std::string>();
  const bool sent =
      lane_->push(Frame::Kind::request, jsonrpc::request(question->id(), method, request.value("params", Json())));
  ctx.signal.throw_if_aborted();
  if (!sent) throw ToolError("The question can't reach the client: its call takes no event stream.");
  jsonrpc::Message answer;
  // Aborted leaves the question open: abort_frames() cancels it.
  const bool answered = question->wait(ctx, answer);
  {
    const MutexLock lock(mutex_);
    std::erase(open_questions_, question->id());
  }
  if (!answered) {
    lane_->push(Frame::Kind::notification, cancel_question(question->id()));
    throw ToolError("The user did not answer in time.");
  }
  if (!answer.error.is_null()) throw ToolError("The client refused to put the question to its user.");
  return std::move(answer.result);
}

std::string ToolCall::input_required(const InputRequired& wanted) const {
  Json result = {{"resultType", "input_required"}, {"inputRequests", wanted.requests}};
  if (wanted.sealed) {
    Json keys = Json::array();
    for (const auto& [key, unused] : wanted.requests.items()) keys.push_back(key);
    result["requestState"] = services_.sealer.seal(plan_.name, plan_.arguments, answers_, keys);
  }
  return jsonrpc::result(plan_.id, dump(result));
}

}  // namespace bridle
