#include <functional>
#include <thread>
#include <vector>

#include "base/limits.h"
#include "tests/support/catch.h"
#include "tests/support/stopwatch.h"
#include "tests/unit/support/call_table_support.h"

// Keys, early cancels, known ids, entries, links, stop and status [cancel.key] to [cancel.stop].
using namespace bridle;
using namespace std::chrono_literals;
using bridle::testing::CallTableFixture;
using bridle::testing::eventually;
using bridle::testing::Json;
using bridle::testing::soon;
using bridle::testing::Stopwatch;
using bridle::testing::Thread;
using Refusal = CallTable::Refusal;

TEST_CASE("ids differ by their JSON type: 1, \"1\" and true", "[registry] [cancel.key]") {
  CallTableFixture t;
  const auto number = t.begin("1");
  const auto string = t.begin("\"1\"");
  CHECK(t.refusal == Refusal::none);
  CHECK(t.cancel("true") == CancelOutcome::early);
  CHECK(t.cancel("\"1\"") == CancelOutcome::sent);
  CHECK_FALSE(number->signal().aborted());
  CHECK(string->signal().aborted());
}

TEST_CASE("0 and the empty string are legal ids", "[registry] [cancel.key]") {
  CallTableFixture t;
  const auto zero = t.begin("0");
  const auto empty = t.begin("\"\"");
  CHECK(t.cancel("0") == CancelOutcome::sent);
  CHECK(t.cancel("\"\"") == CancelOutcome::sent);
  CHECK(zero->signal().aborted());
  CHECK(empty->signal().aborted());
  CHECK(zero->row()["id"] == Json(0));
  CHECK(empty->row()["id"] == Json(""));
}

TEST_CASE("another session's cancel never touches a request", "[registry] [cancel.key]") {
  CallTableFixture t;
  const auto mine = t.begin("1", "mine");
  const auto theirs = t.begin("1", "theirs");
  CHECK(t.refusal == Refusal::none);
  CHECK(t.cancel("1", "theirs") == CancelOutcome::sent);
  CHECK(t.cancel("1", "nobody") == CancelOutcome::early);
  CHECK_FALSE(mine->signal().aborted());
}

TEST_CASE("a request with a session name of its own leaves nothing behind", "[registry]") {
  CallTableFixture t;
  for (int i = 0; i < 100; ++i) {
    auto entry = t.begin("1", "post-" + std::to_string(i), {.one_shot = true});
    entry->start_running();
    entry.finish(CallState::completed);
  }
  // Not even that the id was known: the key is unknown again.
  CHECK(t.cancel("1", "post-7") == CancelOutcome::early);
}

TEST_CASE("an entry covers its request from begin() on, before anything runs", "[registry] [cancel.registered]") {
  CallTableFixture t;
  const auto entry = t.begin("1");
  REQUIRE(entry);
  CHECK(entry->state() == CallState::starting);
  CHECK(t.calls.live().size() == 1);
  CHECK(t.cancel("1") == CancelOutcome::sent);
  CHECK(entry->state() == CallState::aborting);
}

TEST_CASE("an entry that is dropped on any path leaves the registry, as error", "[registry] [cancel.registered]") {
  CallTableFixture t;
  try {
    const auto entry = t.begin("1");
    throw std::runtime_error("the pool took no job");
  } catch (const std::runtime_error&) {
  }
  CHECK(t.calls.live().empty());
  CHECK(t.calls.recent()[0]["state"] == "error");
  CHECK(t.log.with("was dropped before it ended").size() == 1);
}

TEST_CASE("an entry that is dropped after its abort is aborted, not a failure", "[registry] [cancel.registered]") {
  CallTableFixture t;
  {
    const auto entry = t.begin("1");
    t.cancel("1");
  }
  CHECK(t.calls.recent()[0]["state"] == "aborted");
  CHECK(t.log.with("error: ").empty());
  CHECK(t.log.with("warning: ").empty());
}

TEST_CASE("entries move; each request leaves once", "[registry]") {
  CallTableFixture t;
  auto one = t.begin("1");
  auto two = t.begin("2");
  one = std::move(two);  // drops request 1
  CHECK(t.calls.live().size() == 1);
  CHECK(t.calls.recent()[0]["id"] == 1);
  CallTable::Slot three(std::move(one));
  CHECK_FALSE(one);
  CHECK(three->key().id == "2");
  three = CallTable::Slot();
  CHECK(t.calls.live().empty());
  CHECK(t.calls.recent().size() == 2);
  CHECK(t.count("error_total") == 2);
}

TEST_CASE("a cancel that overtakes its request is kept: the request starts aborted", "[registry] [cancel.early]") {
  CallTableFixture t;
  CHECK(t.cancel("1") == CancelOutcome::early);
  CHECK(t.count("early_cancels") == 1);
  const auto entry = t.begin("1");
  REQUIRE(entry);
  CHECK(entry->signal().aborted());
  CHECK(entry->signal().reason() == AbortReason::client_cancelled);
  CHECK(entry->signal().text() == "the client's words");
  CHECK(entry->state() == CallState::aborting);
  CHECK_FALSE(entry->start_running());
  CHECK(t.count("early_cancels") == 0);
  CHECK(t.count("early_cancels_used_total") == 1);
}

TEST_CASE("an early cancel is used up by one request", "[registry] [cancel.early]") {
  CallTableFixture t;
  t.cancel("1");
  { const auto first = t.begin("1"); }
  const auto second = t.begin("1");
  CHECK_FALSE(second->signal().aborted());
}

TEST_CASE("an early cancel is forgotten after its time", "[registry] [cancel.early]") {
  CallTableFixture t(CallTableFixture::with(&CallTable::Options::early_cancel_ttl, 1ms));
  CHECK(t.cancel("1") == CancelOutcome::early);
  // The supervisor drops it; nobody has to come by.
  REQUIRE(eventually([&t] { return t.count("early_cancels") == 0; }));
  const auto entry = t.begin("1");
  CHECK_FALSE(entry->signal().aborted());
}

TEST_CASE("early cancels stop at 64 a session, and each session has its own",
          "[registry] [cancel.early] [cancel.limits]") {
  CallTableFixture t;
  for (std::size_t i = 0; i < limits::kEarlyCancels; ++i) {
    REQUIRE(t.cancel(std::to_string(i)) == CancelOutcome::early);
  }
  CHECK(t.cancel("1000") == CancelOutcome::ignored);
  CHECK(t.cancel("1000", "other") == CancelOutcome::early);
  CHECK(t.count("early_cancels") == static_cast<long long>(limits::kEarlyCancels) + 1);
  // One that is used makes room for one.
  { const auto used = t.begin("0"); }
  CHECK(t.cancel("1000") == CancelOutcome::early);
  CHECK(t.cancel("1001") == CancelOutcome::ignored);
}

TEST_CASE("a cancel for a finished id leaves nothing", "[registry] [cancel.known-ids]") {
  CallTableFixture t;
  { t.begin("1").finish(CallState::completed); }
  CHECK(t.cancel("1") == CancelOutcome::finished);
  CHECK(t.count("early_cancels") == 0);
  const auto again = t.begin("1");
  CHECK_FALSE(again->signal().aborted());
}

TEST_CASE("the last 1,024 ids are known", "[registry] [cancel.known-ids]") {
  CallTableFixture t;
  const auto run = [&t](std::size_t id) { t.begin(std::to_string(id)).finish(CallState::completed); };
  for (std::size_t id = 0; id < limits::kKnownIds; ++id) run(id);
  CHECK(t.cancel("0") == CancelOutcome::finished);
  run(limits::kKnownIds);
  CHECK(t.cancel("0") == CancelOutcome::early);
  CHECK(t.cancel("1") == CancelOutcome::finished);
  // An id that was used again counts from its last use.
  run(1);
  run(limits::kKnownIds + 1);
  CHECK(t.cancel("1") == CancelOutcome::finished);
  CHECK(t.cancel("2") == CancelOutcome::early);
}

TEST_CASE("a disconnect after its request's end leaves nothing, also where no ids are remembered", "[registry]") {
  CallTableFixture t;
  t.begin("1", "post-1", {.one_shot = true}).finish(CallState::completed);
  CHECK(t.calls.cancel({"post-1", "1"}, AbortReason::client_gone, "FIN") == CancelOutcome::finished);
  CHECK(t.count("early_cancels") == 0);
  CHECK_FALSE(t.begin("1", "post-1")->signal().aborted());
}

TEST_CASE("ids of any length are known by all of their characters", "[registry]") {
  CallTableFixture t;
  const std::string long_id = "\"" + std::string(100'000, 'x') + "1\"";
  const std::string other_id = "\"" + std::string(100'000, 'x') + "2\"";
  t.begin(long_id).finish(CallState::completed);
  CHECK(t.cancel(long_id) == CancelOutcome::finished);
  CHECK(t.cancel(other_id) == CancelOutcome::early);
}

TEST_CASE("a cancel for an id in flight works even if that id finished before", "[registry] [cancel.known-ids]") {
  CallTableFixture t;
  { t.begin("1").finish(CallState::completed); }
  const auto again = t.begin("1");
  CHECK(t.cancel("1") == CancelOutcome::sent);
  CHECK(again->signal().aborted());
}

TEST_CASE("what a closed session left is forgotten, also by requests that end later", "[registry]") {
  CallTableFixture t;
  t.begin("1").finish(CallState::completed);
  t.cancel("2");
  auto running = t.begin("3");
  t.calls.forget_session("s");
  CHECK(t.count("early_cancels") == 0);
  CHECK(t.cancel("4") == CancelOutcome::ignored);
  CHECK(t.cancel("3") == CancelOutcome::sent);
  running = CallTable::Slot();
  CHECK(t.cancel("1") == CancelOutcome::early);
  CHECK(t.cancel("3") == CancelOutcome::early);
  t.calls.forget_session("never seen");
}

TEST_CASE("double cancels change nothing", "[registry] [cancel.ignored]") {
  CallTableFixture t;
  const auto entry = t.begin("1");
  CHECK(t.cancel("1") == CancelOutcome::sent);
  CHECK(t.calls.cancel(entry->key(), AbortReason::client_gone, "again") == CancelOutcome::sent);
  CHECK(entry->signal().reason() == AbortReason::client_cancelled);
  CHECK(t.cancel("2") == CancelOutcome::early);
  CHECK(t.cancel("2") == CancelOutcome::early);
  CHECK(t.count("early_cancels") == 1);
}

TEST_CASE("malformed ids are ignored", "[registry] [cancel.ignored]") {
  CallTableFixture t;
  for (const char* id : {"", "null", "{}", "[1]"}) {
    CAPTURE(id);
    CHECK(t.cancel(id) == CancelOutcome::ignored);
  }
  CHECK(t.count("early_cancels") == 0);
  CHECK(t.count("cancels_ignored_total") == 4);
}

TEST_CASE("initialize can't be cancelled, early or in flight", "[registry] [cancel.initialize]") {
  CallTableFixture t;
  CHECK(t.cancel("0") == CancelOutcome::early);
  const auto entry = t.begin("0", "s", {.cancellable = false});
  CHECK_FALSE(entry->signal().aborted());
  CHECK(t.cancel("0") == CancelOutcome::ignored);
  CHECK_FALSE(entry->signal().aborted());
  // The early one was meant for it, and for nobody else.
  CHECK(t.count("early_cancels") == 0);
  t.server.abort(AbortReason::shutdown);
  CHECK(entry->signal().reason() == AbortReason::shutdown);
}

TEST_CASE("a duplicate id in flight is refused, and the first is unharmed", "[registry] [cancel.duplicate-id]") {
  CallTableFixture t;
  auto first = t.begin("1");
  const auto second = t.begin("1");
  CHECK_FALSE(second);
  CHECK(t.refusal == Refusal::duplicate_id);
  CHECK(first->state() == CallState::starting);
  CHECK(t.calls.live().size() == 1);
  CHECK(t.count("refused_total") == 1);
  // Ended, its id is free at once, even while its entry still lives.
  first.finish(CallState::completed);
  const auto third = t.begin("1");
  CHECK(third);
  CHECK(t.refusal == Refusal::none);
}

TEST_CASE("a refused request leaves no links, and the early cancel to whom it belongs", "[registry]") {
  CallTable::Options options;
  options.in_flight = 1;
  CallTableFixture t(options);
  const auto first = t.begin("1");
  const auto gauges = t.gauges();
  t.cancel("2");
  CHECK_FALSE(t.begin("2"));
  CHECK(t.refusal == Refusal::too_many);
  CHECK(t.count("early_cancels") == 1);
  CHECK(t.count("links") == gauges["links"].get<long long>());
}

TEST_CASE("256 requests in flight, and not one more", "[registry] [cancel.in-flight]") {
  CallTableFixture t;
  std::vector<CallTable::Slot> entries;
  for (std::size_t i = 0; i < limits::kInFlight; ++i) {
    entries.push_back(t.begin(std::to_string(i)));
    REQUIRE(t.refusal == Refusal::none);
  }
  CHECK_FALSE(t.begin("one more"));
  CHECK(t.refusal == Refusal::too_many);
  entries.front().finish(CallState::completed);
  CHECK(t.begin("one more"));
}

TEST_CASE("a cancel answers at once, with 256 requests in flight that all ignore theirs",
          "[registry] [cancel.at-once]") {
  CallTableFixture t;
  std::vector<CallTable::Slot> entries;
  for (std::size_t i = 0; i < limits::kInFlight; ++i) entries.push_back(t.begin(std::to_string(i)));
  for (std::size_t i = 0; i < limits::kInFlight; ++i) {
    const Stopwatch began;
    REQUIRE(t.cancel(std::to_string(i)) == CancelOutcome::sent);
    CHECK(began.waited() < 100ms);
  }
}

TEST_CASE("links to the session and to the server end with the request", "[registry] [cancel.nothing-left]") {
  CallTableFixture t;
  const auto before = t.gauges();
  {
    const auto entry = t.begin("1");
    CHECK(t.count("links") == before["links"].get<long long>() + 3);
    entry->start_running();
    entry.finish(CallState::completed);
    CHECK(t.gauges() == before);  // not only when the entry goes
    t.session.abort(AbortReason::session_closed);
    CHECK_FALSE(entry->signal().aborted());
  }
  CHECK(t.gauges() == before);
}

TEST_CASE("the session's end and the server's shutdown reach requests with their reasons",
          "[registry] [cancel.shutdown]") {
  CallTableFixture t;
  const auto mine = t.begin("1");
  AbortController other;
  const auto theirs = t.calls.begin({"other", "1"}, "test_tool", other.signal(), nullptr);
  t.session.abort(AbortReason::session_closed, "DELETE");
  CHECK(mine->signal().reason() == AbortReason::session_closed);
  CHECK(mine->signal().text() == "DELETE");
  CHECK_FALSE(theirs->signal().aborted());
  t.server.abort(AbortReason::shutdown, "SIGTERM");
  CHECK(theirs->signal().reason() == AbortReason::shutdown);
  const auto late = t.begin("2");
  CHECK(late->state() == CallState::aborting);
}

TEST_CASE("a request may outlive its registry", "[registry]") {
  std::shared_ptr<Call> request;
  {
    CallTableFixture t;
    const auto entry = t.begin("1");
    request = entry.shared();
    entry.finish(CallState::completed);
  }
  CHECK(request->state() == CallState::completed);
  CHECK_FALSE(request->start_running());
  CHECK(request->row()["state"] == "completed");
}

TEST_CASE("a callback may cancel again, look around, and end its request", "[registry] [cancel.unlocked]") {
  CallTableFixture t;
  const auto one = t.begin("1");
  const auto two = t.begin("2");
  CancelOutcome again{};
  std::size_t live = 0;
  const AbortCallback callback(one->signal(), [&] {
    again = t.cancel("1");
    t.cancel("2");
    live = t.calls.live().size();
    t.calls.counters();
    two.finish(CallState::completed);
  });
  CHECK(t.cancel("1") == CancelOutcome::sent);
  CHECK(again == CancelOutcome::sent);
  CHECK(live == 2);
  CHECK(two->state() == CallState::aborted);
}

TEST_CASE("a request may end inside its own abort's callback", "[registry] [cancel.unlocked]") {
  CallTableFixture t;
  const auto before = t.gauges();
  auto entry = t.begin("1");
  const AbortCallback callback(entry->signal(), [&entry] { entry = CallTable::Slot(); });
  SECTION("a cancel") { CHECK(t.cancel("1") == CancelOutcome::sent); }
  SECTION("the session's end") { t.session.abort(AbortReason::session_closed); }
  CHECK_FALSE(entry);
  CHECK(t.calls.recent()[0]["state"] == "aborted");
  CHECK(t.count("registry") == 0);
  CHECK(t.count("links") == before["links"].get<long long>() + 1);  // the callback above
}
