#include <atomic>
#include <latch>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <vector>

#include "base/concurrency/timed_job.h"
#include "base/concurrency/timer.h"
#include "tests/support/catch.h"
#include "tests/unit/support/concurrency_support.h"

using namespace bridle;
using namespace std::chrono_literals;
using bridle::testing::eventually;
using bridle::testing::LogCapture;
using bridle::testing::Thread;

TEST_CASE("timer: entries are called once, in the order of their times, never early", "[timer]") {
  Timer timer;
  std::mutex mutex;
  std::vector<int> order;
  std::atomic<int> early{0};
  const auto now = Clock::now();
  const auto make = [&](int number, Clock::time_point when) {
    return std::make_unique<Timer::Entry>(timer, [&, number, when] {
      if (Clock::now() < when) ++early;
      const std::lock_guard lock(mutex);
      order.push_back(number);
    });
  };
  const auto third = make(3, now + 30ms);
  const auto first = make(1, now + 10ms);
  const auto second = make(2, now + 20ms);
  const auto never = make(4, Clock::time_point::max());
  third->set(now + 30ms);
  first->set(now + 10ms);
  second->set(now + 20ms);
  never->set(Clock::time_point::max());
  CHECK(timer.pending() <= 3);
  CHECK(eventually([&] {
    const std::lock_guard lock(mutex);
    return order.size() == 3;
  }));
  CHECK(order == std::vector<int>{1, 2, 3});
  CHECK(early == 0);
  CHECK(timer.pending() == 0);
}

TEST_CASE("timer: setting replaces, setting by keeps what is earlier", "[timer]") {
  Timer timer;
  std::atomic<int> calls{0};
  Timer::Entry entry(timer, [&] { ++calls; });
  entry.set(Clock::now() + 1h);
  entry.set_by(Clock::now() + 2h);
  CHECK(timer.pending() == 1);
  entry.set_by(Clock::now());
  CHECK(eventually([&] { return calls == 1; }));
  entry.set_by(Clock::now());
  CHECK(eventually([&] { return calls == 2; }));
  entry.set(Clock::now() + 1h);
  entry.set(Clock::now() + 2h);
  CHECK(timer.pending() == 1);
  entry.set(Clock::time_point::max());
  CHECK(timer.pending() == 0);
  CHECK(calls == 2);
}

TEST_CASE("timer: a callback may set its own entry again", "[timer]") {
  Timer timer;
  std::atomic<int> calls{0};
  std::optional<Timer::Entry> entry;
  entry.emplace(timer, [&] {
    if (++calls < 5) entry->set(Clock::now());
  });
  entry->set(Clock::now());
  CHECK(eventually([&] { return calls == 5; }));
  entry.reset();
  CHECK(timer.pending() == 0);
}

TEST_CASE("timer: an entry dropped inside its callback keeps the captures until the callback returns", "[timer]") {
  Timer timer;
  const auto held = std::make_shared<std::atomic<int>>(0);
  std::atomic<bool> returned{false};
  std::unique_ptr<Timer::Entry> entry;
  std::latch ready(1);
  entry = std::make_unique<Timer::Entry>(timer, [&, held] {
    ready.wait();
    entry.reset();
    ++*held;
    returned = true;
  });
  entry->set(Clock::now());
  ready.count_down();
  CHECK(eventually([&] { return returned.load(); }));
  CHECK(*held == 1);
  CHECK(eventually([&] { return held.use_count() == 1; }));
}

TEST_CASE("timer: dropping an entry elsewhere waits for a callback that runs", "[timer]") {
  Timer timer;
  std::latch inside(1);
  std::latch leave(1);
  std::atomic<bool> ended{false};
  auto entry = std::make_unique<Timer::Entry>(timer, [&] {
    inside.count_down();
    leave.wait();
    ended = true;
  });
  entry->set(Clock::now());
  inside.wait();
  const Thread release([&] { leave.count_down(); });
  entry.reset();
  CHECK(ended);
}

TEST_CASE("timer: a cancelled entry is never called, whatever is set later", "[timer]") {
  Timer timer;
  std::atomic<int> calls{0};
  Timer::Entry entry(timer, [&] { ++calls; });
  entry.set(Clock::now() + 1h);
  entry.cancel();
  entry.set(Clock::now());
  CHECK(timer.pending() == 0);
  std::atomic<bool> later{false};
  Timer::Entry other(timer, [&] { later = true; });
  other.set(Clock::now());
  CHECK(eventually([&] { return later.load(); }));
  CHECK(calls == 0);
}

TEST_CASE("timer: a callback that throws is logged, and the next one is called", "[timer]") {
  const LogCapture log;
  Timer timer;
  std::atomic<bool> later{false};
  Timer::Entry bad(timer, [] { throw std::runtime_error("boom"); });
  Timer::Entry odd(timer, [] { throw 42; });
  Timer::Entry good(timer, [&] { later = true; });
  const auto now = Clock::now();
  bad.set(now);
  odd.set(now + 1ms);
  good.set(now + 2ms);
  CHECK(eventually([&] { return later.load(); }));
  CHECK(log.with("boom").size() == 1);
  CHECK(log.with("no std::exception").size() == 1);
}

TEST_CASE("timer: set, cancelled and destroyed by many threads at once", "[timer]") {
  Timer timer;
  std::atomic<long> calls{0};
  {
    std::vector<Thread> threads;
    for (int t = 0; t < 8; ++t) {
      threads.emplace_back([&] {
        for (int i = 0; i < 300; ++i) {
          Timer::Entry entry(timer, [&] { ++calls; });
          entry.set(Clock::now() + std::chrono::microseconds(i % 50));
          entry.set_by(Clock::now());
          if (i % 3 == 0) std::this_thread::yield();
        }
      });
    }
  }
  CHECK(timer.pending() == 0);
}

TEST_CASE("timed job: runs on a thread of the pool, never twice at once, and once more when it was due meanwhile",
          "[timer]") {
  Background background;
  std::atomic<int> inside{0};
  std::atomic<int> most{0};
  std::atomic<int> runs{0};
  std::latch first(1);
  std::latch leave(1);
  TimedJob job(background, [&] {
    most = std::max(most.load(), ++inside);
    if (++runs == 1) {
      first.count_down();
      leave.wait();
    }
    --inside;
  });
  job.set(Clock::now());
  first.wait();
  job.set(Clock::now());
  CHECK(eventually([&] { return background.timer.pending() == 0; }));
  leave.count_down();
  CHECK(eventually([&] { return runs == 2; }));
  CHECK(most == 1);
}

TEST_CASE("timed job: stop waits for a run, and nothing runs afterwards", "[timer]") {
  Background background;
  std::latch inside(1);
  std::latch leave(1);
  std::atomic<int> ended{0};
  TimedJob job(background, [&] {
    inside.count_down();
    leave.wait();
    ++ended;
  });
  job.set(Clock::now());
  inside.wait();
  const Thread release([&] { leave.count_down(); });
  job.stop();
  CHECK(ended == 1);
  job.set(Clock::now());
  job.stop();
  CHECK(background.timer.pending() == 0);
  CHECK(ended == 1);
}
