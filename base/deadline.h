#pragma once

#include <algorithm>
#include <chrono>

namespace bridle {

using Clock = std::chrono::steady_clock;
using Millis = std::chrono::milliseconds;

// A point in time by which work must be over; none() means never. A child's deadline never exceeds its parent's:
// combine with earlier(). A value type.
class Deadline {
 public:
  static Deadline none() { return Deadline(Clock::time_point::max()); }
  static Deadline at(Clock::time_point when) { return Deadline(when); }
  static Deadline after(Millis span) {
    const auto now = Clock::now();
    return span >= Clock::time_point::max() - now ? none() : Deadline(now + span);
  }

  Deadline earlier(Deadline other) const { return Deadline(std::min(when_, other.when_)); }
  bool is_none() const { return when_ == Clock::time_point::max(); }
  bool expired() const { return !is_none() && Clock::now() >= when_; }
  // Never negative; Millis::max() when there is none.
  Millis remaining() const {
    if (is_none()) return Millis::max();
    return std::max(Millis(0), std::chrono::ceil<Millis>(when_ - Clock::now()));
  }
  Clock::time_point when() const { return when_; }

 private:
  explicit Deadline(Clock::time_point when) : when_(when) {}
  Clock::time_point when_;
};

}  // namespace bridle
