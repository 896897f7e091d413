#pragma once

#include <algorithm>
#include <chrono>

#include "base/concurrency/deadline.h"
#include "base/concurrency/sync.h"

namespace bridle {

// How often something may happen: a burst at once, then so many a second. Any thread.
class TokenBucket {
 public:
  TokenBucket(double burst, double per_second) : burst_(burst), per_second_(per_second), tokens_(burst) {}

  // False: not now. `now` never goes back.
  bool take(Clock::time_point now = Clock::now()) EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    tokens_ = std::min(burst_, tokens_ + per_second_ * std::chrono::duration<double>(now - filled_).count());
    filled_ = now;
    if (tokens_ < 1) return false;
    tokens_ -= 1;
    return true;
  }

 private:
  const double burst_;
  const double per_second_;
  Mutex mutex_;
  double tokens_ GUARDED_BY(mutex_);
  Clock::time_point filled_ GUARDED_BY(mutex_) = Clock::now();
};

}  // namespace bridle
