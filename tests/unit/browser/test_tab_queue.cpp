#include <atomic>
#include <stdexcept>

#include "base/limits.h"
#include "browser/tab/queue.h"
#include "tests/support/catch.h"
#include "tests/support/stopwatch.h"
#include "tests/unit/support/concurrency_support.h"

using namespace bridle;
using namespace std::chrono_literals;
using bridle::testing::eventually;
using bridle::testing::Stopwatch;
using bridle::testing::Thread;

TEST_CASE("a free tab is taken at once, and given back", "[tab_queue]") {
  TabQueue queue;
  {
    const auto turn = queue.acquire({}, "browser_click");
    CHECK(turn);
    CHECK(queue.waiting() == 0);
  }
  CHECK(queue.acquire(CallContext{}.within(0ms), "browser_click"));
}

TEST_CASE("calls run one at a time, in the order they came", "[tab_queue]") {
  TabQueue queue;
  std::vector<int> order;  // guarded by the turn: that is what is tested
  std::atomic<int> inside{0};
  std::atomic<bool> overlapped{false};
  auto first = queue.acquire({}, "first");
  std::vector<Thread> callers;
  for (int i = 0; i < 8; ++i) {
    callers.emplace_back([&, i] {
      const auto turn = queue.acquire({}, "caller");
      if (++inside != 1) overlapped = true;
      order.push_back(i);
      --inside;
    });
    REQUIRE(eventually([&] { return queue.waiting() == static_cast<std::size_t>(i) + 1; }));
  }
  first = TabQueue::Turn();
  callers.clear();
  CHECK_FALSE(overlapped);
  CHECK(order == std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7});
  CHECK(queue.waiting() == 0);
}

TEST_CASE("an aborted call leaves the queue and never starts; the others move up",
          "[tab_queue] [cancel.browser.queued]") {
  TabQueue queue;
  const auto gauge = TabQueue::queued();
  auto first = queue.acquire({}, "first");
  AbortController controller;
  std::atomic<bool> aborted{false};
  std::atomic<bool> started{false};
  std::atomic<bool> last_ran{false};
  Thread middle([&] {
    CallContext ctx;
    ctx.signal = controller.signal();
    try {
      const auto turn = queue.acquire(ctx, "middle");
      started = true;
    } catch (const Aborted&) {
      aborted = true;
    }
  });
  REQUIRE(eventually([&] { return queue.waiting() == 1; }));
  Thread last([&] {
    const auto turn = queue.acquire({}, "last");
    last_ran = true;
  });
  REQUIRE(eventually([&] { return queue.waiting() == 2; }));
  CHECK(TabQueue::queued() == gauge + 2);
  controller.abort(AbortReason::client_cancelled);
  REQUIRE(eventually([&] { return aborted.load(); }));
  CHECK(queue.waiting() == 1);
  CHECK_FALSE(last_ran);
  first = TabQueue::Turn();
  REQUIRE(eventually([&] { return last_ran.load(); }));
  CHECK_FALSE(started);
  last.join();
  middle.join();
  CHECK(TabQueue::queued() == gauge);
}

TEST_CASE("an abort that came before finds no place in the queue", "[tab_queue]") {
  TabQueue queue;
  AbortController controller;
  controller.abort(AbortReason::client_cancelled);
  CallContext ctx;
  ctx.signal = controller.signal();
  CHECK_THROWS_AS(queue.acquire(ctx, "late"), Aborted);
  CHECK(queue.acquire({}, "next"));
}

TEST_CASE("the deadline ends the wait with no turn", "[tab_queue]") {
  TabQueue queue;
  const auto first = queue.acquire({}, "first");
  CHECK_FALSE(queue.acquire(CallContext{}.within(10ms), "second"));
  CHECK(queue.waiting() == 0);
}

TEST_CASE("16 wait, the 17th is refused at once and told what keeps the tab busy", "[tab_queue] [cancel.queue]") {
  TabQueue queue;
  auto first = queue.acquire({}, "browser_navigate");
  std::atomic<int> ran{0};
  std::vector<Thread> callers;
  for (std::size_t i = 0; i < limits::kTabQueue; ++i) {
    callers.emplace_back([&] {
      const auto turn = queue.acquire({}, "waiting");
      ++ran;
    });
  }
  REQUIRE(eventually([&] { return queue.waiting() == limits::kTabQueue; }));
  CHECK(limits::kTabQueue == 16);
  const Stopwatch began;
  try {
    queue.acquire({}, "one too many");
    FAIL("it was let in");
  } catch (const TabQueue::Full& full) {
    CHECK(full.busy_with() == "browser_navigate");
  }
  CHECK(began.waited() < 5s);
  CHECK(queue.waiting() == limits::kTabQueue);
  first = TabQueue::Turn();
  callers.clear();
  CHECK(ran == 16);
}

TEST_CASE("a turn is given back when its call throws", "[tab_queue]") {
  TabQueue queue;
  try {
    const auto turn = queue.acquire({}, "throws");
    throw std::runtime_error("unexpected");
  } catch (const std::runtime_error&) {
  }
  CHECK(queue.acquire(CallContext{}.within(0ms), "next"));
}

TEST_CASE("a turn moves: its last owner gives it back, once", "[tab_queue]") {
  TabQueue queue;
  TabQueue other;
  auto turn = queue.acquire({}, "first");
  auto moved = std::move(turn);
  CHECK_FALSE(turn);
  CHECK(moved);
  CHECK_FALSE(queue.acquire(CallContext{}.within(0ms), "second"));
  moved = other.acquire({}, "elsewhere");  // gives the first one back
  CHECK(queue.acquire(CallContext{}.within(0ms), "third"));
}

TEST_CASE("aborts racing with the turn: each call either ran or was aborted, and the queue is free", "[tab_queue]") {
  TabQueue queue;
  const auto gauge = TabQueue::queued();
  std::atomic<int> ran{0};
  std::atomic<int> aborted{0};
  for (int round = 0; round < 100; ++round) {
    AbortController controllers[4];
    auto first = queue.acquire({}, "first");
    std::vector<Thread> callers;
    for (auto& controller : controllers) {
      callers.emplace_back([&] {
        CallContext ctx;
        ctx.signal = controller.signal();
        try {
          const auto turn = queue.acquire(ctx, "caller");
          ++ran;
        } catch (const Aborted&) {
          ++aborted;
        }
      });
    }
    callers.emplace_back([&] {
      for (auto& controller : controllers) controller.abort(AbortReason::client_cancelled);
    });
    first = TabQueue::Turn();
  }
  CHECK(ran + aborted == 400);
  CHECK(queue.waiting() == 0);
  CHECK(TabQueue::queued() == gauge);
  CHECK(queue.acquire(CallContext{}.within(0ms), "next"));
}
