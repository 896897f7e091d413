#include <array>
#include <atomic>
#include <barrier>
#include <memory>
#include <vector>

#include "base/concurrency/thread_pool.h"
#include "base/limits.h"
#include "tests/support/catch.h"
#include "tests/unit/support/call_table_support.h"

// The registry under races: exactly one end each, nothing lost, nothing left [cancel.reason] [cancel.early]
// [cancel.nothing-left] [cancel.unlocked].
using namespace bridle;
using namespace std::chrono_literals;
using bridle::testing::CallTableFixture;
using bridle::testing::eventually;
using bridle::testing::soon;
using bridle::testing::Thread;

namespace {

// What is told of one request; a listener fills it.
struct Ends {
  std::atomic<int> told{0};
  std::atomic<CallState> state{CallState::starting};
};

}  // namespace

TEST_CASE("States: 500 cancels at the moment of completion: one end each, never both, never neither",
          "[races] [cancel.states.once]") {
  CallTableFixture t;
  const auto before = t.gauges();
  int wrong = 0;
  for (int round = 0; round < 500; ++round) {
    const auto id = std::to_string(round);
    auto entry = t.begin(id);
    entry->start_running();
    Ends ends;
    entry->add_listener([&ends](Call& r) {
      ++ends.told;
      ends.state = r.state();
    });
    const auto request = entry.shared();
    std::barrier start(2);
    CancelOutcome outcome{};
    CallState finished{};
    {
      const Thread canceller([&] {
        start.arrive_and_wait();
        outcome = t.cancel(id);
      });
      start.arrive_and_wait();
      finished = entry.finish(CallState::completed);
      entry = CallTable::Slot();
    }
    const bool aborted = finished == CallState::aborted;
    if (!aborted && finished != CallState::completed) ++wrong;
    if (aborted != request->signal().aborted()) ++wrong;
    // The cancel is told the same story as the tool.
    if (aborted != (outcome == CancelOutcome::sent)) ++wrong;
    if (!aborted && outcome != CancelOutcome::finished) ++wrong;
    if (ends.told != 1 || ends.state != finished || request->state() != finished) ++wrong;
  }
  CHECK(wrong == 0);
  CHECK(t.count("completed_total") + t.count("aborted_total") == 500);
  CHECK(t.count("early_cancels") == 0);
  CHECK(t.gauges() == before);
}

TEST_CASE("States: two ends at once, and an abort: one of them counts, the other is told which",
          "[races] [cancel.states.once]") {
  CallTableFixture t;
  int wrong = 0;
  for (int round = 0; round < 500; ++round) {
    const auto entry = t.begin("1");
    std::barrier start(3);
    CallState other{};
    CallState mine{};
    {
      const Thread second([&] {
        start.arrive_and_wait();
        other = entry.finish(CallState::error);
      });
      const Thread session_end([&] {
        start.arrive_and_wait();
        t.cancel("1");
      });
      start.arrive_and_wait();
      mine = entry.finish(CallState::completed);
    }
    if (mine != other || entry->state() != mine || !is_terminal(mine)) ++wrong;
  }
  CHECK(wrong == 0);
  CHECK(t.count("invalid_transitions_total") == 500);
  CHECK(t.calls.recent().size() == 100);
}

TEST_CASE("cancel against begin: the request is aborted, whichever comes first", "[races]") {
  CallTableFixture t;
  int missed = 0;
  for (int round = 0; round < 500; ++round) {
    const auto id = std::to_string(round);
    std::barrier start(2);
    CallTable::Slot entry;
    {
      const Thread canceller([&] {
        start.arrive_and_wait();
        t.cancel(id);
      });
      start.arrive_and_wait();
      entry = t.begin(id);
    }
    if (!entry->signal().aborted()) ++missed;
    entry.finish(CallState::completed);
  }
  CHECK(missed == 0);
  CHECK(t.count("early_cancels") == 0);
}

TEST_CASE("States: listeners come and go while requests end: each is told once or removed",
          "[races] [cancel.states.listeners]") {
  CallTableFixture t;
  int wrong = 0;
  for (int round = 0; round < 300; ++round) {
    const auto entry = t.begin("1");
    std::barrier start(4);
    std::atomic<int> kept{0};
    std::atomic<int> removed_late{0};
    {
      std::vector<Thread> threads;
      for (int i = 0; i < 2; ++i) {
        threads.emplace_back([&] {
          start.arrive_and_wait();
          entry->add_listener([&kept](Call&) { ++kept; });
          auto gone = std::make_unique<std::atomic<int>>(0);
          const auto handle = entry->add_listener([raw = gone.get()](Call&) { ++*raw; });
          entry->remove_listener(handle);
          // Nobody touches it any more: removal waited.
          if (*gone > 1) ++removed_late;
          gone.reset();
        });
      }
      threads.emplace_back([&] {
        start.arrive_and_wait();
        entry.finish(CallState::completed);
      });
      start.arrive_and_wait();
    }
    if (kept != 2 || removed_late != 0) ++wrong;
  }
  CHECK(wrong == 0);
  CHECK(t.count("listeners") == 0);
}

TEST_CASE("requests come and go while their session and the server end: all are aborted, nothing is left", "[races]") {
  const long links = AbortCallback::live();
  for (int round = 0; round < 20; ++round) {
    CallTableFixture t;
    std::atomic<int> started{0};
    std::atomic<int> wrong{0};
    {
      std::vector<Thread> threads;
      for (int i = 0; i < 3; ++i) {
        threads.emplace_back([&, i] {
          for (int n = 0; !t.server.signal().aborted(); ++n) {
            const bool late = t.session.signal().aborted();
            const auto entry =
                t.calls.begin({"s" + std::to_string(i), std::to_string(n)}, "test_tool", t.session.signal(), nullptr);
            ++started;
            entry->start_running();
            if (late && !entry->signal().aborted()) ++wrong;
            const auto end = entry.finish(CallState::completed);
            if ((end == CallState::aborted) != entry->signal().aborted()) ++wrong;
          }
        });
      }
      REQUIRE(eventually([&started] { return started > 50; }));
      t.session.abort(AbortReason::session_closed);
      t.server.abort(AbortReason::shutdown);
    }
    CHECK(wrong == 0);
    CHECK(t.calls.live().empty());
    CHECK(AbortCallback::live() == links);
  }
}

TEST_CASE("ends race the warning: counted once each or not at all, overdue says the same", "[races] [cancel.warning]") {
  CallTableFixture t(CallTableFixture::with(&CallTable::Options::abort_warning, 0ms));
  std::atomic<int> hooked{0};
  t.calls.on_overdue = [&hooked](Call&) { ++hooked; };
  int overdue = 0;
  for (int round = 0; round < 500; ++round) {
    const auto entry = t.begin("1");
    t.cancel("1");
    if (round % 50 == 0) REQUIRE(eventually([&entry] { return entry->overdue(); }));
    entry.finish(CallState::completed);
    if (entry->overdue()) ++overdue;
  }
  CHECK(overdue >= 10);
  CHECK(t.count("abort_warnings_total") == overdue);
  CHECK(eventually([&] { return hooked == overdue; }));
}

TEST_CASE("a load of everything at once: all counters return to where they were", "[races] [cancel.nothing-left]") {
  CallTable::Options options;
  options.early_cancel_ttl = 20ms;
  CallTableFixture t(options);
  const auto before = t.gauges();
  constexpr int kSessions = 4;
  constexpr int kEach = 250;
  std::atomic<int> ended{0};
  {
    ThreadPool pool({.cap = limits::kInFlight + 16, .idle = 5ms});
    std::vector<Thread> sessions;
    for (int s = 0; s < kSessions; ++s) {
      sessions.emplace_back([&, s] {
        const AbortController session;
        const auto name = "s" + std::to_string(s);
        for (int i = 0; i < kEach; ++i) {
          const auto id = std::to_string(i);
          if (i % 5 == 0) t.cancel(id, name);                          // early
          if (i % 7 == 0) t.cancel(std::to_string(10'000 + i), name);  // never to come
          auto entry =
              std::make_shared<CallTable::Slot>(t.calls.begin({name, id}, "test_tool", session.signal(), nullptr));
          if (!*entry) {
            ++ended;
            continue;
          }
          const bool waits = i % 3 == 0;
          const bool taken = pool.submit([&ended, entry, waits] {
            (*entry)->start_running();
            Mutex mutex;
            CondVar never;
            MutexLock lock(mutex);
            try {
              if (waits) wait_until({.signal = (*entry)->signal()}, never, lock, [] { return false; });
            } catch (const Aborted&) {
            }
            entry->finish(CallState::completed);
            ++ended;
          });
          if (!taken) ++ended;
          if (waits) t.cancel(id, name);
        }
        t.calls.forget_session(name);
      });
    }
    REQUIRE(eventually([&ended] { return ended == kSessions * kEach; }));
    const auto report = t.calls.stop(
        soon(), [](const Call&) { return true; }, "");
    CHECK_FALSE(report.timed_out);
    CHECK(t.calls.wait_idle(soon()));
    CHECK(eventually([&pool] { return pool.threads() == 0; }));
  }
  CHECK(eventually([&] { return t.gauges() == before; }));
  CHECK(t.count("completed_total") + t.count("aborted_total") + t.count("error_total") == t.count("requests_total"));
  CHECK(t.count("abort_warnings_total") == 0);
}

TEST_CASE("10,000 links leave nothing behind", "[abort] [cancel.nothing-left]") {
  const long before = AbortCallback::live();
  AbortController session;
  std::vector<std::weak_ptr<int>> watched;
  std::vector<std::unique_ptr<AbortController>> children;
  std::vector<std::unique_ptr<AbortCallback>> callbacks;
  for (int i = 0; i < 10'000; ++i) {
    auto payload = std::make_shared<int>(i);
    watched.emplace_back(payload);
    children.push_back(std::make_unique<AbortController>(session.signal()));
    callbacks.push_back(std::make_unique<AbortCallback>(children.back()->signal(), [payload] {}));
  }
  CHECK(AbortCallback::live() == before + 20'000);
  SECTION("dropped without an abort") {}
  SECTION("dropped after the session's abort") {
    session.abort(AbortReason::session_closed);
    for (const auto& child : children) REQUIRE(child->signal().reason() == AbortReason::session_closed);
  }
  callbacks.clear();
  children.clear();
  CHECK(AbortCallback::live() == before);
  for (const auto& payload : watched) REQUIRE(payload.expired());
}

TEST_CASE("children come and go while the parent aborts", "[abort] [cancel.nothing-left]") {
  const long before = AbortCallback::live();
  std::atomic<int> reached{0};
  std::atomic<int> started{0};
  {
    AbortController session;
    std::vector<Thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        while (!session.signal().aborted()) {
          AbortController request(session.signal());
          const AbortCallback callback(request.signal(), [&reached] { ++reached; });
          ++started;
        }
        const AbortController late(session.signal());
        if (late.signal().aborted()) ++reached;
      });
    }
    REQUIRE(eventually([&started] { return started >= 1000; }));
    session.abort(AbortReason::session_closed);
  }
  CHECK(reached >= 4);
  CHECK(AbortCallback::live() == before);
}
