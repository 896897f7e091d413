// Many runs: nothing of them stays, and many sessions share one browser.
#include <chrono>
#include <filesystem>

#include "tests/wire/support/agent_serving.h"
#include "tests/wire/support/served.h"

using namespace bridle;
using namespace bridle::wire;
using matchers::Contains;

namespace {

struct ProcessGauges {
  long threads = 0;
  long files = 0;
  long anonymous_kib = 0;
};

long count_in(const std::string& folder) {
  std::error_code gone;
  long count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder, gone)) count += entry.path().empty() ? 0 : 1;
  return count;
}

ProcessGauges gauges_of(pid_t pid) {
  const auto proc = "/proc/" + std::to_string(pid);
  return {.threads = count_in(proc + "/task"), .files = count_in(proc + "/fd"), .anonymous_kib = anonymous_kib(pid)};
}

// The gauges of /status that must return to where they were.
Json counters_at_rest(AgentServing& serving) {
  const Json now = serving.status();
  Json gauges = Json::object();
  for (const auto& [name, value] : now.at("counters").items()) {
    if (!name.ends_with("_total")) gauges[name] = value;
  }
  gauges.erase("connections");  // that of this very question
  gauges.erase("watched_peers");
  return gauges;
}

// Idle threads end 10 s after their last work, which on a busy machine comes late.
constexpr std::chrono::seconds kIdleEnds{60};

}  // namespace

TEST_CASE("agent: after 1,000 runs all is back at its start", "[agent] [agent.nothing-left]") {
  constexpr int kRuns = 1000;
  TempDir tmp;
  site::SiteServer site;
  AgentServing serving(tmp, site);
  ModelScript script(site, {says_done(true, "nothing to do")});
  int id = 0;
  const auto run = [&] {
    const Json result = serving.run(++id, {{"task", "nothing"}});
    return result.at("structuredContent").at("status") == "completed";
  };
  // What is made once is made by then: the browser, pools, and what the allocator keeps.
  for (int i = 0; i < 50; ++i) REQUIRE(run());
  // Idle threads end after 10 s, and connections when their client has gone: none of them counts as the start.
  Json counters;
  REQUIRE(eventually(
      [&] {
        counters = counters_at_rest(serving);
        return serving.running().empty() && counters.at("worker_threads") == 0 &&
               counters.at("connection_threads") == 1;
      },
      kIdleEnds));
  const auto before = gauges_of(serving.bridle.pid());
  int completed = 0;
  for (int i = 0; i < kRuns; ++i) completed += run() ? 1 : 0;
  CHECK(completed == kRuns);
  Json after;
  CHECK(eventually([&] { return (after = counters_at_rest(serving)) == counters; }, kIdleEnds));
  CHECK(after == counters);
  // Idle threads end after 10 s; more than there were are none.
  ProcessGauges now;
  CHECK(eventually(
      [&] {
        now = gauges_of(serving.bridle.pid());
        return now.threads <= before.threads && now.files <= before.files;
      },
      kIdleEnds));
  CHECK(now.threads <= before.threads);
  CHECK(now.files <= before.files);
  // Sanitizers keep what was freed, to tell of its use.
  CHECK((kSanitized || now.anonymous_kib <= before.anonymous_kib + 4096));
  WARN("after 1,000 runs: threads " << before.threads << " -> " << now.threads << ", files " << before.files << " -> "
                                    << now.files << ", memory " << before.anonymous_kib << " -> " << now.anonymous_kib
                                    << " KiB");
  CHECK(serving.counter("abort_warnings_total") == 0);
  CHECK(serving.counter("invalid_transitions_total") == 0);
  CHECK(serving.counter("tabs") == 1);
}

TEST_CASE("agent: 16 runs at once, each in a session of its own, in one browser", "[agent] [agent.run.one]") {
  constexpr std::size_t kSessions = 16;
  TempDir tmp;
  site::SiteServer site;
  // Each is at its own page, which the model's second answer waits for.
  ModelTurn held = calls_tool("browser_evaluate", {{"function", "() => fetch('/held?key=all&' + document.title)"}});
  site.set_handler("/who", [](const site::Request& request, site::Response& response) {
    response.html("<!doctype html><title>" + request.query_text("n", "?") + "</title><p>page</p>");
  });
  AgentServing serving(tmp, site);
  ModelScript script(site, {held, says_done(true, "done")}, ModelScript::Api::openai, /*each=*/true);
  std::vector<McpClient> clients;
  std::vector<std::unique_ptr<Exchange>> runs;
  for (std::size_t i = 0; i < kSessions; ++i) {
    clients.emplace_back(serving.port);
    clients.back().open();
  }
  for (std::size_t i = 0; i < kSessions; ++i) {
    const auto opened = clients[i].call(1, "browser_navigate", {{"url", site.url("/who?n=" + std::to_string(i))}});
    REQUIRE_FALSE(opened.is_error_result());
  }
  for (auto& client : clients) runs.push_back(client.start(client.call_request(2, "browser_agent", {{"task", "x"}})));
  // All are under way at the same time.
  CHECK(eventually(
      [&] {
        const auto tools = serving.running();
        return std::count(tools.begin(), tools.end(), "browser_evaluate") == static_cast<long>(kSessions);
      },
      kRunPatience));
  const Json status = serving.status();
  CHECK(status.at("browsers").size() == 1);
  CHECK(serving.counter("tabs") == static_cast<long long>(kSessions));
  site.release("all");
  int completed = 0;
  for (auto& run : runs) {
    for (const Json& message : run->all_messages()) {
      if (message.contains("result") && message.at("result").at("structuredContent").at("status") == "completed")
        ++completed;
    }
  }
  CHECK(completed == static_cast<int>(kSessions));
  for (auto& client : clients) CHECK(client.remove() == 200);
  CHECK(eventually([&] { return serving.counter("tabs") == 0; }, kRunPatience));
  CHECK(run_histories(tmp).size() == kSessions);
}
