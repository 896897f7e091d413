#pragma once

#include "base/fd.h"

namespace bridle {

// An eventfd that ends another thread's poll(2): readable from wake() until drain(). Any thread may call anything.
class WakeFd {
 public:
  // Throws std::system_error when the process has no descriptor left.
  WakeFd();

  int get() const { return fd_.get(); }
  // Neither blocks nor fails, so that an abort's callback may call it.
  void wake() const noexcept;
  void drain() const noexcept;

 private:
  Fd fd_;
};

}  // namespace bridle
