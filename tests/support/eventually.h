#pragma once

#include <poll.h>

#include <chrono>
#include <functional>

#include "base/concurrency/deadline.h"

namespace bridle::testing {

// For conditions that nothing announces: looks again each millisecond until `holds()`; false when it hasn't within
// `patience`, a bound for what takes milliseconds (a loaded machine takes longer).
inline bool eventually(const std::function<bool()>& holds, Millis patience = std::chrono::seconds(20)) {
  const auto until = Deadline::after(patience);
  while (!holds()) {
    if (until.expired()) return false;
    ::poll(nullptr, 0, 1);
  }
  return true;
}

}  // namespace bridle::testing
