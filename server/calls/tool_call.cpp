#include "server/calls/tool_call.h"

#include <utility>

#include "base/errors.h"
#include "base/text/log.h"
#include "server/calls/nested_calls.h"
#include "server/mcp/jsonrpc.h"
#include "server/mcp/serializer.h"
#include "server/result_store.h"
#include "server/status_board.h"
#include "tools/contract/response.h"

namespace bridle {

CallTable::Refusal ToolCall::start(const CallServices& services, Plan plan, const std::shared_ptr<ReplyStream>& stream,
                                   std::shared_ptr<ToolCall>* started_call) {
  auto refusal = CallTable::Refusal::none;
  auto slot =
      services.calls.begin({.session = plan.caller.name, .id = plan.id}, plan.name, plan.caller.signal, &refusal,
                           {.one_shot = plan.caller.one_shot,
                            .bounds_itself = plan.spec != nullptr && plan.spec->bounds_itself,
                            .target = target_words(plan.arguments)});
  if (!slot) return refusal;
  const auto call = std::make_shared<ToolCall>(services, std::move(plan), std::move(slot), stream);
  if (started_call != nullptr) *started_call = call;
  if (call->call_->signal().aborted()) {
    // The call was cancelled before it came. It ends here, without a thread, and its id is free by the time its client
    // is told.
    const auto cancelled = std::move(call->slot_);
    cancelled.finish(CallState::completed);
    call->lane_.finish_aborted();
    return CallTable::Refusal::none;
  }
  if (!services.pool.submit([call] { call->run(); })) {
    const auto refused = std::move(call->slot_);
    refused.finish(CallState::error);
    call->lane_.finish(
        jsonrpc::error(call->plan_.id, jsonrpc::kInternalError, "The server is busy or ending; try again."));
  }
  return CallTable::Refusal::none;
}

ToolCall::ToolCall(const CallServices& services, Plan plan, CallTable::Slot slot,
                   const std::shared_ptr<ReplyStream>& stream)
    : services_(services),
      plan_(std::move(plan)),
      slot_(std::move(slot)),
      call_(slot_.shared()),
      lane_(stream, call_->signal(),
            [name = name()](const AbortSignal& signal) {
              return abort_answer(name, signal).message(name.id, name.revision);
            }),
      progress_(*call_, plan_.caller.revision, plan_.progress_token, lane_),
      questions_(plan_.caller, lane_, plan_.answers, plan_.unsealed, [this] { return task(); },
                 {.changes = services.board.changes(), .call = call_->traits().number}),
      sign_of_life_(services.timer,
                    [this] {
                      show_life();
                      sign_of_life_.set_by(Clock::now() + services_.times.sign_of_life);
                    }),
      long_call_(services.timer, [this] { become_task(); }) {}

ToolCall::~ToolCall() = default;

void ToolCall::keep_telling(bool may_become_task) {
  const auto now = Clock::now();
  if (!plan_.progress_token.is_null()) sign_of_life_.set(now + services_.times.sign_of_life);
  if (may_become_task) long_call_.set(now + services_.times.task_after);
}

// On the call's own thread.
void ToolCall::run() {
  const auto slot = std::move(slot_);
  Ending ending = execute();
  auto past = past_call(ending, slot.finish(ending.state));
  tell_of_changes();
  // The canonical test: whatever the tool returned or threw, an abort decides [cancel.states.abort-decides].
  const bool aborted = call_->signal().aborted();
  if (aborted && ending.succeeded) call_->note_late_result();
  std::shared_ptr<Task> task;
  {
    const MutexLock lock(mutex_);
    over_ = true;
    task = task_;
  }
  sign_of_life_.cancel();
  long_call_.cancel();
  if (task) {
    task->finish(aborted ? abort_answer(name(), call_->signal()) : std::move(ending.answer));
  } else if (aborted) {
    lane_.finish_aborted();
  } else {
    lane_.finish(ending.answer.message(plan_.id, plan_.caller.revision), ending.answer.http_status);
  }
  if (past) add_to_timeline(std::move(*past));
}

// Only what must be taken before the answer is moved to its client: the rest is done once the client has it.
std::optional<PastCall> ToolCall::past_call(const Ending& ending, CallState state) const {
  if (plan_.spec == nullptr) return std::nullopt;
  PastCall past{.row = call_->snapshot(),
                .arguments = &plan_.arguments,
                .client = plan_.caller.session ? plan_.caller.session->client_name() : std::string(),
                .ended = Clock::now(),
                .effects = effects_};
  past.row.state = state;
  if (plan_.spec->acts(plan_.arguments)) past.after = picture(past.row.tab);
  past.before = before_;
  if (call_->signal().aborted()) {
    past.text = call_->signal().text();
  } else if (const auto* result = std::get_if<ToolResult>(&ending.answer.content)) {
    past.is_error = result->is_error;
    past.read(*result);
  } else if (const auto* failure = std::get_if<RpcFailure>(&ending.answer.content)) {
    past.is_error = true;
    past.text = failure->words;
  }
  return past;
}

std::shared_ptr<const std::string> ToolCall::picture(const std::string& tab) const {
  const auto& picture = services_.toolbox.picture;
  return picture && scope_ ? picture(*scope_, tab) : nullptr;
}

std::string ToolCall::keep_picture(const char* when, const std::string& jpeg) const {
  const auto& keep = services_.toolbox.keep_picture;
  return keep ? keep(*scope_, fmt::format("panel/{}-{}.jpg", call_name(call_->traits().number), when), jpeg) : "";
}

// The pictures are written when the client has its answer.
void ToolCall::add_to_timeline(PastCall past) const {
  if (past.before) past.kept_before = keep_picture("before", *past.before);
  if (past.after) past.kept_after = past.after == past.before ? past.kept_before : keep_picture("after", *past.after);
  services_.board.timeline().add(past);
}

ToolResult ToolCall::run_nested(const CallContext& ctx) {
  const auto slot = std::move(slot_);
  Ending ending = serve();
  auto past = past_call(ending, slot.finish(ending.state));
  if (past) add_to_timeline(std::move(*past));
  tell_of_changes();
  const bool aborted = call_->signal().aborted();
  if (aborted && ending.succeeded) call_->note_late_result();
  ctx.signal.throw_if_aborted();
  // Stopped by itself: its maker goes on, and hears of it.
  if (aborted) ending.answer = abort_answer(name(), call_->signal());
  if (auto* result = std::get_if<ToolResult>(&ending.answer.content)) return std::move(*result);
  if (const auto* failure = std::get_if<RpcFailure>(&ending.answer.content)) return error_result(failure->words);
  return error_result(aborted ? "The call was cancelled." : "The call needs an answer that nobody can give here.");
}

// A task that asks is not called again by its client: the rounds of 2026-07-28 are made here.
ToolCall::Ending ToolCall::execute() {
  for (;;) {
    Ending ending = serve();
    if (ending.wanted.is_null() || !questions_.ask_as_task({.signal = call_->signal()}, ending.wanted)) return ending;
  }
}

ToolCall::Ending ToolCall::serve() {
  Ending ending;
  const auto unexpected = [&](const char* what) {
    spdlog::error("{} failed unexpectedly: session={} request={}: {}", plan_.name, plan_.caller.name,
                  loggable(plan_.id), loggable(what));
    ending.state = CallState::error;
    ending.answer = unexpected_answer(name());
  };
  const AbortSignal signal = call_->signal();
  try {
    ending.answer = work();
    ending.succeeded = true;
  } catch (const Aborted&) {
    // If the call's own signal has fired, finish() decides what the abort means. The abort of a mere step of the call
    // must not get here; that is a bug of the tool.
    if (!signal.aborted()) unexpected("an abort that is not the request's");
  } catch (const ToolError& error) {
    ending.answer = failure_answer(name(), error.what());
  } catch (const InputRequired& wanted) {
    if (task()) {
      ending.wanted = wanted.requests;
    } else {
      ending.answer = input_required(wanted);
    }
  } catch (const MissingCapability& missing) {
    ending.answer = missing_capability(missing.required);
  } catch (const RpcFailure& failure) {
    ending.answer.content = failure;
  } catch (const std::exception& error) {
    unexpected(error.what());
  } catch (...) {
    unexpected("an exception of an unknown type");
  }
  ending.answer.hide_secrets();
  if (auto* result = std::get_if<ToolResult>(&ending.answer.content); result != nullptr && scope_ != nullptr) {
    if (services_.toolbox.after_call) services_.toolbox.after_call(*scope_, *plan_.spec, plan_.arguments, *result);
  }
  return ending;
}

CallAnswer ToolCall::work() {
  call_->signal().throw_if_aborted();
  ToolContext context;
  context.call = {.signal = call_->signal(), .deadline = plan_.deadline, .progress = &progress_};
  context.scope = plan_.caller.session ? plan_.caller.session->scope(services_.toolbox) : services_.default_scope;
  scope_ = context.scope;
  context.observer = this;
  context.acts = plan_.spec != nullptr && plan_.spec->acts(plan_.arguments);
  context.act_on = plan_.act_on;
  context.wait_for_person();
  if (plan_.spec == nullptr || !plan_.spec->queues) call_->start_running();
  const auto control = services_.board.control_for(call_->key(), context.scope);
  context.requests = control.get();
  Json noted;
  ServerNestedCalls nested(services_, plan_.caller, *call_, questions_);
  if (plan_.user == nullptr) {
    context.user = &questions_;
    context.nested = &nested;
  } else {
    context.user = plan_.user;
    context.noted = &noted;
  }
  const auto& before_call = services_.toolbox.before_call;
  const auto use = before_call && context.scope ? before_call(context.call, *context.scope) : nullptr;
  if (plan_.spec == nullptr) return {.content = ResultText{plan_.work(context)}};
  if (context.acts) before_ = picture(string_in(plan_.arguments, "tab"));
  ToolResult result = plan_.spec->handler(context, plan_.arguments);
  result.noted = std::move(noted);
  result.held = std::chrono::ceil<Millis>(call_->held_for());
  keep_whole(result, context.scope);
  return {.content = std::move(result)};
}

void ToolCall::Progress::report(double progress, double total, std::string_view message) {
  constexpr std::size_t kShown = 400;  // bytes
  call_.set_progress({.done = progress, .total = total, .words = loggable(message, kShown)});
  ProgressReporter::report(progress, total, message);
}

void ToolCall::on_held(bool held) { call_->set_held(held); }

// A cut result names its resource in its last lines [tool.max-output].
void ToolCall::keep_whole(ToolResult& result, const std::shared_ptr<ToolScope>& scope) const {
  if (result.whole.empty() || services_.results == nullptr || call_->signal().aborted()) return;
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

// ---- for the tool

void ToolCall::on_tab(std::string_view tab_id) { call_->set_tab(tab_id); }

void ToolCall::on_effects(const std::string& words) { effects_ = words; }

void ToolCall::on_running() {
  if (!call_->signal().aborted()) call_->start_running();
}

// In 2026-07-28 the request's own level decides. Before, the session's does; without one, messages from `info` on are
// sent [why.log-level-before-modern].
void ToolCall::log(std::string_view level_name, const Json& data) {
  const auto level = parse_log_level(level_name);
  const bool modern = is_modern(plan_.caller.revision);
  const auto wanted = modern ? plan_.caller.log_level : plan_.caller.session->log_level().value_or(LogLevel::info);
  if (!level || !wanted || *level < *wanted) return;
  lane_.push(Frame::Kind::notification,
             jsonrpc::notification("notifications/message",
                                   {{"level", to_string(*level)}, {"logger", "bridle"}, {"data", data}}));
}

// "Durable before reply": tasks/get knows it before the client does.
bool ToolCall::become_task() {
  if (plan_.spec == nullptr || !knows_tasks(plan_.caller)) return false;
  Json handle;
  {
    const MutexLock lock(mutex_);
    if (task_) return true;
    if (over_ || is_released()) return false;
    task_ = services_.tasks.create(call_->key());
    if (!task_) return false;
    handle = task_->state();
  }
  lane_.finish(jsonrpc::result(plan_.id, serializer::task_created(handle)));
  return true;
}

std::shared_ptr<Task> ToolCall::task() {
  const MutexLock lock(mutex_);
  return task_;
}

CallName ToolCall::name() const {
  return {.id = plan_.id, .name = plan_.name, .is_tool = plan_.spec != nullptr, .revision = plan_.caller.revision};
}

void ToolCall::let_client_poll() {
  if (has_resumable_streams(plan_.caller.revision) && !plan_.caller.session->single_stream()) lane_.release_reader();
}

CallAnswer ToolCall::input_required(const InputRequired& wanted) const {
  Json result = {{"resultType", "input_required"}, {"inputRequests", wanted.requests}};
  if (wanted.sealed) {
    Json keys = Json::array();
    for (const auto& [key, unused] : wanted.requests.items()) keys.push_back(key);
    result["requestState"] = services_.sealer.seal(plan_.name, plan_.arguments, questions_.answers(), keys);
  }
  return {.content = ResultText{dump(result)}};
}

}  // namespace bridle
