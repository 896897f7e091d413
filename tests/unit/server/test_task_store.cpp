#include <set>
#include <thread>

#include "base/errors.h"
#include "server/calls/task_store.h"
#include "server/mcp/serializer.h"
#include "tests/support/catch.h"
#include "tests/unit/support/call_table_support.h"

using namespace bridle;
using namespace bridle::testing;

TEST_CASE("task store: ids can't be guessed, and find their task alone", "[wire.tasks]") {
  CallTableFixture fixture;
  TaskStore store;
  std::set<std::string> ids;
  for (int i = 0; i < 10; ++i) {
    const auto entry = fixture.begin(std::to_string(i));
    const auto task = store.create(entry->key());
    REQUIRE(task);
    CHECK(task->id().size() > 32);
    ids.insert(task->id());
    CHECK(store.find(task->id()) == task);
    CHECK(store.holds(entry->key()));
    task->finish({.content = ToolResult{}});
    CHECK_FALSE(store.holds(entry->key()));
  }
  CHECK(ids.size() == 10);
  CHECK(store.find("task-") == nullptr);
  CHECK(store.size() == 10);
}

TEST_CASE("task store: full, it makes no more, and forgets nobody before the time") {
  CallTableFixture fixture;
  TaskStore store;
  const auto entry = fixture.begin("1");
  const auto first = store.create(entry->key());
  first->finish({});
  for (std::size_t i = 1; i < TaskStore::kMaxTasks; ++i) CHECK(store.create(entry->key()));
  CHECK(store.create(entry->key()) == nullptr);
  CHECK(store.find(first->id()) == first);
  CHECK_FALSE(first->may_go(Clock::now() + TaskStore::kTtl / 2));
  CHECK(first->may_go(Clock::now() + TaskStore::kTtl + TaskStore::kKeptAfterEnd));
}

TEST_CASE("task: its end is the message's, and the first one counts") {
  CallTableFixture fixture;
  const auto entry = fixture.begin("1");
  const auto ended_by = [&](const CallAnswer& answer) {
    Task task(entry->key());
    CHECK(task.state()["status"] == "working");
    CHECK(task.result_text(Revision::v2026_07_28).empty());
    task.note("being cancelled");
    CHECK(task.state()["statusMessage"] == "being cancelled");
    task.finish(answer);
    task.finish({.content = ToolResult::text("late")});
    const Json state = Json::parse(
        serializer::task_state(Revision::v2026_07_28, task.state(), task.result_text(Revision::v2026_07_28)));
    CHECK_FALSE(state.contains("statusMessage"));
    return state;
  };
  const Json completed = ended_by({.content = ToolResult::error("no")});
  CHECK(completed["status"] == "completed");
  CHECK(completed["result"]["isError"] == true);
  CHECK(completed["result"]["content"][0]["text"] == "no");
  const Json failed = ended_by({.content = RpcFailure{.code = -32603, .words = "x"}});
  CHECK(failed["status"] == "failed");
  CHECK(failed["error"] == Json{{"code", -32603}, {"message", "x"}});
  CHECK_FALSE(failed.contains("result"));
  const Json cancelled = ended_by({});
  CHECK(cancelled["status"] == "cancelled");
  CHECK_FALSE(cancelled.contains("result"));
}

TEST_CASE("task: a question waits for all its answers, or for the abort") {
  CallTableFixture fixture;
  const auto entry = fixture.begin("1");
  Task task(entry->key());
  CallContext context = soon();
  context.signal = entry->signal();
  Json got;
  std::thread asking([&] { got = task.ask(context, {{"a", Json::object()}, {"b", Json::object()}}); });
  while (task.state()["status"] != "input_required") std::this_thread::yield();
  task.update({{"a", {{"x", 1}}}, {"c", Json::object()}, {"b", 5}});  // c was not asked, 5 is no answer
  CHECK(task.state()["inputRequests"] == Json{{"b", Json::object()}});
  task.update({{"a", {{"x", 2}}}, {"b", Json::object()}});  // a was answered
  asking.join();
  CHECK(got == Json{{"a", {{"x", 1}}}, {"b", Json::object()}});
  CHECK(task.state()["status"] == "working");

  bool aborted = false;
  std::thread waiting([&] {
    try {
      task.ask(context, {{"a", Json::object()}});
    } catch (const Aborted&) {
      aborted = true;
    }
  });
  while (task.state()["status"] != "input_required") std::this_thread::yield();
  fixture.cancel("1");
  waiting.join();
  CHECK(aborted);
}
