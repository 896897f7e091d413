// The files that tell what runs did.
#include <fcntl.h>

#include <filesystem>
#include <fstream>

#include "base/temp_folder.h"
#include "server/agent/history.h"
#include "tests/support/catch.h"

namespace {

using namespace bridle;
using namespace bridle::agent;
using matchers::Contains;

std::vector<std::string> kept_in(const TempFolder& folder) {
  std::vector<std::string> ids;
  for (const auto& run : past_runs(folder.path())) ids.push_back(run.id);
  return ids;
}

void add_old(const TempFolder& folder, const std::string& id, std::size_t more = 0) {
  std::ofstream(folder.path() + "/" + id + ".jsonl") << R"({"task":"t","more":")" + std::string(more, 'x') + "\"}\n";
}

}  // namespace

TEST_CASE("history: the oldest go, beyond a number and beyond a size", "[agent] [agent.history.kept]") {
  const TempFolder folder("bridle-history-");
  for (const char* id : {"20260101-000000-a", "20260102-000000-b", "20260103-000000-c"}) add_old(folder, id);
  std::ofstream(folder.path() + "/notes.txt") << "not a run's";
  SECTION("a number") {
    remove_old_runs(folder.path(), {.runs = 2});
    CHECK(kept_in(folder) == std::vector<std::string>{"20260103-000000-c", "20260102-000000-b"});
  }
  SECTION("a size, but for the newest") {
    add_old(folder, "20260104-000000-d", 1000);
    remove_old_runs(folder.path(), {.bytes = 1080});
    CHECK(kept_in(folder) == std::vector<std::string>{"20260104-000000-d", "20260103-000000-c", "20260102-000000-b"});
    remove_old_runs(folder.path(), {.bytes = 500});
    CHECK(kept_in(folder) == std::vector<std::string>{"20260104-000000-d"});
  }
  SECTION("but for one that is under way") {
    const RunTask task{.id = "20250101-000000-old", .task = "goes on"};
    {
      const History under_way(folder.path(), task, "m");
      remove_old_runs(folder.path(), {.runs = 1});
      CHECK(kept_in(folder) == std::vector<std::string>{"20260103-000000-c", "20250101-000000-old"});
    }
    remove_old_runs(folder.path(), {.runs = 1});
    CHECK(kept_in(folder) == std::vector<std::string>{"20260103-000000-c"});
  }
  CHECK(std::filesystem::exists(folder.path() + "/notes.txt"));
}

TEST_CASE("history: a run that begins makes room for itself", "[agent] [agent.history.kept]") {
  const TempFolder folder("bridle-history-");
  for (std::size_t i = 0; i < limits::kRunsKept; ++i) add_old(folder, "20200101-" + std::to_string(100'000 + i) + "-x");
  const RunTask task{.id = make_run_id(), .task = "new"};
  History history(folder.path(), task, "m");
  const auto kept = kept_in(folder);
  CHECK(kept.size() == limits::kRunsKept);
  CHECK(kept.front() == task.id);
  CHECK(kept.back() == "20200101-100001-x");
}

TEST_CASE("history: of a run that was killed each whole line is read", "[agent] [agent.history]") {
  const TempFolder folder("bridle-history-");
  const RunTask task{.id = "killed", .task = "buy milk"};
  {
    History history(folder.path(), task, "m");
    history.add({.number = 1, .goal = "look"});
    history.add({.number = 2, .goal = "buy"});
  }
  std::ofstream(folder.path() + "/killed.jsonl", std::ios::app) << R"({"step":3,"go)";
  const auto runs = past_runs(folder.path());
  REQUIRE(runs.size() == 1);
  CHECK(runs[0].task == "buy milk");
  CHECK(runs[0].status == "running");
  CHECK(runs[0].steps == 2);
  CHECK_THAT(read_history(folder.path(), "killed").value(), Contains("\"goal\":\"buy\""));
}
