#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <optional>
#include <thread>

#include "base/concurrency/deadline.h"
#include "base/concurrency/sync.h"
#include "server/http/peer_watcher.h"
#include "tests/support/catch.h"

using namespace bridle;

namespace {

constexpr Millis kPatience{10'000};

// Two connected stream sockets; `peer` is the one that closes.
struct Pair {
  Pair() {
    int fds[2];
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) == 0);
    own = fds[0];
    peer = fds[1];
  }
  ~Pair() {
    ::close(own);
    close_peer();
  }
  Pair(const Pair&) = delete;
  Pair& operator=(const Pair&) = delete;
  void close_peer() {
    if (peer >= 0) ::close(std::exchange(peer, -1));
  }
  int own;
  int peer;
};

class Occurrence {
 public:
  void set() {
    MutexLock lock(mutex_);
    ++count_;
    changed_.notify_all();
  }
  bool wait(Millis time = kPatience) {
    MutexLock lock(mutex_);
    const auto until = Clock::now() + time;
    while (count_ == 0) {
      if (changed_.wait_until(lock, until) == std::cv_status::timeout) break;
    }
    return count_ > 0;
  }
  int count() {
    MutexLock lock(mutex_);
    return count_;
  }

 private:
  Mutex mutex_;
  CondVar changed_;
  int count_ GUARDED_BY(mutex_) = 0;
};

}  // namespace

TEST_CASE("a close, and a half-close, are told once and from the watcher's thread", "[peer_watcher]") {
  const bool half = GENERATE(false, true);
  PeerWatcher watcher;
  Pair pair;
  const auto watch = watcher.watch(pair.own);
  Occurrence told;
  std::thread::id where;
  const auto handle = watch->on_close([&] {
    where = std::this_thread::get_id();
    told.set();
  });
  CHECK_FALSE(watch->closed());
  CHECK(watcher.registrations() == 1);
  half ? static_cast<void>(::shutdown(pair.peer, SHUT_WR)) : pair.close_peer();
  REQUIRE(told.wait());
  CHECK(where != std::this_thread::get_id());
  CHECK(watch->closed());
  CHECK(told.count() == 1);
}

TEST_CASE("a close behind unread bytes is seen, and reads nothing", "[peer_watcher]") {
  PeerWatcher watcher;
  Pair pair;
  const auto watch = watcher.watch(pair.own);
  Occurrence told;
  const auto handle = watch->on_close([&] { told.set(); });
  REQUIRE(::send(pair.peer, "abc", 3, 0) == 3);
  CHECK_FALSE(watch->closed());
  pair.close_peer();
  REQUIRE(told.wait());
  char bytes[8];
  CHECK(::recv(pair.own, bytes, sizeof bytes, 0) == 3);
}

TEST_CASE("a close before the registration is told inline, every time", "[peer_watcher]") {
  PeerWatcher watcher;
  Pair pair;
  const auto watch = watcher.watch(pair.own);
  pair.close_peer();
  CHECK(watch->closed());
  for (int i = 0; i < 3; ++i) {
    Occurrence told;
    const auto handle = watch->on_close([&] { told.set(); });
    REQUIRE(told.wait());
    CHECK(told.count() == 1);
  }
}

TEST_CASE("a dropped registration never fires; the others do", "[peer_watcher]") {
  PeerWatcher watcher;
  Pair pair;
  const auto watch = watcher.watch(pair.own);
  Occurrence dropped, kept;
  auto first = watch->on_close([&] { dropped.set(); });
  const auto second = watch->on_close([&] { kept.set(); });
  first.reset();
  CHECK(watcher.registrations() == 1);
  pair.close_peer();
  REQUIRE(kept.wait());
  CHECK(dropped.count() == 0);
}

TEST_CASE("dropping a registration waits for its running call", "[peer_watcher]") {
  PeerWatcher watcher;
  Pair pair;
  const auto watch = watcher.watch(pair.own);
  Occurrence entered, leave;
  std::atomic<bool> left{false};
  auto handle = watch->on_close([&] {
    entered.set();
    leave.wait();
    left = true;
  });
  pair.close_peer();
  REQUIRE(entered.wait());
  std::thread release([&] { leave.set(); });
  handle.reset();
  CHECK(left);
  release.join();
}

TEST_CASE("a registration may be dropped inside its own call", "[peer_watcher]") {
  PeerWatcher watcher;
  Pair pair;
  const auto watch = watcher.watch(pair.own);
  Occurrence told, may_drop;
  std::shared_ptr<void> handle;
  handle = watch->on_close([&] {
    may_drop.wait();
    handle.reset();
    told.set();
  });
  pair.close_peer();
  may_drop.set();
  REQUIRE(told.wait());
  CHECK(watcher.registrations() == 0);
}

TEST_CASE("a callback may use the watch, register anew and throw", "[peer_watcher]") {
  PeerWatcher watcher;
  Pair pair, other;
  const auto watch = watcher.watch(pair.own);
  const auto other_watch = watcher.watch(other.own);
  Occurrence inner, after;
  std::atomic<bool> closed{false};
  const auto handle = watch->on_close([&] {
    closed = watch->closed();
    const auto nested = watch->on_close([&] { inner.set(); });
    throw std::runtime_error("not for anybody");
  });
  const auto other_handle = other_watch->on_close([&] { after.set(); });
  pair.close_peer();
  REQUIRE(inner.wait());
  CHECK(closed);
  other.close_peer();
  CHECK(after.wait());  // the watcher's thread lives on
}

TEST_CASE("nothing fires after forget, nor into a descriptor's next life", "[peer_watcher]") {
  PeerWatcher watcher;
  Occurrence told;
  auto pair = std::make_optional<Pair>();
  const int number = pair->own;
  const auto watch = watcher.watch(number);
  const auto handle = watch->on_close([&] { told.set(); });
  watch->forget();
  pair->close_peer();
  pair.reset();
  Pair next;  // takes the same numbers
  Occurrence next_told;
  const auto next_watch = watcher.watch(next.own);
  const auto next_handle = next_watch->on_close([&] { next_told.set(); });
  next.close_peer();
  REQUIRE(next_told.wait());
  CHECK(told.count() == 0);
}

TEST_CASE("watches and registrations outlive the watcher", "[peer_watcher]") {
  Pair pair;
  Occurrence told;
  std::shared_ptr<void> handle;
  std::shared_ptr<PeerWatcher::Watch> watch;
  {
    PeerWatcher watcher;
    watch = watcher.watch(pair.own);
    handle = watch->on_close([&] { told.set(); });
  }
  pair.close_peer();
  CHECK(watch->closed());
  handle.reset();
  CHECK(told.count() == 0);
}

TEST_CASE("closes, registrations and drops race without harm", "[peer_watcher]") {
  PeerWatcher watcher;
  std::atomic<int> calls{0};
  for (int round = 0; round < 200; ++round) {
    Pair pair;
    const auto watch = watcher.watch(pair.own);
    std::thread closer([&] { pair.close_peer(); });
    std::atomic<int> own{0};
    {
      const auto first = watch->on_close([&] { ++own; });
      auto second = watch->on_close([&] { ++own; });
      second.reset();
      Occurrence told;
      const auto third = watch->on_close([&] { told.set(); });
      REQUIRE(told.wait());
    }
    CHECK(own <= 2);
    calls += own;
    watch->forget();
    closer.join();
  }
  CHECK(calls >= 0);
  CHECK(watcher.registrations() == 0);
}
