#pragma once

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
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

// Lets this process, and those that it starts from now on, open as many descriptors as the system grants: a shell
// grants 1,024 until somebody asks for more, and each connection takes one.
inline void raise_file_limit() {
  constexpr rlim_t kMost = 65'536;  // some systems grant a billion, over which some programs loop
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= kMost) return;
  limit.rlim_cur = std::min(limit.rlim_max, kMost);
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace bridle
