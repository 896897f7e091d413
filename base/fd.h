#pragma once

#include <unistd.h>

#include <utility>

namespace bridle {

// Owns a file descriptor; -1: none.
class Fd {
 public:
  Fd() = default;
  explicit Fd(int fd) : fd_(fd) {}
  Fd(Fd&& other) noexcept : fd_(other.release()) {}
  Fd& operator=(Fd&& other) noexcept {
    if (this != &other) reset(other.release());
    return *this;
  }
  ~Fd() { reset(); }

  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }
  // Gives the descriptor away unclosed.
  [[nodiscard]] int release() { return std::exchange(fd_, -1); }
  // Closes what it owned and takes `fd`.
  void reset(int fd = -1) {
    if (const int old = std::exchange(fd_, fd); old >= 0) ::close(old);
  }

 private:
  int fd_ = -1;
};

}  // namespace bridle
