#include <array>
#include <atomic>
#include <barrier>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "base/concurrency/abort.h"
#include "tests/support/catch.h"
#include "tests/unit/support/concurrency_support.h"

using namespace bridle;
using bridle::testing::Thread;

namespace {

constexpr std::array kReasons{AbortReason::client_cancelled, AbortReason::client_gone,     AbortReason::session_closed,
                              AbortReason::deadline,         AbortReason::stopped_by_user, AbortReason::shutdown};

// A request's controller made on the heap, so that a callback can destroy it.
struct Owned {
  std::unique_ptr<AbortController> controller;
};

}  // namespace

TEST_CASE("a signal that nobody owns never aborts", "[abort]") {
  const AbortSignal signal;
  CHECK_FALSE(signal.aborted());
  CHECK(signal.reason() == AbortReason::none);
  CHECK(signal.text().empty());
  CHECK_FALSE(signal.token().stop_possible());
  CHECK_NOTHROW(signal.throw_if_aborted());
  bool called = false;
  {
    const AbortCallback callback(signal, [&called] { called = true; });
  }
  CHECK_FALSE(called);
}

TEST_CASE("every reason has its name", "[abort] [cancel.status.rows]") {
  CHECK(to_string(AbortReason::none) == "none");
  CHECK(to_string(AbortReason::client_cancelled) == "client_cancelled");
  CHECK(to_string(AbortReason::client_gone) == "client_gone");
  CHECK(to_string(AbortReason::session_closed) == "session_closed");
  CHECK(to_string(AbortReason::deadline) == "deadline");
  CHECK(to_string(AbortReason::stopped_by_user) == "stopped_by_user");
  CHECK(to_string(AbortReason::shutdown) == "shutdown");
}

TEST_CASE("an abort carries its reason, its words and its time, and throws as Aborted", "[abort] [cancel.reason]") {
  AbortController controller;
  const AbortSignal signal = controller.signal();
  const auto before = std::chrono::steady_clock::now();
  CHECK(controller.abort(AbortReason::stopped_by_user, "the panel"));
  CHECK(signal.aborted());
  CHECK(signal.reason() == AbortReason::stopped_by_user);
  CHECK(signal.text() == "the panel");
  CHECK(signal.aborted_at() >= before);
  CHECK(signal.token().stop_requested());
  try {
    signal.throw_if_aborted();
    FAIL("no exception");
  } catch (const Aborted& aborted) {
    CHECK(aborted.reason() == AbortReason::stopped_by_user);
  }
}

TEST_CASE("the second abort changes nothing", "[abort] [cancel.reason]") {
  AbortController controller;
  CHECK(controller.abort(AbortReason::client_cancelled, "first"));
  CHECK_FALSE(controller.abort(AbortReason::shutdown, "second"));
  CHECK(controller.signal().reason() == AbortReason::client_cancelled);
  CHECK(controller.signal().text() == "first");
}

TEST_CASE("of 8 racing aborters the first wins, whole: reason and words are of the same one",
          "[abort] [cancel.reason]") {
  constexpr std::size_t kAborters = 8;
  constexpr int kRounds = 1000;
  std::unique_ptr<AbortController> controller;
  std::array<bool, kAborters> won{};
  std::atomic<int> wrong{0};
  std::barrier start(kAborters + 1);
  std::barrier end(kAborters + 1);
  {
    std::vector<Thread> aborters;
    for (std::size_t i = 0; i < kAborters; ++i) {
      aborters.emplace_back([&, i] {
        for (int round = 0; round < kRounds; ++round) {
          start.arrive_and_wait();
          won[i] = controller->abort(kReasons[i % kReasons.size()], "aborter " + std::to_string(i));
          // Whoever lost sees the winner's abort at once.
          if (!controller->signal().aborted()) ++wrong;
          end.arrive_and_wait();
        }
      });
    }
    for (int round = 0; round < kRounds; ++round) {
      controller = std::make_unique<AbortController>();
      start.arrive_and_wait();
      end.arrive_and_wait();
      std::size_t winners = 0;
      std::size_t winner = 0;
      for (std::size_t i = 0; i < kAborters; ++i) {
        if (!won[i]) continue;
        ++winners;
        winner = i;
      }
      const AbortSignal signal = controller->signal();
      if (winners != 1 || signal.reason() != kReasons[winner % kReasons.size()] ||
          signal.text() != "aborter " + std::to_string(winner)) {
        ++wrong;
      }
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("the reason is there when the token stops, for callbacks and for other threads", "[abort] [cancel.reason]") {
  std::atomic<int> wrong{0};
  for (int round = 0; round < 500; ++round) {
    AbortController controller;
    const AbortSignal signal = controller.signal();
    const AbortCallback callback(signal, [&wrong, signal] {
      if (signal.reason() != AbortReason::deadline || signal.text() != "late") ++wrong;
    });
    const Thread watcher([&wrong, signal] {
      while (!signal.token().stop_requested()) std::this_thread::yield();
      if (signal.reason() != AbortReason::deadline || signal.text() != "late") ++wrong;
    });
    controller.abort(AbortReason::deadline, "late");
  }
  CHECK(wrong == 0);
}

TEST_CASE("a callback registered late runs inline, once", "[abort]") {
  AbortController controller;
  controller.abort(AbortReason::shutdown);
  int calls = 0;
  std::thread::id where;
  {
    const AbortCallback callback(controller.signal(), [&] {
      ++calls;
      where = std::this_thread::get_id();
    });
    CHECK(calls == 1);
    CHECK(where == std::this_thread::get_id());
  }
  CHECK(calls == 1);
}

TEST_CASE("a callback may detach itself and others inside its call", "[abort]") {
  const long before = AbortCallback::live();
  AbortController controller;
  const auto captured = std::make_shared<int>(7);
  int calls = 0;
  int seen_after_detach = 0;
  bool other_ran = false;
  auto other = std::make_unique<AbortCallback>(controller.signal(), [&other_ran] { other_ran = true; });
  std::unique_ptr<AbortCallback> self;
  // Callbacks run newest first: this one detaches `other` before its turn.
  self = std::make_unique<AbortCallback>(controller.signal(), [&, captured] {
    ++calls;
    self.reset();
    other.reset();
    seen_after_detach = *captured;  // its own captures live until it returns
  });
  controller.abort(AbortReason::client_cancelled);
  CHECK(calls == 1);
  CHECK(seen_after_detach == 7);
  CHECK_FALSE(other_ran);
  CHECK(captured.use_count() == 1);
  CHECK(AbortCallback::live() == before);
}

TEST_CASE("detaching waits for a callback that runs in another thread", "[abort]") {
  AbortController controller;
  std::atomic<bool> inside{false};
  std::atomic<bool> go_on{false};
  std::atomic<bool> finished{false};
  auto callback = std::make_unique<AbortCallback>(controller.signal(), [&] {
    inside = true;
    while (!go_on) std::this_thread::yield();
    finished = true;
  });
  const Thread aborter([&controller] { controller.abort(AbortReason::shutdown); });
  REQUIRE(testing::eventually([&inside] { return inside.load(); }));
  const Thread releaser([&go_on] { go_on = true; });
  callback.reset();
  CHECK(finished);
}

TEST_CASE("detaching while the abort fires: the callback ran before, or never will", "[abort] [cancel.nothing-left]") {
  const long before = AbortCallback::live();
  int ran = 0;
  for (int round = 0; round < 2000; ++round) {
    AbortController controller;
    std::barrier start(2);
    auto alive = std::make_shared<std::atomic<int>>(0);
    const std::weak_ptr<std::atomic<int>> watched = alive;
    auto callback = std::make_unique<AbortCallback>(controller.signal(), [alive] { ++*alive; });
    const Thread aborter([&] {
      start.arrive_and_wait();
      controller.abort(AbortReason::client_cancelled);
    });
    start.arrive_and_wait();
    callback.reset();
    const int calls = *alive;
    CHECK(calls <= 1);
    ran += calls;
    alive.reset();
    // Whichever came first, nothing of the callback is left once its handle is gone.
    REQUIRE(watched.expired());
  }
  CHECK(ran <= 2000);
  CHECK(AbortCallback::live() == before);
}

TEST_CASE("an abort goes from parent to child to grandchild, with its reason and words", "[abort]") {
  AbortController server;
  AbortController session(server.signal());
  AbortController request(session.signal());
  server.abort(AbortReason::shutdown, "SIGTERM");
  for (const AbortController* controller : {&session, &request}) {
    CHECK(controller->signal().reason() == AbortReason::shutdown);
    CHECK(controller->signal().text() == "SIGTERM");
  }
}

TEST_CASE("a child of an aborted parent starts aborted", "[abort]") {
  AbortController server;
  server.abort(AbortReason::shutdown, "SIGTERM");
  const AbortController session(server.signal());
  CHECK(session.signal().reason() == AbortReason::shutdown);
  CHECK(session.signal().text() == "SIGTERM");
}

TEST_CASE("a child's abort leaves its parent and its siblings alone", "[abort]") {
  AbortController session;
  AbortController one(session.signal());
  const AbortController two(session.signal());
  one.abort(AbortReason::client_cancelled);
  CHECK_FALSE(session.signal().aborted());
  CHECK_FALSE(two.signal().aborted());
}

TEST_CASE("a child's own abort stands when its parent aborts later", "[abort]") {
  AbortController session;
  AbortController request(session.signal());
  request.abort(AbortReason::client_cancelled, "mine");
  session.abort(AbortReason::session_closed, "theirs");
  CHECK(request.signal().reason() == AbortReason::client_cancelled);
  CHECK(request.signal().text() == "mine");
}

TEST_CASE("unlinked controllers no longer follow; a fourth parent is refused", "[abort]") {
  AbortController a, b, c, d, child;
  child.link(a.signal());
  child.link(b.signal());
  child.link(c.signal());
  CHECK_THROWS_AS(child.link(d.signal()), std::logic_error);
  child.unlink();
  a.abort(AbortReason::shutdown);
  CHECK_FALSE(child.signal().aborted());
}

TEST_CASE("a signal outlives its controller, and destroying a controller aborts nothing", "[abort]") {
  AbortController parent;
  AbortSignal signal;
  {
    const AbortController child(parent.signal());
    signal = child.signal();
  }
  CHECK_FALSE(signal.aborted());
  parent.abort(AbortReason::shutdown);
  CHECK_FALSE(signal.aborted());
}

TEST_CASE("a controller may be destroyed inside its own callback", "[abort]") {
  const long before = AbortCallback::live();
  Owned owned{std::make_unique<AbortController>()};
  const AbortSignal signal = owned.controller->signal();
  bool second = false;
  {
    const AbortCallback runs_last(signal, [&second] { second = true; });
    const AbortCallback destroys(signal, [&owned] { owned.controller.reset(); });
    owned.controller->abort(AbortReason::client_cancelled);
  }
  CHECK(second);
  CHECK(signal.aborted());
  CHECK(AbortCallback::live() == before);
}

TEST_CASE("a child may be destroyed inside a callback that its parent's abort reached", "[abort]") {
  const long before = AbortCallback::live();
  AbortController parent;
  // Nothing but the link that runs just then owns the child's state: no signal is kept here.
  auto child = std::make_unique<AbortController>(parent.signal());
  auto callback = std::make_unique<std::optional<AbortCallback>>();
  callback->emplace(child->signal(), [&] {
    child.reset();
    callback.reset();
  });
  parent.abort(AbortReason::session_closed, "gone");
  CHECK_FALSE(child);
  CHECK_FALSE(callback);
  CHECK(AbortCallback::live() == before);
}

TEST_CASE("a callback may abort again, and abort others", "[abort]") {
  AbortController one;
  AbortController two;
  bool again = true;
  const AbortCallback callback(one.signal(), [&] {
    again = one.abort(AbortReason::shutdown);
    two.abort(AbortReason::stopped_by_user);
  });
  CHECK(one.abort(AbortReason::client_cancelled));
  CHECK_FALSE(again);
  CHECK(one.signal().reason() == AbortReason::client_cancelled);
  CHECK(two.signal().reason() == AbortReason::stopped_by_user);
}

TEST_CASE("seal: after it nothing aborts, not the parent either", "[abort]") {
  AbortController parent;
  AbortController child(parent.signal());
  CHECK(child.seal());
  CHECK(child.seal());
  CHECK_FALSE(child.abort(AbortReason::client_cancelled));
  parent.abort(AbortReason::shutdown);
  CHECK_FALSE(child.signal().aborted());
  CHECK_FALSE(parent.seal());
}

TEST_CASE("seal against abort: exactly one of them wins", "[abort]") {
  int wrong = 0;
  for (int round = 0; round < 2000; ++round) {
    AbortController controller;
    std::barrier start(2);
    bool aborted = false;
    bool reason_read = false;
    {
      const Thread aborter([&] {
        start.arrive_and_wait();
        aborted = controller.abort(AbortReason::client_cancelled);
      });
      start.arrive_and_wait();
      const bool sealed = controller.seal();
      reason_read = sealed != controller.signal().aborted();
    }
    if (!reason_read || aborted != controller.signal().aborted()) ++wrong;
  }
  CHECK(wrong == 0);
}
