#pragma once

#include <string_view>

#include "base/concurrency/abort.h"
#include "base/concurrency/deadline.h"
#include "base/concurrency/sync.h"

namespace bridle {

// Where a running tool reports how far it is. `progress` must rise from call to call; a falling value is dropped.
// Implementations may be called from any thread and never block on the peer.
class ProgressSink {
 public:
  virtual ~ProgressSink() = default;
  // total < 0: unknown.
  virtual void report(double progress, double total, std::string_view message) = 0;
};

// The first parameter of everything that can wait. Copied freely; the sink outlives the request.
struct CallContext {
  AbortSignal signal{};
  Deadline deadline = Deadline::none();
  ProgressSink* progress = nullptr;

  // The same, bounded to `span` from now. A child's deadline never exceeds its parent's.
  CallContext within(Millis span) const { return by(Deadline::after(span)); }
  // The same, bounded to a point in time.
  CallContext by(Deadline end) const {
    CallContext child = *this;
    child.deadline = deadline.earlier(end);
    return child;
  }
  // The same without the signal, bounded to `span`: only for clean-up after an abort [cancel.browser].
  CallContext shielded(Millis span) const {
    CallContext child;
    child.deadline = Deadline::after(span);
    return child;
  }
};

// Waits on `cv` until `ready()` (called with the lock held), the deadline or the abort. Returns ready()'s last
// answer; throws Aborted when the signal fired, even if it became ready at the same moment.
template <typename Ready>
bool wait_until(const CallContext& ctx, CondVar& cv, MutexLock& lock, Ready ready) {
  bool is_ready;
  if (ctx.deadline.is_none()) {
    is_ready = cv.wait(lock, ctx.signal.token(), ready);
  } else {
    is_ready = cv.wait_until(lock, ctx.signal.token(), ctx.deadline.when(), ready);
  }
  ctx.signal.throw_if_aborted();
  return is_ready;
}

}  // namespace bridle
