#include "server/tool_call.h"

#include <algorithm>
#include <utility>

#include "base/log.h"
#include "server/jsonrpc.h"
#include "server/serializer.h"
#include "server/status_board.h"

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

bool can_show_forms(const Caller& caller) {
  if (!has_elicitation(caller.revision)) return false;
  const auto found = caller.capabilities.find("elicitation");
  if (found == caller.capabilities.end() || !found->is_object()) return false;
  return found->contains("form") || !found->contains("url");
}

AbortRegistry::Refusal ToolCall::start(const CallServices& services, Plan plan, const std::shared_ptr<Outbox>& outbox) {
  auto refusal = AbortRegistry::Refusal::none;
  auto call = std::make_shared<ToolCall>(services, std::move(plan));
  const Plan& fixed = call->plan_;
  call->entry_ = services.registry.begin({.session = fixed.caller.name, .id = fixed.id}, fixed.spec->name,
                                         fixed.caller.signal, &refusal, {.one_shot = fixed.caller.one_shot});
  if (!call->entry_) return refusal;
  call->request_ = call->entry_.shared();
  call->lane_ = outbox->open_lane(call->request_->signal(), [call] { return call->abort_frames(); });
  call->progress_ = std::make_unique<ProgressReporter>(fixed.caller.revision, fixed.progress_token, call->lane_);
  if (call->request_->signal().aborted()) {
    // Cancelled before it came: it ends here, without a thread, and its id is free when the client hears of it.
    const RequestEntry entry = std::move(call->entry_);
    entry->finish(RequestState::completed);
    call->lane_->finish_aborted();
    return AbortRegistry::Refusal::none;
  }
  bool started = false;
  try {
    started = services.pool.submit([call] { call->run(); });
  } catch (const std::exception& error) {
    spdlog::error("no thread for {}: {}", fixed.spec->name, error.what());
  }
  if (!started) {
    const RequestEntry entry = std::move(call->entry_);
    entry->finish(RequestState::error);
    call->lane_->finish(jsonrpc::error(fixed.id, jsonrpc::kInternalError, "The server is busy or ending; try again."));
  }
  return AbortRegistry::Refusal::none;
}

ToolCall::ToolCall(const CallServices& services, Plan plan) : services_(services), plan_(std::move(plan)) {}
ToolCall::~ToolCall() = default;

// On the request's own thread.
void ToolCall::run() {
  const RequestEntry entry = std::move(entry_);
  Ending ending = execute();
  entry->finish(ending.state);
  // The canonical test: whatever the tool returned or threw, an abort decides (spec/cancellation, "States").
  if (request_->signal().aborted()) {
    if (ending.succeeded) request_->note_late_result();
    lane_->finish_aborted();
    return;
  }
  lane_->finish(std::move(ending.answer), ending.http_status);
}

ToolCall::Ending ToolCall::execute() {
  Ending ending;
  const AbortSignal signal = request_->signal();
  const auto unexpected = [&](const char* what) {
    spdlog::error("tool {} failed unexpectedly: session={} request={}: {}", plan_.spec->name, plan_.caller.name,
                  loggable(plan_.id), loggable(what));
    ending.state = RequestState::error;
    ending.answer = jsonrpc::error(plan_.id, jsonrpc::kInternalError,
                                   "Internal error in " + plan_.spec->name + "; the server's log has the details.");
  };
  try {
    signal.throw_if_aborted();
    if (!plan_.spec->queues) request_->start_running();
    ToolContext context;
    context.call = {.signal = signal, .progress = progress_.get()};
    context.scope = plan_.caller.session ? plan_.caller.session->scope(services_.toolbox) : services_.default_scope;
    const auto control = services_.board.control_for(request_->key(), context.scope);
    context.requests = control.get();
    context.user = this;
    context.observer = this;
    const ToolResult result = plan_.spec->handler(context, plan_.arguments);
    ending.succeeded = true;
    if (!signal.aborted()) ending.answer = result_message(result);
  } catch (const Aborted&) {
    // Ours: finish() says what it means. A step's own abort that leaked out is a bug of the tool.
    if (!signal.aborted()) unexpected("an abort that is not the request's");
  } catch (const ToolError& error) {
    ending.answer = result_message(ToolResult::error(error.what()));
  } catch (const InputRequired& wanted) {
    ending.answer = input_required(wanted);
  } catch (const MissingCapability& missing) {
    ending.http_status = 400;
    ending.answer = jsonrpc::error(plan_.id, jsonrpc::kMissingCapability,
                                   "This call needs a client capability that the request doesn't declare",
                                   {{"requiredCapabilities", missing.required}});
  } catch (const std::exception& error) {
    unexpected(error.what());
  } catch (...) {
    unexpected("an exception of an unknown type");
  }
  return ending;
}

std::string ToolCall::result_message(const ToolResult& result) const {
  return jsonrpc::result(plan_.id, serializer::tool_result(plan_.caller.revision, result));
}

// ---- the end by abort

std::optional<std::vector<Frame>> ToolCall::abort_frames() {
  std::vector<Frame> frames;
  {
    // A question's own cancel goes out before the stream ends (spec/cancellation, Decisions 8).
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

// spec/cancellation, Decisions 2: what a client gets that didn't cancel itself.
std::string ToolCall::abort_answer() const {
  const AbortSignal signal = request_->signal();
  switch (signal.reason()) {
    case AbortReason::stopped_by_user: {
      std::string words = plan_.spec->name + " was stopped by the user before it finished.";
      if (!signal.text().empty()) words += " (" + loggable(signal.text()) + ")";
      return result_message(ToolResult::error("### Error\n" + words + " Don't repeat it unless you are asked to."));
    }
    case AbortReason::deadline:
      return result_message(ToolResult::error("### Error\n" + plan_.spec->name + " ran out of time (" + signal.text() +
                                              ") and was ended. Do less in one call, or wait for something narrower."));
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

UserPrompt::Answer ToolCall::ask(const CallContext& ctx, std::string_view key, std::string_view message,
                                 const Json& form_schema) {
  ctx.signal.throw_if_aborted();
  if (!can_show_forms(plan_.caller)) {
    if (is_modern(plan_.caller.revision)) throw MissingCapability{.required = {{"elicitation", Json::object()}}};
    throw ToolError(
        "This client can't put questions to its user (it declares no elicitation). Ask in your own words "
        "instead, in the conversation.");
  }
  if (!is_modern(plan_.caller.revision)) return ask_session(ctx, message, form_schema);
  // 2026-07-28: the call ends by saying what it needs, and is made again with the answer (spec/protocol 1.10).
  if (const auto known = plan_.answers.find(std::string(key)); known != plan_.answers.end()) return to_answer(*known);
  const Json params = {{"mode", "form"}, {"message", message}, {"requestedSchema", form_schema}};
  throw InputRequired{.requests = {{std::string(key), {{"method", "elicitation/create"}, {"params", params}}}}};
}

UserPrompt::Answer ToolCall::ask_session(const CallContext& ctx, std::string_view message, const Json& form_schema) {
  const auto question = plan_.caller.session->questions().open();
  {
    const MutexLock lock(mutex_);
    open_questions_.push_back(question->id());
  }
  const Json params = {{"message", message}, {"requestedSchema", form_schema}};
  const bool sent = lane_->push(Frame::Kind::request, jsonrpc::request(question->id(), "elicitation/create", params));
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
  return to_answer(answer.result);
}

std::string ToolCall::input_required(const InputRequired& wanted) const {
  Json keys = Json::array();
  for (const auto& [key, unused] : wanted.requests.items()) keys.push_back(key);
  const std::string state = services_.sealer.seal(plan_.spec->name, plan_.arguments, plan_.answers, keys);
  const Json result = {{"resultType", "input_required"}, {"inputRequests", wanted.requests}, {"requestState", state}};
  return jsonrpc::result(plan_.id, jsonrpc::dump(result));
}

}  // namespace bridle
