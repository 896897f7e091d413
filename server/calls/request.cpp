#include "server/calls/request.h"

#include <chrono>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/limits.h"
#include "base/log.h"
#include "server/calls/abort_registry.h"
#include "server/calls/registry_impl.h"

namespace bridle {
std::string_view to_string(RequestState state) noexcept {
  switch (state) {
    case RequestState::starting:
      return "starting";
    case RequestState::running:
      return "running";
    case RequestState::aborting:
      return "aborting";
    case RequestState::completed:
      return "completed";
    case RequestState::error:
      return "error";
    case RequestState::aborted:
      return "aborted";
  }
  return "error";
}

bool is_terminal(RequestState state) noexcept {
  return state == RequestState::completed || state == RequestState::error || state == RequestState::aborted;
}

// [cancel.warning]: the words are fixed.
std::string abort_warning_text(std::string_view tool) {
  return fmt::format(
      "Tool \"{}\" did not respond to abort signal within 3s. Tools MUST honor ctx.signal for proper cancellation.",
      loggable(tool));
}

nlohmann::json row_json(const RequestRow& row) {
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

Request::Request(AbortRegistry& registry, RequestKey key, std::string tool)
    : key_(std::move(key)), tool_(std::move(tool)), impl_(std::make_unique<Impl>()) {
  impl_->registry = registry.impl_;
  impl_->began = Clock::now();
}

Request::~Request() = default;

bool Request::start_running() {
  const MutexLock lock(impl_->mutex);
  if (is_terminal(impl_->state)) {
    ++impl_->registry->totals.invalid_transitions;
    return false;
  }
  // No mistake of the caller's: an abort may always come between its look at the signal and this.
  if (signal().aborted()) return false;
  impl_->state = RequestState::running;
  return true;
}

RequestState Request::finish(RequestState wanted) {
  const auto registry = impl_->registry;
  RequestState final_state = wanted;
  // Either the abort came first, or from here on none can: exactly one of the two ends happens.
  if (!controller_.seal()) {
    final_state = signal().reason() == AbortReason::deadline ? RequestState::completed : RequestState::aborted;
  } else if (wanted != RequestState::completed && wanted != RequestState::error) {
    ++registry->totals.invalid_transitions;
    final_state = RequestState::error;
  }
  const auto self = registry->retire(*this, final_state);
  if (!self) {
    ++registry->totals.invalid_transitions;
    return state();
  }
  // The state is published. The links to other signals are detached outside every lock, because a callback may be
  // running there right now.
  controller_.unlink();
  impl_->armed.reset();
  log_end(final_state);
  impl_->changed.notify_all();
  registry->tell_idle();
  tell_listeners();
  return final_state;
}

void Request::publish(RequestState final_state) {
  const MutexLock lock(impl_->mutex);
  impl_->state = final_state;
}

// [cancel.log]: an abort is no failure, so the level is info.
void Request::log_end(RequestState state) const {
  const AbortSignal abort = signal();
  if (!abort.aborted()) return;
  const auto took = std::chrono::duration_cast<Millis>(Clock::now() - abort.aborted_at());
  spdlog::info("{}: session={} request={} tool={} reason={}, {} ms from abort to end{}{}", to_string(state),
               loggable(key_.session), loggable(key_.id), loggable(tool_), to_string(abort.reason()), took.count(),
               abort.text().empty() ? "" : ": ", loggable(abort.text(), limits::kCancelReasonLength));
}

void Request::note_late_result() {
  ++impl_->registry->totals.late_results;
  spdlog::info("late result discarded: session={} request={} tool={} reason={}", loggable(key_.session),
               loggable(key_.id), loggable(tool_), to_string(signal().reason()));
}

RequestState Request::state() const {
  const MutexLock lock(impl_->mutex);
  if (!is_terminal(impl_->state) && signal().aborted()) return RequestState::aborting;
  return impl_->state;
}

bool Request::overdue() const {
  const MutexLock lock(impl_->mutex);
  return impl_->overdue;
}

bool Request::mark_overdue() {
  const MutexLock lock(impl_->mutex);
  return !std::exchange(impl_->overdue, true);
}

void Request::set_tab(std::string_view tab) {
  const MutexLock lock(impl_->mutex);
  impl_->tab = tab;
}

bool Request::wait_terminal(const CallContext& ctx) {
  const WaiterCount waiting(impl_->registry->waiters);
  auto& impl = *impl_;
  MutexLock lock(impl.mutex);
  return wait_until(ctx, impl.changed, lock, [&impl]() REQUIRES(impl.mutex) { return is_terminal(impl.state); });
}

std::uint64_t Request::add_listener(Listener listener) {
  std::uint64_t handle = 0;
  {
    const MutexLock lock(impl_->mutex);
    handle = impl_->next_handle++;
    if (!is_terminal(impl_->state)) {
      impl_->listeners.push_back({handle, std::move(listener)});
      ++impl_->registry->listeners;
      return handle;
    }
  }
  call_listener(listener);
  return handle;
}

void Request::remove_listener(std::uint64_t handle) {
  std::list<Impl::Entry> removed;  // its captures die outside the lock
  MutexLock lock(impl_->mutex);
  for (auto it = impl_->listeners.begin(); it != impl_->listeners.end(); ++it) {
    if (it->handle != handle) continue;
    removed.splice(removed.begin(), impl_->listeners, it);
    --impl_->registry->listeners;
    lock.unlock();
    return;
  }
  while (impl_->calling == handle && impl_->caller != std::this_thread::get_id()) impl_->changed.wait(lock);
}

void Request::tell_listeners() {
  MutexLock lock(impl_->mutex);
  while (!impl_->listeners.empty()) {
    std::list<Impl::Entry> one;
    one.splice(one.begin(), impl_->listeners, impl_->listeners.begin());
    impl_->calling = one.front().handle;
    impl_->caller = std::this_thread::get_id();
    lock.unlock();
    call_listener(one.front().call);
    one.clear();
    --impl_->registry->listeners;
    lock.lock();
    impl_->calling = 0;
    impl_->changed.notify_all();
  }
}

void Request::call_listener(const Listener& listener) noexcept {
  try {
    listener(*this);
  } catch (const std::exception& error) {
    ++impl_->registry->totals.listener_errors;
    spdlog::warn("a listener of request {} threw: {}", loggable(key_.id), loggable(error.what()));
  } catch (...) {
    ++impl_->registry->totals.listener_errors;
    spdlog::warn("a listener of request {} threw something that is no std::exception", loggable(key_.id));
  }
}

RequestRow Request::snapshot() const {
  const MutexLock lock(impl_->mutex);
  RequestRow row{.key = key_,
                 .tool = tool_,
                 .tab = impl_->tab,
                 .state = impl_->state,
                 .began = impl_->began,
                 .reason = signal().reason(),
                 .overdue = impl_->overdue};
  if (!is_terminal(row.state) && row.reason != AbortReason::none) row.state = RequestState::aborting;
  return row;
}

nlohmann::json Request::row() const { return row_json(snapshot()); }

RequestEntry::RequestEntry(AbortRegistry* registry, std::shared_ptr<Request> request)
    : registry_(registry), request_(std::move(request)) {}

RequestEntry::RequestEntry(RequestEntry&& other) noexcept
    : registry_(std::exchange(other.registry_, nullptr)), request_(std::exchange(other.request_, nullptr)) {}

RequestEntry& RequestEntry::operator=(RequestEntry&& other) noexcept {
  if (this == &other) return *this;
  leave();
  registry_ = std::exchange(other.registry_, nullptr);
  request_ = std::exchange(other.request_, nullptr);
  return *this;
}

RequestEntry::~RequestEntry() { leave(); }

void RequestEntry::leave() noexcept {
  if (!request_) return;
  if (!is_terminal(request_->state())) {
    if (!request_->signal().aborted()) {
      spdlog::error("request {} of session {} ({}) was dropped before it ended", loggable(request_->key().id),
                    loggable(request_->key().session), loggable(request_->tool()));
    }
    request_->finish(RequestState::error);
  }
  request_.reset();
}

}  // namespace bridle
