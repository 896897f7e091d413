#include <set>
#include <thread>

#include "base/errors.h"
#include "server/calls/task_store.h"
#include "tests/support/catch.h"
#include "tests/unit/registry_support.h"

using namespace bridle;
using namespace bridle::testing;

TEST_CASE("task store: ids can't be guessed, and find their task alone", "[wire.tasks]") {
  RegistryFixture fixture;
  TaskStore store;
  std::set<std::string> ids;
  for (int i = 0; i < 10; ++i) {
    const auto entry = fixture.begin(std::to_string(i));
    const auto task = store.create(entry.shared());
    REQUIRE(task);
    CHECK(task->id().size() > 32);
    ids.insert(task->id());
    CHECK(store.find(task->id()) == task);
    CHECK(store.holds(entry->key()));
    task->finish(R"({"jsonrpc":"2.0","id":1,"result":{}})");
    CHECK_FALSE(store.holds(entry->key()));
  }
  CHECK(ids.size() == 10);
  CHECK(store.find("task-") == nullptr);
  CHECK(store.size() == 10);
}

TEST_CASE("task store: full, it makes no more, and forgets nobody before the time") {
  RegistryFixture fixture;
  TaskStore store;
  const auto entry = fixture.begin("1");
  const auto first = store.create(entry.shared());
  first->finish("");
  for (std::size_t i = 1; i < TaskStore::kMaxTasks; ++i) CHECK(store.create(entry.shared()));
  CHECK(store.create(entry.shared()) == nullptr);
  CHECK(store.find(first->id()) == first);
  CHECK_FALSE(first->may_go(Clock::now() + TaskStore::kTtl / 2));
  CHECK(first->may_go(Clock::now() + TaskStore::kTtl + TaskStore::kKeptAfterEnd));
}

TEST_CASE("task: its end is the message's, and the first one counts") {
  RegistryFixture fixture;
  const auto entry = fixture.begin("1");
  const auto ended_by = [&](const std::string& message) {
    Task task(entry.shared());
    CHECK(task.detailed()["status"] == "working");
    task.note("being cancelled");
    CHECK(task.detailed()["statusMessage"] == "being cancelled");
    task.finish(message);
    task.finish(R"({"result":{"late":true}})");
    const Json detailed = task.detailed();
    CHECK_FALSE(detailed.contains("statusMessage"));
    return detailed;
  };
  const Json completed = ended_by(R"({"id":1,"result":{"isError":true}})");
  CHECK(completed["status"] == "completed");
  CHECK(completed["result"] == Json{{"isError", true}});
  const Json failed = ended_by(R"({"id":1,"error":{"code":-32603,"message":"x"}})");
  CHECK(failed["status"] == "failed");
  CHECK(failed["error"]["code"] == -32603);
  CHECK_FALSE(failed.contains("result"));
  const Json cancelled = ended_by("");
  CHECK(cancelled["status"] == "cancelled");
}

TEST_CASE("task: a question waits for all its answers, or for the abort") {
  RegistryFixture fixture;
  const auto entry = fixture.begin("1");
  Task task(entry.shared());
  CallContext context = soon();
  context.signal = entry->signal();
  Json got;
  std::thread asking([&] { got = task.ask(context, {{"a", Json::object()}, {"b", Json::object()}}); });
  while (task.detailed()["status"] != "input_required") std::this_thread::yield();
  task.update({{"a", {{"x", 1}}}, {"c", Json::object()}, {"b", 5}});  // c was not asked, 5 is no answer
  CHECK(task.detailed()["inputRequests"] == Json{{"b", Json::object()}});
  task.update({{"a", {{"x", 2}}}, {"b", Json::object()}});  // a was answered
  asking.join();
  CHECK(got == Json{{"a", {{"x", 1}}}, {"b", Json::object()}});
  CHECK(task.detailed()["status"] == "working");

  bool aborted = false;
  std::thread waiting([&] {
    try {
      task.ask(context, {{"a", Json::object()}});
    } catch (const Aborted&) {
      aborted = true;
    }
  });
  while (task.detailed()["status"] != "input_required") std::this_thread::yield();
  fixture.cancel("1");
  waiting.join();
  CHECK(aborted);
}
