#include "server/calls/call_table.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/limits.h"
#include "base/text/log.h"

namespace bridle {

CallTable::Options::Options()
    : abort_warning(limits::kAbortWarning),
      early_cancel_ttl(limits::kEarlyCancelTtl),
      request_deadline(limits::kRequestDeadline),
      stop_wait(limits::kStopWait),
      in_flight(limits::kInFlight) {}

CallTable::CallTable(AbortSignal server_signal, Timer& timer, Options options)
    : server_(std::move(server_signal)),
      options_(options),
      timer_(timer),
      early_expiry_(timer, [this] { drop_stale_early(); }) {}

CallTable::~CallTable() = default;

// ---- beginning and ending

CallTable::Slot CallTable::begin(CallKey key, std::string tool, const AbortSignal& session_signal, Refusal* refusal,
                                 BeginOptions options) {
  auto call = std::make_shared<Call>(
      std::move(key), std::move(tool), counters_,
      CallTraits{.number = ++numbers_, .maker = options.maker, .target = std::move(options.target)});
  call->controller_.link(server_);
  call->controller_.link(session_signal);
  std::optional<EarlyCancel> early;
  const Refusal why = add({.call = call, .session = session_signal, .options = options}, early);
  if (refusal != nullptr) *refusal = why;
  if (why != Refusal::none) {
    ++counters_->refused;
    return {};
  }
  ++counters_->requests;
  counters_->changes.ring();
  Slot slot(this, call);
  // Armed by the abort itself, whoever aborted; disarmed when the call ends, which is before its slot does.
  const auto due =
      options.bounds_itself ? Clock::time_point::max() : Clock::time_point(call->began_ + options_.request_deadline);
  call->arm(timer_, due, options_.abort_warning, [this, raw = call.get()] { look_at(*raw); });
  if (early && options.cancellable) {
    ++counters_->early_cancels_used;
    fire(*call, early->reason, std::move(early->text));
  }
  return slot;
}

CallTable::Refusal CallTable::add(Live live, std::optional<EarlyCancel>& early) {
  const MutexLock lock(mutex_);
  const CallKey& key = live.call->key();
  if (live_.contains(key)) return Refusal::duplicate_id;
  if (order_.size() >= options_.in_flight) return Refusal::too_many;
  ++sessions_[key.session].live;
  take_early(key, early);
  live_.emplace(key, order_.insert(order_.end(), std::move(live)));
  return Refusal::none;
}

CallState CallTable::finish(Call& call, CallState wanted) {
  CallState final_state = wanted;
  // Either the abort came first, or from here on none can: exactly one of the two ends happens.
  if (!call.controller_.seal()) {
    final_state = call.signal().reason() == AbortReason::deadline ? CallState::completed : CallState::aborted;
  } else if (wanted != CallState::completed && wanted != CallState::error) {
    ++counters_->invalid_transitions;
    final_state = CallState::error;
  }
  if (!retire(call, final_state)) {
    ++counters_->invalid_transitions;
    return call.state();
  }
  counters_->changes.ring();
  call.let_go(final_state);
  {
    const MutexLock lock(mutex_);
    if (order_.empty()) idle_.notify_all();
  }
  call.tell_listeners();
  return final_state;
}

bool CallTable::retire(Call& call, CallState final_state) {
  const MutexLock lock(mutex_);
  const auto found = live_.find(call.key());
  if (found == live_.end() || found->second->call.get() != &call) return false;
  const Live live = std::move(*found->second);  // the slot holds the call as well: it does not end here
  order_.erase(found->second);
  live_.erase(found);

  call.publish(final_state);
  recent_.push_front(call.snapshot());
  if (recent_.size() > limits::kRecentRequests) recent_.pop_back();

  const auto session = sessions_.find(call.key().session);
  auto& memory = session->second;
  --memory.live;
  // Nothing more is remembered of a closed session, whether forget_session() or this came first.
  if (!memory.closed && !live.options.one_shot && !live.session.aborted()) memory.known.add(call.key().id);
  erase_if_empty(session);

  auto& total = final_state == CallState::completed ? counters_->completed
                : final_state == CallState::aborted ? counters_->aborted
                                                    : counters_->error;
  ++total;
  return true;
}

CallTable::Slot::Slot(CallTable* table, std::shared_ptr<Call> call) : table_(table), call_(std::move(call)) {}

CallTable::Slot::Slot(Slot&& other) noexcept
    : table_(std::exchange(other.table_, nullptr)), call_(std::exchange(other.call_, nullptr)) {}

CallTable::Slot& CallTable::Slot::operator=(Slot&& other) noexcept {
  if (this == &other) return *this;
  leave();
  table_ = std::exchange(other.table_, nullptr);
  call_ = std::exchange(other.call_, nullptr);
  return *this;
}

CallState CallTable::Slot::finish(CallState wanted) const {
  const auto keep = call_;  // a listener may drop the slot
  return table_->finish(*keep, wanted);
}

void CallTable::Slot::leave() noexcept {
  if (!call_) return;
  if (!is_terminal(call_->state())) {
    if (!call_->signal().aborted()) {
      spdlog::error("request {} of session {} ({}) was dropped before it ended", loggable(call_->key().id),
                    loggable(call_->key().session), loggable(call_->tool()));
    }
    finish(CallState::error);
  }
  call_.reset();
}

// ---- cancelling

CancelOutcome CallTable::fire(Call& call, AbortReason reason, std::string text) {
  if (call.controller_.abort(reason, std::move(text))) return CancelOutcome::sent;
  // Somebody was first: another abort, which this one joins, or the end.
  return call.state() == CallState::aborting ? CancelOutcome::sent : CancelOutcome::finished;
}

CancelOutcome CallTable::cancel(const CallKey& key, AbortReason reason, std::string text) {
  // [cancel.reason.text]: a reason that is too long still cancels. Four bytes a character at most; the log shortens the
  // rest.
  if (text.size() > 4 * limits::kCancelReasonLength) text.resize(4 * limits::kCancelReasonLength);
  ++counters_->cancels;
  auto outcome = CancelOutcome::ignored;
  std::shared_ptr<Call> call;
  {
    const MutexLock lock(mutex_);
    const auto found = live_.find(key);
    if (found == live_.end()) {
      outcome = keep_early(key, reason, text);
    } else if (found->second->options.cancellable) {
      call = found->second->call;
    }
  }
  if (call) outcome = fire(*call, reason, std::move(text));
  if (outcome == CancelOutcome::ignored) ++counters_->cancels_ignored;
  return outcome;
}

// [cancel.early]: a cancel that overtakes its request.
CancelOutcome CallTable::keep_early(const CallKey& key, AbortReason reason, std::string text) {
  if (!could_be_id(key.id)) return CancelOutcome::ignored;
  // Only a cancel notification can overtake its request. A disconnect is noticed after it was registered: it has ended.
  if (reason != AbortReason::client_cancelled) return CancelOutcome::finished;
  const auto session = sessions_.find(key.session);
  if (session != sessions_.end()) {
    const auto& memory = session->second;
    if (memory.closed) return CancelOutcome::ignored;
    if (memory.known.contains(key.id)) return CancelOutcome::finished;
    if (memory.early.contains(key.id)) return CancelOutcome::early;
    if (memory.early.size() >= limits::kEarlyCancels) return CancelOutcome::ignored;
  }
  const auto expires = Clock::now() + options_.early_cancel_ttl;
  sessions_[key.session].early.emplace(key.id, EarlyCancel{expires, reason, std::move(text)});
  ++early_count_;
  ++counters_->early_cancels;
  early_expiry_.set_by(expires);
  return CancelOutcome::early;
}

void CallTable::take_early(const CallKey& key, std::optional<EarlyCancel>& early) {
  auto& waiting = sessions_[key.session].early;
  const auto found = waiting.find(key.id);
  if (found == waiting.end()) return;
  if (Clock::now() < found->second.expires) early = std::move(found->second);
  waiting.erase(found);
  --early_count_;
}

void CallTable::drop_stale_early() {
  const MutexLock lock(mutex_);
  if (early_count_ == 0) return;
  const auto now = Clock::now();
  auto next = Clock::time_point::max();
  for (auto session = sessions_.begin(); session != sessions_.end();) {
    const auto current = session++;
    auto& early = current->second.early;
    if (early.empty()) continue;
    early_count_ -= std::erase_if(early, [now](const auto& item) { return item.second.expires <= now; });
    for (const auto& item : early) next = std::min(next, item.second.expires);
    erase_if_empty(current);
  }
  early_expiry_.set_by(next);
}

void CallTable::erase_if_empty(Sessions::iterator session) {
  if (session->second.is_empty()) sessions_.erase(session);
}

void CallTable::forget_session(const std::string& name) {
  const MutexLock lock(mutex_);
  const auto session = sessions_.find(name);
  if (session == sessions_.end()) return;
  early_count_ -= session->second.early.size();
  session->second.early.clear();
  session->second.closed = true;
  erase_if_empty(session);
}

std::vector<std::shared_ptr<Call>> CallTable::begin_stop(const std::function<bool(const Call&)>& selects,
                                                         const std::string& text) {
  std::vector<std::shared_ptr<Call>> reached;
  for (auto& call : live()) {
    if (!selects(*call)) continue;
    if (fire(*call, AbortReason::stopped_by_user, text) != CancelOutcome::sent) continue;
    reached.push_back(std::move(call));
  }
  return reached;
}

CallTable::StopReport CallTable::stop(const CallContext& ctx, const std::function<bool(const Call&)>& selects,
                                      const std::string& text) {
  const CallContext bounded = ctx.within(options_.stop_wait);
  StopReport report{.calls = begin_stop(selects, text)};
  report.was_cancelled = !report.calls.empty();
  for (const auto& call : report.calls) {
    if (!call->wait_terminal(bounded)) report.timed_out = true;
  }
  return report;
}

// ---- what is due

void CallTable::look_at(Call& call) {
  const AbortSignal signal = call.signal();
  if (!signal.aborted()) {
    const auto seconds = std::chrono::ceil<std::chrono::seconds>(options_.request_deadline).count();
    fire(call, AbortReason::deadline, fmt::format("the request's time of {} s ran out", seconds));
    return;
  }
  // An abort that came together with the deadline: it has set its own time.
  if (Clock::now() < signal.aborted_at() + options_.abort_warning) return;
  if (!call.mark_overdue()) return;
  ++counters_->abort_warnings;
  warn(call);
}

void CallTable::warn(Call& call) {
  spdlog::warn("{} session={} request={}", abort_warning_text(call.tool()), loggable(call.key().session),
               loggable(call.key().id));
  if (!on_overdue) return;
  try {
    on_overdue(call);
  } catch (const std::exception& error) {
    spdlog::error("telling of an overdue request failed: {}", loggable(error.what()));
  } catch (...) {
    spdlog::error("telling of an overdue request failed");
  }
}

// ---- looking

std::shared_ptr<Call> CallTable::find(const CallKey& key) const {
  const MutexLock lock(mutex_);
  const auto found = live_.find(key);
  return found == live_.end() ? nullptr : found->second->call;
}

std::vector<std::shared_ptr<Call>> CallTable::live() const {
  std::vector<std::shared_ptr<Call>> all;
  const MutexLock lock(mutex_);
  all.reserve(order_.size());
  for (const Live& live : order_) all.push_back(live.call);
  return all;
}

nlohmann::json CallTable::recent() const {
  std::deque<CallRow> recent;
  {
    const MutexLock lock(mutex_);
    recent = recent_;
  }
  auto rows = nlohmann::json::array();
  for (const auto& row : recent) rows.push_back(row_json(row));
  return rows;
}

nlohmann::json CallTable::counters() const {
  long aborting = 0;
  long overdue = 0;
  const auto calls = live();
  for (const auto& call : calls) {
    if (call->state() == CallState::aborting) ++aborting;
    if (call->overdue()) ++overdue;
  }
  std::size_t early = 0;
  {
    const MutexLock lock(mutex_);
    early = early_count_;
  }
  const CallCounters& count = *counters_;
  return {{"registry", calls.size()},
          {"aborting", aborting},
          {"overdue", overdue},
          {"early_cancels", early},
          {"waiters", count.waiters.load()},
          {"listeners", count.listeners.load()},
          {"links", AbortCallback::live()},
          {"requests_total", count.requests.load()},
          {"refused_total", count.refused.load()},
          {"completed_total", count.completed.load()},
          {"error_total", count.error.load()},
          {"aborted_total", count.aborted.load()},
          {"cancels_total", count.cancels.load()},
          {"cancels_ignored_total", count.cancels_ignored.load()},
          {"early_cancels_total", count.early_cancels.load()},
          {"early_cancels_used_total", count.early_cancels_used.load()},
          {"abort_warnings_total", count.abort_warnings.load()},
          {"late_results_total", count.late_results.load()},
          {"invalid_transitions_total", count.invalid_transitions.load()},
          {"listener_errors_total", count.listener_errors.load()}};
}

bool CallTable::wait_idle(const CallContext& ctx) {
  const WaiterCount waiting(counters_->waiters);
  MutexLock lock(mutex_);
  return wait_until(ctx, idle_, lock, [this]() REQUIRES(mutex_) { return order_.empty(); });
}

}  // namespace bridle
