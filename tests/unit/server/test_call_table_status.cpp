#include <functional>
#include <thread>
#include <vector>

#include "base/limits.h"
#include "tests/support/catch.h"
#include "tests/support/stopwatch.h"
#include "tests/unit/support/call_table_support.h"

// What is told of calls, and stopping them [cancel.status] [cancel.stop].
using namespace bridle;
using namespace std::chrono_literals;
using bridle::testing::CallTableFixture;
using bridle::testing::eventually;
using bridle::testing::Json;
using bridle::testing::soon;
using bridle::testing::Stopwatch;
using bridle::testing::Thread;

TEST_CASE("a row holds session, id, tool, tab, state, sinceMs, reason, overdue", "[registry] [cancel.status]") {
  CallTableFixture t;
  const auto entry = t.begin("\"a\"");
  Json row = entry->row();
  CHECK(row["sinceMs"].is_number_integer());
  CHECK(row["sinceMs"] >= 0);
  row.erase("sinceMs");
  CHECK(row == Json({{"session", "s"},
                     {"id", "a"},
                     {"tool", "test_tool"},
                     {"tab", nullptr},
                     {"state", "starting"},
                     {"reason", "none"},
                     {"overdue", false}}));
  entry->set_tab("t3");
  entry->start_running();
  CHECK(entry->row()["tab"] == "t3");
  CHECK(entry->row()["state"] == "running");
  t.cancel("\"a\"");
  CHECK(entry->row()["state"] == "aborting");
  CHECK(entry->row()["reason"] == "client_cancelled");
}

TEST_CASE("rows keep the id's JSON type, a queued call is starting", "[registry] [cancel.status.rows]") {
  CallTableFixture t;
  for (const char* id : {"0", "-7", "1.5", "\"\"", "\"1\"", "18446744073709551615"}) {
    CAPTURE(id);
    const auto entry = t.begin(id);
    CHECK(entry->row()["id"] == Json::parse(id));
    CHECK(entry->row()["id"].dump() == id);
    CHECK(entry->row()["state"] == "starting");
    entry.finish(CallState::error);
  }
}

TEST_CASE("recent holds exactly the last 100, newest first, one row a request",
          "[registry] [cancel.status] [cancel.status.rows]") {
  CallTableFixture t;
  const auto run = [&t](int id) { t.begin(std::to_string(id)).finish(CallState::completed); };
  for (int i = 0; i < 99; ++i) run(i);
  CHECK(t.calls.recent().size() == 99);
  run(99);
  CHECK(t.calls.recent().size() == 100);
  run(100);
  const Json recent = t.calls.recent();
  REQUIRE(recent.size() == 100);
  for (int i = 0; i < 100; ++i) CHECK(recent[static_cast<std::size_t>(i)]["id"] == 100 - i);
  CHECK(recent[0]["state"] == "completed");
  CHECK(t.calls.live().empty());
}

TEST_CASE("live requests are listed oldest first", "[registry] [cancel.status]") {
  CallTableFixture t;
  std::vector<CallTable::Slot> entries;
  for (int i = 20; i > 0; --i) entries.push_back(t.begin(std::to_string(i)));
  int expected = 20;
  for (const auto& request : t.calls.live()) CHECK(request->row()["id"] == expected--);
}

TEST_CASE("stop aborts what is selected, waits for its end and says so", "[registry] [cancel.stop]") {
  CallTableFixture t;
  auto ends = t.begin("1");
  const auto spared = t.begin("2");
  const auto request = ends.shared();
  const Thread tool([&ends] {
    if (eventually([&ends] { return ends->signal().aborted(); })) ends.finish(CallState::completed);
  });
  const auto report = t.calls.stop(
      soon(), [](const Call& r) { return r.key().id == "1"; }, "stopped by the panel");
  CHECK(report.was_cancelled);
  CHECK_FALSE(report.timed_out);
  REQUIRE(report.calls.size() == 1);
  CHECK(report.calls[0] == request);
  CHECK(request->state() == CallState::aborted);
  CHECK(request->signal().reason() == AbortReason::stopped_by_user);
  CHECK(request->signal().text() == "stopped by the panel");
  CHECK_FALSE(spared->signal().aborted());
  CHECK(t.count("waiters") == 0);
}

TEST_CASE("stop tells the truth of one that doesn't end, and of one already aborting", "[registry] [cancel.stop]") {
  CallTableFixture t(CallTableFixture::with(&CallTable::Options::stop_wait, 5ms));
  const auto entry = t.begin("1");
  t.cancel("1");
  const auto report = t.calls.stop(
      soon(), [](const Call&) { return true; }, "");
  CHECK(report.was_cancelled);
  CHECK(report.timed_out);
  CHECK(entry->state() == CallState::aborting);
  CHECK(entry->signal().reason() == AbortReason::client_cancelled);
}

TEST_CASE("stop waits in total, not for each", "[registry] [cancel.stop]") {
  CallTableFixture t(CallTableFixture::with(&CallTable::Options::stop_wait, 50ms));
  std::vector<CallTable::Slot> entries;
  for (std::size_t i = 0; i < limits::kInFlight; ++i) entries.push_back(t.begin(std::to_string(i)));
  const Stopwatch began;
  CHECK(t.calls
            .stop(
                soon(), [](const Call&) { return true; }, "")
            .timed_out);
  CHECK(began.waited() < 5s);  // 256 times 50 ms would be 12.8 s
}

TEST_CASE("stop with nothing to stop says so at once", "[registry] [cancel.stop]") {
  CallTableFixture t;
  t.begin("1").finish(CallState::completed);
  const auto report = t.calls.stop(
      soon(), [](const Call&) { return true; }, "");
  CHECK_FALSE(report.was_cancelled);
  CHECK_FALSE(report.timed_out);
  CHECK(report.calls.empty());
}

TEST_CASE("a request that stops all others excludes itself, and its own abort ends its wait", "[registry]") {
  CallTableFixture t;
  const auto caller = t.begin("1");
  const auto other = t.begin("2");
  const Thread canceller([&] {
    if (eventually([&] { return other->signal().aborted() && t.count("waiters") == 1; })) t.cancel("1");
  });
  const CallContext ctx{.signal = caller->signal()};
  const auto others = [&caller](const Call& r) { return &r != caller.shared().get(); };
  CHECK_THROWS_AS(t.calls.stop(ctx, others, ""), Aborted);
  CHECK(other->signal().reason() == AbortReason::stopped_by_user);
  CHECK(caller->signal().reason() == AbortReason::client_cancelled);
  CHECK(t.count("waiters") == 0);
}

TEST_CASE("Stop is reversible: the same key serves the next call at once", "[registry] [cancel.states.server]") {
  CallTableFixture t;
  for (int round = 0; round < 100; ++round) {
    const auto entry = t.begin("1");
    REQUIRE(entry);
    REQUIRE_FALSE(entry->signal().aborted());
    REQUIRE(t.cancel("1") == CancelOutcome::sent);
    REQUIRE(entry.finish(CallState::completed) == CallState::aborted);
  }
}

TEST_CASE("wait_idle: until the last request is gone, the deadline or the abort", "[registry]") {
  CallTableFixture t;
  CHECK(t.calls.wait_idle(soon()));
  const auto entry = t.begin("1");
  CHECK_FALSE(t.calls.wait_idle({.deadline = Deadline::after(1ms)}));
  AbortController impatient;
  impatient.abort(AbortReason::shutdown);
  CHECK_THROWS_AS(t.calls.wait_idle({.signal = impatient.signal()}), Aborted);
  const Thread tool([&t, &entry] {
    if (eventually([&t] { return t.count("waiters") == 1; })) entry.finish(CallState::completed);
  });
  CHECK(t.calls.wait_idle(soon()));
}
