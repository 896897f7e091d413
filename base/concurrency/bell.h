#pragma once

#include <cstdint>

#include "base/concurrency/call_context.h"
#include "base/concurrency/sync.h"

namespace bridle {

// Rings when something has changed, for those who then look at what it is. Any thread; its lock is a leaf.
class Bell {
 public:
  void ring() {
    {
      const MutexLock lock(mutex_);
      ++rung_;
    }
    changed_.notify_all();
  }
  std::uint64_t count() const {
    const MutexLock lock(mutex_);
    return rung_;
  }
  // Waits until it has rung more often than `seen`; false at ctx's deadline. Throws Aborted.
  bool wait(const CallContext& ctx, std::uint64_t seen) const {
    MutexLock lock(mutex_);
    return wait_until(ctx, changed_, lock, [&]() REQUIRES(mutex_) { return rung_ != seen; });
  }

 private:
  mutable Mutex mutex_;
  mutable CondVar changed_;
  std::uint64_t rung_ GUARDED_BY(mutex_) = 0;
};

}  // namespace bridle
