#pragma once

#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

#include "tests/support/catch.h"
#include "tests/wire/support/raw_client.h"

// Who else lives on this machine: processes of another user, and a network of one's own. Both take root, so tests ask
// first, and say in words that they look at nothing.
namespace bridle::wire {

inline constexpr uid_t kNobody = 65534;

inline bool can_be_another_user() {
  if (::geteuid() == 0) return true;
  WARN("not root: can't become another user, so this attack is not tried");
  return false;
}

// A process of another user. What its work leaves open stays open until the object ends.
class OtherUser {
 public:
  explicit OtherUser(const std::function<int()>& work, uid_t user = kNobody) {
    int results[2];
    int end[2];
    REQUIRE(::pipe(results) == 0);
    REQUIRE(::pipe(end) == 0);
    child_ = ::fork();
    REQUIRE(child_ >= 0);
    if (child_ == 0) {
      ::close(results[0]);
      ::close(end[1]);
      int result = -1;
      if (::setresgid(user, user, user) == 0 && ::setresuid(user, user, user) == 0) {
        try {
          result = work();
        } catch (...) {
          result = -2;
        }
      }
      [[maybe_unused]] const auto told = ::write(results[1], &result, sizeof result);
      char byte = 0;
      [[maybe_unused]] const auto ended = ::read(end[0], &byte, 1);  // until the parent closes its end
      ::_exit(0);
    }
    ::close(results[1]);
    ::close(end[0]);
    results_ = results[0];
    end_ = end[1];
  }
  ~OtherUser() {
    ::close(end_);
    ::close(results_);
    ::waitpid(child_, nullptr, 0);
  }
  OtherUser(const OtherUser&) = delete;
  OtherUser& operator=(const OtherUser&) = delete;

  // What the work returned; waits for it. Once.
  int result() const {
    int result = -3;
    CHECK(::read(results_, &result, sizeof result) == sizeof result);
    return result;
  }

 private:
  pid_t child_ = -1;
  int results_ = -1;
  int end_ = -1;
};

// For the work of an OtherUser: opens so many connections, the last of which the server refuses, and leaves them open.
// How many were not refused.
inline int hold_connections(int port, int count) {
  auto* const held = new std::vector<RawClient>();
  for (int i = 0; i < count; ++i) held->emplace_back(port);
  pollfd last{held->back().fd(), POLLIN, 0};
  ::poll(&last, 1, static_cast<int>(kPatience.count()));  // they are answered in their order
  int open = 0;
  for (auto& client : *held) {
    pollfd poller{client.fd(), POLLIN, 0};
    if (::poll(&poller, 1, 0) == 0) ++open;
  }
  return open;
}

// Runs `work` in a thread with a network of its own, whose loopback has IPv4 only. False, with a word, where that can't
// be had. No assertions in there.
inline bool without_ipv6(const std::function<void()>& work) {
  if (::geteuid() != 0) {
    WARN("not root: can't have a network of its own, so a machine without IPv6 is not tried");
    return false;
  }
  bool ready = false;
  std::thread([&] {
    if (::unshare(CLONE_NEWNET) != 0) return;
    const int setting = ::open("/proc/sys/net/ipv6/conf/all/disable_ipv6", O_WRONLY | O_CLOEXEC);
    if (setting >= 0) {
      const bool written = ::write(setting, "1", 1) == 1;
      ::close(setting);
      if (!written) return;
    }
    const int fd = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    ifreq lo{};
    std::strcpy(lo.ifr_name, "lo");
    lo.ifr_flags = IFF_UP | IFF_RUNNING;
    ready = ::ioctl(fd, SIOCSIFFLAGS, &lo) == 0;
    ::close(fd);
    if (ready) work();
  }).join();
  if (!ready) WARN("the system gives no network of its own, so a machine without IPv6 is not tried");
  return ready;
}

}  // namespace bridle::wire
