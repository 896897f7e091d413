#include <atomic>
#include <barrier>
#include <chrono>

#include "base/concurrency/call_context.h"
#include "tests/support/catch.h"
#include "tests/support/stopwatch.h"
#include "tests/unit/support/concurrency_support.h"

using namespace bridle;
using namespace std::chrono_literals;
using bridle::testing::Stopwatch;
using bridle::testing::Thread;

namespace {

constexpr auto kGenerous = 10s;  // a wake-up takes microseconds; a loaded machine may take longer

// What a wait in these tests waits for.
struct Gate {
  Mutex mutex;
  CondVar changed;
  bool open GUARDED_BY(mutex) = false;
  std::atomic<int> looks{0};  // how often a waiter looked: at least once means that it is in the wait

  bool wait(const CallContext& ctx) {
    MutexLock lock(mutex);
    return wait_until(ctx, changed, lock, [this]() REQUIRES(mutex) {
      ++looks;
      return open;
    });
  }
  void set() {
    const MutexLock lock(mutex);
    open = true;
    changed.notify_all();
  }
  void await_waiter() {
    REQUIRE(testing::eventually([this] { return looks > 0; }));
    // Having looked, it holds the lock until it waits.
    const MutexLock lock(mutex);
  }
};

class CountingSink : public ProgressSink {
 public:
  void report(double, double, std::string_view) override {}
};

}  // namespace

TEST_CASE("an abort wakes a wait without a deadline", "[call_context] [cancel.one-signal]") {
  AbortController controller;
  Gate gate;
  const Stopwatch began;
  std::atomic<AbortReason> seen{AbortReason::none};
  {
    const Thread waiter([&] {
      try {
        gate.wait({.signal = controller.signal()});
      } catch (const Aborted& aborted) {
        seen = aborted.reason();
      }
    });
    gate.await_waiter();
    controller.abort(AbortReason::client_cancelled);
  }
  CHECK(seen == AbortReason::client_cancelled);
  CHECK(began.waited() < kGenerous);
}

TEST_CASE("an abort wakes a wait long before its deadline", "[call_context] [cancel.one-signal]") {
  AbortController controller;
  Gate gate;
  const Stopwatch began;
  std::atomic<bool> threw{false};
  {
    const Thread waiter([&] {
      try {
        gate.wait({.signal = controller.signal(), .deadline = Deadline::after(1h)});
      } catch (const Aborted&) {
        threw = true;
      }
    });
    gate.await_waiter();
    controller.abort(AbortReason::client_cancelled);
  }
  CHECK(threw);
  CHECK(began.waited() < kGenerous);
}

TEST_CASE("no abort is lost, wherever in the wait it comes", "[call_context] [cancel.one-signal]") {
  int threw = 0;
  for (int round = 0; round < 1000; ++round) {
    AbortController controller;
    Gate gate;
    std::barrier start(2);
    const Thread aborter([&] {
      start.arrive_and_wait();
      controller.abort(AbortReason::client_cancelled);
    });
    start.arrive_and_wait();
    const bool timed = round % 2 == 0;
    try {
      gate.wait({.signal = controller.signal(), .deadline = timed ? Deadline::after(1h) : Deadline::none()});
    } catch (const Aborted&) {
      ++threw;
    }
  }
  CHECK(threw == 1000);
}

TEST_CASE("a wait ends at its deadline with what ready says", "[call_context]") {
  Gate gate;
  CHECK_FALSE(gate.wait({.deadline = Deadline::after(5ms)}));
  CHECK_FALSE(gate.wait({.deadline = Deadline::after(0ms)}));
  CHECK_FALSE(gate.wait({.deadline = Deadline::after(Millis::min())}));
  gate.set();
  CHECK(gate.wait({.deadline = Deadline::after(0ms)}));
}

TEST_CASE("a wait ends when it is ready", "[call_context]") {
  for (const Deadline deadline : {Deadline::none(), Deadline::after(1h)}) {
    Gate gate;
    AbortController controller;
    const Thread setter([&gate] {
      if (testing::eventually([&gate] { return gate.looks > 0; })) gate.set();
    });
    CHECK(gate.wait({.signal = controller.signal(), .deadline = deadline}));
  }
}

TEST_CASE("the abort wins over what is ready at the same moment", "[call_context] [cancel.states.abort-decides]") {
  AbortController controller;
  controller.abort(AbortReason::deadline);
  Gate gate;
  gate.set();
  CHECK_THROWS_AS(gate.wait({.signal = controller.signal()}), Aborted);
  CHECK_THROWS_AS(gate.wait({.signal = controller.signal(), .deadline = Deadline::after(1h)}), Aborted);
}

TEST_CASE("within() bounds the deadline and never extends it", "[call_context]") {
  AbortController controller;
  CountingSink sink;
  const CallContext parent{.signal = controller.signal(), .deadline = Deadline::after(1s), .progress = &sink};
  CHECK(parent.within(1h).deadline.when() == parent.deadline.when());
  CHECK(parent.within(1ms).deadline.when() < parent.deadline.when());
  CHECK(parent.within(Millis::max()).deadline.when() == parent.deadline.when());
  CHECK(parent.within(1ms).progress == &sink);
  controller.abort(AbortReason::shutdown);
  CHECK(parent.within(1ms).signal.aborted());
}

TEST_CASE("shielded() is deaf to the abort and bounded by its own span", "[call_context] [cancel.browser]") {
  AbortController controller;
  const CallContext parent{.signal = controller.signal(), .deadline = Deadline::at(Clock::now() - 1s)};
  controller.abort(AbortReason::client_cancelled);
  const CallContext cleanup = parent.shielded(1s);
  CHECK_FALSE(cleanup.signal.aborted());
  CHECK_FALSE(cleanup.deadline.expired());
  CHECK(cleanup.deadline.remaining() <= 1s);
  CHECK(cleanup.progress == nullptr);
}
