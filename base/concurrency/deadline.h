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
  // A span that is zero or negative has expired already; one beyond the clock's range never does.
  static Deadline after(Millis span) {
    const auto now = Clock::now();
    // Compared in ms: the clock counts ns, and Millis::max() in ns overflows.
    if (span >= std::chrono::floor<Millis>(Clock::time_point::max() - now)) return none();
    return Deadline(now + std::max(span, Millis(0)));
  }

  Deadline earlier(Deadline other) const { return Deadline(std::min(when_, other.when_)); }
  // So much later, for time that doesn't count; `span` isn't negative.
  Deadline later(Clock::duration span) const {
    return when_ > Clock::time_point::max() - span ? none() : Deadline(when_ + span);
  }
  bool is_none() const { return when_ == Clock::time_point::max(); }
  bool expired() const { return !is_none() && Clock::now() >= when_; }
  // Rounded up; never negative; Millis::max() when there is none.
  Millis remaining() const {
    if (is_none()) return Millis::max();
    const auto now = Clock::now();
    return when_ <= now ? Millis(0) : std::chrono::ceil<Millis>(when_ - now);
  }
  Clock::time_point when() const { return when_; }

 private:
  explicit Deadline(Clock::time_point when) : when_(when) {}
  Clock::time_point when_;
};

}  // namespace bridle
