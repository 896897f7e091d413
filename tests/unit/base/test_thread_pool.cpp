#include <atomic>
#include <fstream>
#include <latch>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "base/concurrency/thread_pool.h"
#include "base/limits.h"
#include "tests/support/catch.h"
#include "tests/unit/support/concurrency_support.h"

using namespace bridle;
using namespace std::chrono_literals;
using bridle::testing::eventually;
using bridle::testing::LogCapture;
using bridle::testing::Thread;

TEST_CASE("every job runs at once: none waits for another", "[thread_pool]") {
  constexpr int kJobs = 32;
  ThreadPool pool({});
  // Returns only if all of them run at the same time.
  std::latch all(kJobs + 1);
  for (int i = 0; i < kJobs; ++i) REQUIRE(pool.submit([&all] { all.arrive_and_wait(); }));
  all.arrive_and_wait();
  CHECK(pool.threads() <= kJobs);
}

TEST_CASE("the cap is exact: cap-1 and cap are taken, cap+1 is refused, and room comes back", "[thread_pool]") {
  constexpr std::size_t kCap = 4;
  std::latch release(1);
  ThreadPool pool({.cap = kCap});
  for (std::size_t i = 0; i < kCap; ++i) REQUIRE(pool.submit([&release] { release.wait(); }));
  CHECK_FALSE(pool.submit([] {}));
  CHECK(pool.threads() == kCap);
  CHECK(pool.busy() == kCap);
  release.count_down();
  REQUIRE(eventually([&pool] { return pool.busy() == 0; }));
  CHECK(pool.submit([] {}));
}

TEST_CASE("the cap of requests leaves room for threads that wind down, above the requests in flight",
          "[thread_pool] [cancel.limits]") {
  std::latch release(1);
  ThreadPool pool({.cap = limits::kRequestThreads});
  for (std::size_t i = 0; i <= limits::kInFlight; ++i) REQUIRE(pool.submit([&release] { release.wait(); }));
  release.count_down();
}

TEST_CASE("a refused job is dropped with all it holds", "[thread_pool]") {
  std::latch release(1);
  ThreadPool pool({.cap = 1});
  REQUIRE(pool.submit([&release] { release.wait(); }));
  const auto held = std::make_shared<int>(1);
  CHECK_FALSE(pool.submit([held] {}));
  CHECK(held.use_count() == 1);
  release.count_down();
}

TEST_CASE("idle threads are reused", "[thread_pool]") {
  ThreadPool pool({});
  std::mutex mutex;
  std::set<std::thread::id> threads;
  for (int i = 0; i < 200; ++i) {
    REQUIRE(pool.submit([&] {
      const std::lock_guard lock(mutex);
      threads.insert(std::this_thread::get_id());
    }));
    REQUIRE(eventually([&pool] { return pool.busy() == 0; }));
  }
  CHECK(threads.size() == 1);
  CHECK(pool.threads() == 1);
}

TEST_CASE("idle threads end after their time, and the pool goes on", "[thread_pool]") {
  ThreadPool pool({.cap = 8, .idle = 1ms});
  std::latch together(8);
  for (int i = 0; i < 8; ++i) REQUIRE(pool.submit([&together] { together.arrive_and_wait(); }));
  CHECK(eventually([&pool] { return pool.threads() == 0; }));
  std::atomic<bool> ran{false};
  CHECK(pool.submit([&ran] { ran = true; }));
  CHECK(eventually([&ran] { return ran.load(); }));
}

TEST_CASE("a job is handed over or refused while threads end for want of work", "[thread_pool]") {
  std::atomic<int> ran{0};
  int taken = 0;
  {
    ThreadPool pool({.cap = 4, .idle = 0ms});
    for (int i = 0; i < 5000; ++i) {
      if (pool.submit([&ran] { ++ran; })) ++taken;
    }
  }
  CHECK(ran == taken);
  CHECK(taken > 0);
}

TEST_CASE("a job's captures are gone before its thread is idle", "[thread_pool]") {
  ThreadPool pool({});
  auto held = std::make_shared<int>(1);
  const std::weak_ptr<int> watched = held;
  REQUIRE(pool.submit([held = std::move(held)] {}));
  REQUIRE(eventually([&pool] { return pool.busy() == 0; }));
  CHECK(watched.expired());
}

TEST_CASE("a job that throws is logged and harms nobody", "[thread_pool]") {
  const LogCapture log;
  {
    ThreadPool pool({});
    REQUIRE(pool.submit([] { throw std::runtime_error("boom\nforged line"); }));
    REQUIRE(eventually([&pool] { return pool.busy() == 0; }));
    REQUIRE(pool.submit([] { throw 42; }));
    REQUIRE(eventually([&pool] { return pool.busy() == 0; }));
    CHECK(pool.threads() == 1);
  }
  CHECK(log.with("boom\\x0aforged line").size() == 1);
  CHECK(log.with("no std::exception").size() == 1);
}

TEST_CASE("the destructor waits for what runs", "[thread_pool]") {
  std::atomic<int> ended{0};
  {
    ThreadPool pool({});
    std::latch started(4);
    for (int i = 0; i < 4; ++i) {
      REQUIRE(pool.submit([&] {
        started.count_down();
        for (int spin = 0; spin < 1000; ++spin) std::this_thread::yield();
        ++ended;
      }));
    }
    started.wait();
  }
  CHECK(ended == 4);
}

TEST_CASE("jobs may submit; once the pool ends they are refused", "[thread_pool]") {
  std::atomic<int> ran{0};
  std::atomic<bool> refused{false};
  {
    auto pool = std::make_unique<ThreadPool>(ThreadPool::Options{.cap = 8, .idle = 10s});
    ThreadPool* raw = pool.get();
    std::latch inner(1);
    REQUIRE(raw->submit([&, raw] {
      ++ran;
      raw->submit([&] {
        ++ran;
        inner.count_down();
      });
    }));
    inner.wait();
    std::latch started(1);
    REQUIRE(raw->submit([&, raw] {
      started.count_down();
      refused = testing::eventually([raw] { return !raw->submit([] {}); });
    }));
    started.wait();
  }
  CHECK(ran == 2);
  CHECK(refused);
}

TEST_CASE("many threads submit at once: each job runs exactly once", "[thread_pool]") {
  constexpr int kThreads = 8;
  constexpr int kEach = 500;
  std::atomic<int> ran{0};
  std::atomic<int> taken{0};
  {
    ThreadPool pool({.cap = 16, .idle = 1ms});
    std::vector<Thread> submitters;
    for (int t = 0; t < kThreads; ++t) {
      submitters.emplace_back([&] {
        for (int i = 0; i < kEach; ++i) {
          if (pool.submit([&ran] { ++ran; })) ++taken;
        }
      });
    }
  }
  CHECK(ran == taken);
}

TEST_CASE("a pool keeps no more idle threads than it may", "[thread_pool]") {
  ThreadPool pool({.max_idle = 2});
  std::latch together(8);
  for (int i = 0; i < 8; ++i) REQUIRE(pool.submit([&together] { together.arrive_and_wait(); }));
  CHECK(eventually([&pool] { return pool.threads() == 2 && pool.busy() == 0; }));
}

TEST_CASE("a pool's threads bear its name", "[thread_pool]") {
  ThreadPool pool({.name = "bridle-sixteen-and-more"});
  std::string name;
  std::latch done(1);
  REQUIRE(pool.submit([&] {
    std::ifstream("/proc/thread-self/comm") >> name;
    done.count_down();
  }));
  done.wait();
  CHECK(name == "bridle-sixteen-");
}

TEST_CASE("join ends the threads, and refuses what comes later", "[thread_pool]") {
  ThreadPool pool({});
  std::atomic<int> ran{0};
  for (int i = 0; i < 4; ++i) REQUIRE(pool.submit([&ran] { ++ran; }));
  pool.join();
  CHECK(ran == 4);
  CHECK(pool.threads() == 0);
  CHECK_FALSE(pool.submit([] {}));
  pool.join();
}
