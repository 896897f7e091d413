#include <atomic>
#include <stdexcept>
#include <vector>

#include "tests/support/catch.h"
#include "tests/unit/support/call_table_support.h"

// A request's states, its listeners, the supervisor's warning and deadline, the log [cancel.states] [cancel.reason]
// [cancel.warning] [cancel.log].
using namespace bridle;
using namespace std::chrono_literals;
using bridle::testing::CallTableFixture;
using bridle::testing::eventually;
using bridle::testing::soon;
using bridle::testing::Thread;

namespace {
constexpr auto kWarning =
    "Tool \"test_tool\" did not respond to abort signal within 3s. Tools MUST honor ctx.signal for proper "
    "cancellation.";
}

TEST_CASE("States: starting, running, completed", "[request] [cancel.states]") {
  CallTableFixture t;
  const auto entry = t.begin("1");
  CHECK(entry->state() == CallState::starting);
  CHECK(entry->start_running());
  CHECK(entry->state() == CallState::running);
  CHECK(entry->start_running());  // idempotent
  CHECK(entry.finish(CallState::completed) == CallState::completed);
  CHECK(entry->state() == CallState::completed);
  CHECK(t.count("completed_total") == 1);
  CHECK(t.count("invalid_transitions_total") == 0);
}

TEST_CASE("States: error from starting and from running; completed from starting passes through running",
          "[request] [cancel.states]") {
  CallTableFixture t;
  CHECK(t.begin("1").finish(CallState::error) == CallState::error);
  const auto entry = t.begin("2");
  entry->start_running();
  CHECK(entry.finish(CallState::error) == CallState::error);
  CHECK(t.begin("3").finish(CallState::completed) == CallState::completed);
  CHECK(t.count("error_total") == 2);
  CHECK(t.count("invalid_transitions_total") == 0);
}

TEST_CASE("States: aborting leads to aborted and nothing else, whatever the tool returned or threw",
          "[request] [cancel.states]") {
  for (const auto wanted : {CallState::completed, CallState::error}) {
    for (const bool running : {false, true}) {
      CAPTURE(to_string(wanted), running);
      CallTableFixture t;
      const auto entry = t.begin("1");
      if (running) entry->start_running();
      t.cancel("1");
      CHECK(entry->state() == CallState::aborting);
      CHECK(entry.finish(wanted) == CallState::aborted);
      CHECK(entry->state() == CallState::aborted);
      CHECK(t.count("aborted_total") == 1);
      CHECK(t.count("invalid_transitions_total") == 0);
    }
  }
}

TEST_CASE("States: after every reason but deadline the state is aborted", "[request] [cancel.states.meaning]") {
  for (const auto reason : {AbortReason::client_cancelled, AbortReason::client_gone, AbortReason::session_closed,
                            AbortReason::stopped_by_user, AbortReason::shutdown}) {
    CAPTURE(to_string(reason));
    CallTableFixture t;
    const auto entry = t.begin("1");
    t.calls.cancel(entry->key(), reason, "");
    CHECK(entry.finish(CallState::completed) == CallState::aborted);
    CHECK(t.calls.recent()[0]["reason"] == to_string(reason));
  }
}

TEST_CASE("States: invalid transitions are refused and counted", "[request] [cancel.states.once]") {
  CallTableFixture t;
  auto entry = t.begin("1");
  SECTION("out of a terminal state") {
    entry.finish(CallState::completed);
    CHECK_FALSE(entry->start_running());
    CHECK(entry.finish(CallState::error) == CallState::completed);
    CHECK(t.count("invalid_transitions_total") == 2);
    CHECK(t.count("completed_total") == 1);
    CHECK(t.count("error_total") == 0);
    CHECK(t.calls.recent().size() == 1);
  }
  SECTION("running after the abort") {
    t.cancel("1");
    CHECK_FALSE(entry->start_running());
    CHECK(entry->state() == CallState::aborting);
    CHECK(t.count("invalid_transitions_total") == 0);
    entry = CallTable::Slot();
  }
  SECTION("an end that is none, or aborted without an abort") {
    CHECK(entry.finish(CallState::aborted) == CallState::error);
    CHECK(t.begin("2").finish(CallState::running) == CallState::error);
    CHECK(t.count("invalid_transitions_total") == 2);
  }
}

TEST_CASE("States: once ended, no abort reaches the request", "[request] [cancel.states.once]") {
  CallTableFixture t;
  const auto entry = t.begin("1");
  entry.finish(CallState::completed);
  CHECK(t.cancel("1") == CancelOutcome::finished);
  t.session.abort(AbortReason::session_closed);
  t.server.abort(AbortReason::shutdown);
  CHECK_FALSE(entry->signal().aborted());
  CHECK(entry->row()["reason"] == "none");
}

TEST_CASE("States: the terminal state is published before waiters and listeners are told",
          "[request] [cancel.states.published]") {
  CallTableFixture t;
  const auto entry = t.begin("1");
  const auto request = entry.shared();
  std::vector<CallState> seen;
  std::size_t still_live = 1;
  bool in_recent = false;
  entry->add_listener([&](Call& r) {
    seen.push_back(r.state());
    still_live = t.calls.live().size();
    in_recent = t.calls.recent()[0]["state"] == "completed";
  });
  const Thread tool([&] {
    if (eventually([&t] { return t.count("waiters") == 1; })) entry.finish(CallState::completed);
  });
  CHECK(request->wait_terminal(soon()));
  CHECK(request->state() == CallState::completed);
  REQUIRE(eventually([&t] { return t.count("listeners") == 0; }));
  CHECK(seen == std::vector{CallState::completed});
  CHECK(still_live == 0);
  CHECK(in_recent);
}

TEST_CASE("States: waiting ends at the deadline and by the waiter's own abort", "[request]") {
  CallTableFixture t;
  const auto entry = t.begin("1");
  CHECK_FALSE(entry->wait_terminal({.deadline = Deadline::after(1ms)}));
  AbortController waiter;
  const Thread aborter([&] {
    if (eventually([&t] { return t.count("waiters") == 1; })) waiter.abort(AbortReason::client_gone);
  });
  CHECK_THROWS_AS(entry->wait_terminal({.signal = waiter.signal()}), Aborted);
  CHECK(entry->state() == CallState::starting);
  CHECK(t.count("waiters") == 0);
}

TEST_CASE("States: listeners that throw harm nobody", "[request] [cancel.states.listeners]") {
  CallTableFixture t;
  const auto entry = t.begin("1");
  int calls = 0;
  entry->add_listener([&calls](Call&) { ++calls; });
  entry->add_listener([](Call&) { throw std::runtime_error("boom"); });
  entry->add_listener([](Call&) { throw 42; });
  entry->add_listener([&calls](Call&) { ++calls; });
  CHECK(entry.finish(CallState::completed) == CallState::completed);
  CHECK(calls == 2);
  CHECK(t.count("listeners") == 0);
  CHECK(t.count("listener_errors_total") == 2);
}

TEST_CASE("States: listeners may remove themselves and others, add others and finish again inside their call",
          "[request] [cancel.states.listeners]") {
  CallTableFixture t;
  const auto entry = t.begin("1");
  int self_calls = 0;
  int removed_calls = 0;
  int added_calls = 0;
  std::uint64_t self = 0;
  std::uint64_t other = 0;
  self = entry->add_listener([&](Call& r) {
    ++self_calls;
    r.remove_listener(self);
    r.remove_listener(other);
    r.add_listener([&added_calls](Call&) { ++added_calls; });
    CHECK(entry.finish(CallState::error) == CallState::completed);
  });
  other = entry->add_listener([&removed_calls](Call&) { ++removed_calls; });
  entry.finish(CallState::completed);
  CHECK(self_calls == 1);
  CHECK(removed_calls == 0);
  CHECK(added_calls == 1);
  CHECK(t.count("listeners") == 0);
}

TEST_CASE("States: a listener that comes late is told at once; one that is removed, never", "[request]") {
  CallTableFixture t;
  const auto entry = t.begin("1");
  int calls = 0;
  const auto held = std::make_shared<int>(1);
  entry->remove_listener(entry->add_listener([&calls, held](Call&) { ++calls; }));
  CHECK(held.use_count() == 1);
  CHECK(t.count("listeners") == 0);
  entry->remove_listener(12345);
  entry.finish(CallState::completed);
  CHECK(calls == 0);
  entry->add_listener([&calls](Call& r) { calls += r.state() == CallState::completed ? 1 : 100; });
  CHECK(calls == 1);
}

TEST_CASE("States: removing a listener waits for a call that runs in another thread", "[request]") {
  CallTableFixture t;
  const auto entry = t.begin("1");
  std::atomic<bool> inside{false};
  std::atomic<bool> go_on{false};
  std::atomic<bool> ended{false};
  const auto handle = entry->add_listener([&](Call&) {
    inside = true;
    while (!go_on) std::this_thread::yield();
    ended = true;
  });
  const Thread tool([&entry] { entry.finish(CallState::completed); });
  REQUIRE(eventually([&inside] { return inside.load(); }));
  const Thread releaser([&go_on] { go_on = true; });
  entry->remove_listener(handle);
  CHECK(ended);
}

TEST_CASE("who cancels first gives the reason, and the row and the log show it", "[request] [cancel.reason]") {
  CallTableFixture t;
  const auto entry = t.begin("1");
  t.calls.cancel(entry->key(), AbortReason::client_gone, "FIN");
  t.session.abort(AbortReason::session_closed);
  entry.finish(CallState::completed);
  CHECK(t.calls.recent()[0]["reason"] == "client_gone");
  CHECK(t.log.with("reason=client_gone").size() == 1);
}

TEST_CASE("the abort warning's time and words", "[request] [cancel.warning]") {
  CHECK(CallTable::Options().abort_warning == 3000ms);
  CHECK(abort_warning_text("test_tool") == kWarning);
}

TEST_CASE("a tool that ignores its signal is warned of once, with session and request id",
          "[request] [cancel.warning]") {
  CallTableFixture t(CallTableFixture::with(&CallTable::Options::abort_warning, 1ms));
  std::atomic<int> told{0};
  std::atomic<bool> right{false};
  t.calls.on_overdue = [&](Call& r) {
    right = r.key().id == "1" && r.overdue() && r.state() == CallState::aborting;
    ++told;
  };
  auto entry = t.begin("1");
  entry->start_running();
  SECTION("a cancel") { t.cancel("1"); }
  SECTION("the session's end") { t.session.abort(AbortReason::session_closed); }
  SECTION("shutdown") { t.server.abort(AbortReason::shutdown); }
  SECTION("stop") {
    t.calls.stop(
        {.deadline = Deadline::after(0ms)}, [](const Call&) { return true; }, "");
  }
  REQUIRE(eventually([&told] { return told == 1; }));
  CHECK(right);
  CHECK(entry->row()["overdue"] == true);
  CHECK(t.count("overdue") == 1);
  CHECK(t.count("abort_warnings_total") == 1);
  // The supervisor has looked again (it serves this one's deadline after the warning), and said nothing more.
  const auto second = t.begin("2");
  t.calls.cancel(second->key(), AbortReason::client_gone, "");
  REQUIRE(eventually([&told] { return told == 2; }));
  const auto lines = t.log.with(kWarning);
  REQUIRE(lines.size() == 2);
  CHECK(lines[0] == std::string("warning: ") + kWarning + " session=s request=1");
  CHECK(lines[1] == std::string("warning: ") + kWarning + " session=s request=2");
}

TEST_CASE("a request that starts aborted is armed as well", "[request] [cancel.warning]") {
  CallTableFixture t(CallTableFixture::with(&CallTable::Options::abort_warning, 1ms));
  SECTION("by an early cancel") { t.cancel("1"); }
  SECTION("by a session that is gone") { t.session.abort(AbortReason::session_closed); }
  const auto entry = t.begin("1");
  CHECK(eventually([&entry] { return entry->overdue(); }));
  REQUIRE(eventually([&t] { return t.log.with(kWarning).size() == 1; }));
}

TEST_CASE("the warning is disarmed on every exit path", "[request] [cancel.warning]") {
  CallTableFixture t(CallTableFixture::with(&CallTable::Options::abort_warning, 30ms));
  {
    const auto completed = t.begin("1");
    const auto failed = t.begin("2");
    const auto dropped = t.begin("3");
    const auto not_aborted = t.begin("4");
    for (const char* id : {"1", "2", "3"}) t.cancel(id);
    completed.finish(CallState::completed);
    failed.finish(CallState::error);
    not_aborted.finish(CallState::completed);
  }
  // Of this one, aborted later, the supervisor warns: had it not forgotten the others, it had warned of them before.
  const auto marker = t.begin("5");
  t.cancel("5");
  REQUIRE(eventually([&t] { return !t.log.with(kWarning).empty(); }));
  CHECK(t.log.with(kWarning).size() == 1);
  CHECK(t.log.with(kWarning)[0].ends_with("request=5"));
  CHECK(t.count("abort_warnings_total") == 1);
}

TEST_CASE("a hook that throws harms nobody", "[request]") {
  CallTableFixture t(CallTableFixture::with(&CallTable::Options::abort_warning, 1ms));
  t.calls.on_overdue = [](Call& r) {
    if (r.key().id == "1") throw std::runtime_error("boom");
    throw 42;
  };
  const auto one = t.begin("1");
  t.cancel("1");
  REQUIRE(eventually([&one] { return one->overdue(); }));
  const auto two = t.begin("2");
  t.cancel("2");
  REQUIRE(eventually([&two] { return two->overdue(); }));
}

TEST_CASE("nothing is forced: an overdue request stays aborting, is in the list, and ends when it ends",
          "[request] [cancel.overdue]") {
  CallTableFixture t(CallTableFixture::with(&CallTable::Options::abort_warning, 1ms));
  const auto entry = t.begin("1");
  entry->set_tab("t1");
  t.cancel("1");
  REQUIRE(eventually([&entry] { return entry->overdue(); }));
  CHECK(entry->state() == CallState::aborting);
  CHECK(t.calls.live().size() == 1);
  CHECK(entry->row()["tab"] == "t1");
  CHECK(t.calls.recent().empty());
  CHECK(entry.finish(CallState::completed) == CallState::aborted);
  CHECK(t.calls.recent()[0]["overdue"] == true);
  CHECK(t.count("overdue") == 0);
}

TEST_CASE("the request's deadline aborts it; it is completed, naming the time", "[request] [cancel.callers]") {
  CallTableFixture t(CallTableFixture::with(&CallTable::Options::request_deadline, 5ms));
  const auto entry = t.begin("1");
  entry->start_running();
  REQUIRE(eventually([&entry] { return entry->signal().aborted(); }));
  CHECK(entry->signal().reason() == AbortReason::deadline);
  CHECK(entry->signal().text() == "the request's time of 1 s ran out");
  CHECK(entry.finish(CallState::error) == CallState::completed);
  CHECK(t.calls.recent()[0]["reason"] == "deadline");
  CHECK(t.count("completed_total") == 1);
  const auto bounded = t.begin("2", "s", {.bounds_itself = true});
  const auto ours = t.begin("3");
  REQUIRE(eventually([&ours] { return ours->signal().aborted(); }));
  CHECK_FALSE(bounded->signal().aborted());
}

TEST_CASE("deadlines fire in their order, the shorter of two registries' requests too", "[request]") {
  CallTableFixture t(CallTableFixture::with(&CallTable::Options::request_deadline, 20ms));
  std::vector<CallTable::Slot> entries;
  for (int i = 0; i < 10; ++i) entries.push_back(t.begin(std::to_string(i)));
  entries[3].finish(CallState::completed);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (i == 3) continue;
    REQUIRE(eventually([&] { return entries[i]->signal().aborted(); }));
  }
  CHECK_FALSE(entries[3]->signal().aborted());
}

TEST_CASE("an abort's end is one info line: session, id, tool, reason, N ms", "[request] [cancel.log]") {
  CallTableFixture t;
  const auto entry = t.begin("\"a\"");
  t.cancel("\"a\"");
  entry.finish(CallState::completed);
  const auto lines = t.log.with("session=s");
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].starts_with("info: aborted: session=s request=\"a\" tool=test_tool reason=client_cancelled, "));
  CHECK_THAT(lines[0], matchers::Matches(".*, [0-9]+ ms from abort to end: the client's words"));
}

TEST_CASE("an end without an abort logs nothing", "[request] [cancel.log]") {
  CallTableFixture t;
  t.begin("1").finish(CallState::completed);
  t.begin("2").finish(CallState::error);
  CHECK(t.log.lines().empty());
}

TEST_CASE("the client's words are escaped and shortened in the log", "[request] [cancel.reason.text]") {
  CallTableFixture t;
  const auto entry = t.begin("\"x\\ny\"");
  t.calls.cancel(entry->key(), AbortReason::client_cancelled, "forged\nline" + std::string(1'000'000, 'x'));
  CHECK(entry->signal().aborted());
  entry.finish(CallState::completed);
  const auto lines = t.log.with("forged\\x0aline");
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].size() < 400);
  CHECK(lines[0].ends_with("…"));
}

TEST_CASE("a late result is counted and logged as discarded", "[request] [cancel.states.abort-decides]") {
  CallTableFixture t;
  const auto entry = t.begin("1");
  t.cancel("1");
  if (entry.finish(CallState::completed) == CallState::aborted) entry->note_late_result();
  CHECK(t.count("late_results_total") == 1);
  const auto lines = t.log.with("discarded");
  REQUIRE(lines.size() == 1);
  CHECK(lines[0] == "info: late result discarded: session=s request=1 tool=test_tool reason=client_cancelled");
}
