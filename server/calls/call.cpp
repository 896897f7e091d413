#include "server/calls/call.h"

#include <chrono>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/limits.h"
#include "base/text/log.h"

namespace bridle {
std::string_view to_string(CallState state) noexcept {
  switch (state) {
    case CallState::starting:
      return "starting";
    case CallState::running:
      return "running";
    case CallState::aborting:
      return "aborting";
    case CallState::completed:
      return "completed";
    case CallState::error:
      return "error";
    case CallState::aborted:
      return "aborted";
  }
  return "error";
}

bool is_terminal(CallState state) noexcept {
  return state == CallState::completed || state == CallState::error || state == CallState::aborted;
}

// [cancel.warning]: the words are fixed.
std::string abort_warning_text(std::string_view tool) {
  return fmt::format(
      "Tool \"{}\" did not respond to abort signal within 3s. Tools MUST honor ctx.signal for proper cancellation.",
      loggable(tool));
}

nlohmann::json row_json(const CallRow& row) {
  nlohmann::json id = nlohmann::json::parse(row.key.id, nullptr, false);
  if (id.is_discarded()) id = row.key.id;
  nlohmann::json tab = nullptr;
  if (!row.tab.empty()) tab = row.tab;
  return {{"session", row.key.session},
          {"id", std::move(id)},
          {"tool", row.tool},
          {"tab", std::move(tab)},
          {"state", to_string(row.state)},
          {"sinceMs", std::chrono::duration_cast<Millis>(Clock::now() - row.began).count()},
          {"reason", to_string(row.reason)},
          {"overdue", row.overdue}};
}

Call::Call(CallKey key, std::string tool, std::shared_ptr<CallCounters> counters, CallTraits traits)
    : key_(std::move(key)), tool_(std::move(tool)), traits_(std::move(traits)), counters_(std::move(counters)) {}

Call::~Call() = default;

bool Call::start_running() {
  const MutexLock lock(mutex_);
  if (is_terminal(state_)) {
    ++counters_->invalid_transitions;
    return false;
  }
  // No mistake of the caller's: an abort may always come between its look at the signal and this.
  if (signal().aborted()) return false;
  if (std::exchange(state_, CallState::running) != CallState::running) counters_->changes.ring();
  return true;
}

void Call::arm(Timer& timer, Clock::time_point deadline, Millis warning, std::function<void()> look) {
  due_.emplace(timer, std::move(look));
  deadline_ = deadline;
  warning_ = warning;
  due_->set(deadline);
  armed_.emplace(signal(), [this, warning] {
    due_->set(controller_.signal().aborted_at() + warning);
    counters_->changes.ring();
  });
}

// Each of these may have to wait for a callback that runs just now, so no lock is held.
void Call::let_go(CallState final_state) {
  controller_.unlink();
  armed_.reset();
  due_.reset();
  log_end(final_state);
  changed_.notify_all();
}

void Call::publish(CallState final_state) {
  const MutexLock lock(mutex_);
  state_ = final_state;
}

// [cancel.log]: an abort is no failure, so the level is info.
void Call::log_end(CallState state) const {
  const AbortSignal abort = signal();
  if (!abort.aborted()) return;
  const auto took = std::chrono::duration_cast<Millis>(Clock::now() - abort.aborted_at());
  spdlog::info("{}: session={} request={} tool={} reason={}, {} ms from abort to end{}{}", to_string(state),
               loggable(key_.session), loggable(key_.id), loggable(tool_), to_string(abort.reason()), took.count(),
               abort.text().empty() ? "" : ": ", loggable(abort.text(), limits::kCancelReasonLength));
}

void Call::note_late_result() {
  ++counters_->late_results;
  spdlog::info("late result discarded: session={} request={} tool={} reason={}", loggable(key_.session),
               loggable(key_.id), loggable(tool_), to_string(signal().reason()));
}

CallState Call::state() const {
  const MutexLock lock(mutex_);
  if (!is_terminal(state_) && signal().aborted()) return CallState::aborting;
  return state_;
}

bool Call::overdue() const {
  const MutexLock lock(mutex_);
  return overdue_;
}

bool Call::mark_overdue() {
  const MutexLock lock(mutex_);
  const bool before = std::exchange(overdue_, true);
  if (!before) counters_->changes.ring();
  return !before;
}

void Call::set_tab(std::string_view tab) {
  const MutexLock lock(mutex_);
  tab_ = tab;
}

void Call::set_progress(CallProgress progress) {
  const MutexLock lock(mutex_);
  progress_ = std::move(progress);
  counters_->changes.ring();
}

void Call::set_held(bool held) {
  {
    const MutexLock lock(mutex_);
    if (std::exchange(held_, held) == held) return;
    counters_->changes.ring();
  }
  if (held) {
    held_since_ = Clock::now();
  } else {
    held_for_ += Clock::now() - held_since_;
  }
  if (!due_ || deadline_ == Clock::time_point::max()) return;
  due_->set(held ? Clock::time_point::max() : deadline_ + held_for_);
  // An abort that came meanwhile has set its own time.
  if (signal().aborted()) due_->set(signal().aborted_at() + warning_);
}

bool Call::wait_terminal(const CallContext& ctx) {
  const WaiterCount waiting(counters_->waiters);
  MutexLock lock(mutex_);
  return wait_until(ctx, changed_, lock, [this]() REQUIRES(mutex_) { return is_terminal(state_); });
}

std::uint64_t Call::add_listener(Listener listener) {
  std::uint64_t handle = 0;
  {
    const MutexLock lock(mutex_);
    handle = next_handle_++;
    if (!is_terminal(state_)) {
      listeners_.push_back({handle, std::move(listener)});
      ++counters_->listeners;
      return handle;
    }
  }
  call_listener(listener);
  return handle;
}

void Call::remove_listener(std::uint64_t handle) {
  std::list<Entry> removed;  // its captures die outside the lock
  MutexLock lock(mutex_);
  for (auto it = listeners_.begin(); it != listeners_.end(); ++it) {
    if (it->handle != handle) continue;
    removed.splice(removed.begin(), listeners_, it);
    --counters_->listeners;
    lock.unlock();
    return;
  }
  while (calling_ == handle && caller_ != std::this_thread::get_id()) changed_.wait(lock);
}

void Call::tell_listeners() {
  MutexLock lock(mutex_);
  while (!listeners_.empty()) {
    std::list<Entry> one;
    one.splice(one.begin(), listeners_, listeners_.begin());
    calling_ = one.front().handle;
    caller_ = std::this_thread::get_id();
    lock.unlock();
    call_listener(one.front().call);
    one.clear();
    --counters_->listeners;
    lock.lock();
    calling_ = 0;
    changed_.notify_all();
  }
}

void Call::call_listener(const Listener& listener) noexcept {
  try {
    listener(*this);
  } catch (const std::exception& error) {
    ++counters_->listener_errors;
    spdlog::warn("a listener of request {} threw: {}", loggable(key_.id), loggable(error.what()));
  } catch (...) {
    ++counters_->listener_errors;
    spdlog::warn("a listener of request {} threw something that is no std::exception", loggable(key_.id));
  }
}

CallRow Call::snapshot() const {
  const MutexLock lock(mutex_);
  CallRow row{.key = key_,
              .tool = tool_,
              .tab = tab_,
              .state = state_,
              .began = began_,
              .reason = signal().reason(),
              .overdue = overdue_,
              .held = held_,
              .traits = traits_,
              .progress = progress_};
  if (!is_terminal(row.state) && row.reason != AbortReason::none) row.state = CallState::aborting;
  return row;
}

nlohmann::json Call::row() const { return row_json(snapshot()); }

}  // namespace bridle
