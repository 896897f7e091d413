#include "base/concurrency/abort.h"

#include <stdexcept>
#include <utility>

namespace bridle {
namespace {
std::atomic<long> live_callbacks{0};
}

std::string_view to_string(AbortReason reason) noexcept {
  switch (reason) {
    case AbortReason::none:
      return "none";
    case AbortReason::client_cancelled:
      return "client_cancelled";
    case AbortReason::client_gone:
      return "client_gone";
    case AbortReason::session_closed:
      return "session_closed";
    case AbortReason::deadline:
      return "deadline";
    case AbortReason::stopped_by_user:
      return "stopped_by_user";
    case AbortReason::shutdown:
      return "shutdown";
  }
  return "none";
}

AbortCallback::Counted::Counted() noexcept { live_callbacks.fetch_add(1, std::memory_order_relaxed); }
AbortCallback::Counted::~Counted() { live_callbacks.fetch_sub(1, std::memory_order_relaxed); }

AbortCallback::AbortCallback(const AbortSignal& signal, std::function<void()> callback)
    : callback_(signal.token(), Invoke{std::move(callback)}) {}

AbortCallback::~AbortCallback() = default;

long AbortCallback::live() noexcept { return live_callbacks.load(std::memory_order_relaxed); }

AbortController::AbortController(const AbortSignal& parent) : AbortController() { link(parent); }

bool AbortController::abort(AbortReason reason, std::string text) noexcept {
  // A copy of the pointer: a callback may destroy this controller.
  const auto state = state_;
  return abort(*state, reason, std::move(text));
}

bool AbortController::abort(detail::AbortState& state, AbortReason reason, std::string text) noexcept {
  {
    const MutexLock lock(state.mutex);
    if (state.sealed || state.published.load(std::memory_order_relaxed)) return false;
    state.reason = reason;
    state.text = std::move(text);
    state.at = std::chrono::steady_clock::now();
    state.published.store(true, std::memory_order_release);
  }
  state.stop.request_stop();
  return true;
}

bool AbortController::seal() noexcept {
  const MutexLock lock(state_->mutex);
  if (state_->published.load(std::memory_order_relaxed)) return false;
  state_->sealed = true;
  return true;
}

void AbortController::link(const AbortSignal& parent) {
  for (auto& slot : links_) {
    if (slot) continue;
    // The callback owns the child's state and the parent's signal, never `this`.
    slot.emplace(parent, [child = state_, parent] { abort(*child, parent.reason(), parent.text()); });
    // Published, though its token may not have stopped yet: who links to an aborted parent is aborted on return.
    if (parent.aborted()) abort(*state_, parent.reason(), parent.text());
    return;
  }
  throw std::logic_error("AbortController: more than three parents");
}

void AbortController::unlink() noexcept {
  for (auto& slot : links_) slot.reset();
}

}  // namespace bridle
