// A run is stopped in each of its phases: at once, with nothing begun after it, and with the browser ready for the next
// one.
#include <map>
#include <utility>

#include "base/limits.h"
#include "tests/support/stopwatch.h"
#include "tests/wire/support/agent_serving.h"

using namespace bridle;
using namespace bridle::wire;
using bridle::testing::Stopwatch;
using matchers::Contains;

namespace {

// Until what a stop must end is closed: 100 ms of the run, and what the clean-up in the browser may take.
constexpr Millis kModelClosed{100};
constexpr Millis kRunStopped = kModelClosed + std::chrono::duration_cast<Millis>(limits::kCleanup);

struct StopPhase {
  const char* name;
  std::vector<ModelTurn> turns;
  std::size_t asked;      // of the model, when the phase has come
  std::string path{};     // whose open connection tells that it has, and whose end that it is over
  std::string tool{};     // or that runs then
  std::string never{};    // what must not be asked for
  bool model = false;     // `path` is the model's
  bool question = false;  // the client is asked
  bool between_tries = false;
};

std::vector<StopPhase> stop_phases(site::SiteServer& site) {
  site.set_page("/leaving", "<!doctype html><title>Leaving</title><a id=away href=/never?click>away</a>");
  const auto open = calls_tool("browser_navigate", {{"url", site.url("/leaving")}});
  ModelTurn two = calls_tool("browser_evaluate", {{"function", "() => fetch('/held?key=two', {signal})"}});
  two.calls.push_back({"browser_navigate", {{"url", site.url("/plain?second")}}});
  const std::string model = "/v1/chat/completions";
  return {
      {.name = "the model thinks",
       .turns = {open, {.fault = Fault::stall_before}},
       .asked = 2,
       .path = model,
       .model = true},
      {.name = "the model speaks",
       .turns = {open, {.text = "I", .fault = Fault::stall_within}},
       .asked = 2,
       .path = model,
       .model = true},
      {.name = "between two tries",
       .turns = {open, {.fault = Fault::status, .status = 503, .retry_after = "30"}},
       .asked = 2,
       .between_tries = true},
      {.name = "a navigation",
       .turns = {open, calls_tool("browser_navigate", {{"url", site.url("/never?run")}})},
       .asked = 2,
       .path = "/never?run"},
      {.name = "a click's navigation",
       .turns = {open, calls_tool("browser_click", {{"target", "#away"}})},
       .asked = 2,
       .path = "/never?click"},
      {.name = "a wait",
       .turns = {open, calls_tool("browser_wait_for", {{"text", "what never comes"}, {"timeout", 60'000}})},
       .asked = 2,
       .tool = "browser_wait_for"},
      {.name = "a script",
       .turns = {open, calls_tool("browser_evaluate", {{"function", "() => fetch('/held?key=k', {signal})"}})},
       .asked = 2,
       .path = "/held?key=k"},
      {.name = "between two calls of one answer",
       .turns = {open, two},
       .asked = 2,
       .path = "/held?key=two",
       .never = "/plain?second"},
      {.name = "a question",
       .turns = {open, calls_tool("ask_user", {{"question", "Go on?"}})},
       .asked = 2,
       .tool = "ask_user",
       .question = true},
  };
}

enum class StopWay { notification, tool, endpoint };

// Waits until the run is in its phase; the question that it has put.
Json await_phase(AgentServing& serving, const site::SiteServer& site, const StopPhase& phase, const ModelScript& script,
                 Exchange& exchange) {
  REQUIRE(eventually([&] { return script.asked() == phase.asked; }, kRunPatience));
  if (!phase.path.empty()) REQUIRE(site.wait_for_open_connections(phase.path, 1, kRunPatience));
  if (!phase.tool.empty()) REQUIRE(eventually([&] { return serving.runs(phase.tool); }, kRunPatience));
  if (phase.between_tries) REQUIRE(site.wait_for_open_connections(script.path(), 0, kRunPatience));
  while (phase.question) {
    auto message = exchange.next_message(kRunPatience);
    REQUIRE(message);
    if (message->value("method", "") == "elicitation/create") return message->at("id");
  }
  return {};
}

void stop_run(AgentServing& serving, StopWay way, const Json& id) {
  if (way == StopWay::notification) {
    CHECK(serving.client.cancel(id) == 202);
  } else if (way == StopWay::tool) {
    const auto report = serving.client.call("stop-" + dump(id), "browser_stop", Json::object()).only();
    CHECK(report.at("result").at("structuredContent").at("timedOut") == false);
  } else {
    CHECK(serving.client.http("POST", "/stop", dump({{"request", id}}), {}).only().at("timedOut") == false);
  }
}

}  // namespace

TEST_CASE("agent: a stop in each phase ends the run at once, and the next one is free",
          "[agent] [agent.stop] [agent.models.abort] [agent.run.one] [agent.history] [agent.ask]") {
  TempDir tmp;
  site::SiteServer site;
  AgentServing serving(tmp, site, {}, {{"elicitation", Json::object()}});
  int id = 0;
  std::size_t runs = 0;
  std::map<std::string, std::pair<long, long>> worst;  // by phase: ms until the connection closed, and until the end
  for (const auto way : {StopWay::notification, StopWay::tool, StopWay::endpoint}) {
    for (const auto& phase : stop_phases(site)) {
      INFO(phase.name << ", way " << static_cast<int>(way));
      site.reset_log();
      ModelScript script(site, phase.turns);
      const int run = ++id;
      ++runs;
      auto exchange = serving.client.start(serving.client.call_request(run, "browser_agent", {{"task", "wait"}}, "t"));
      const Json question = await_phase(serving, site, phase, script, *exchange);
      // A second run of the same session is refused.
      const auto second = serving.client.call(++id, "browser_agent", {{"task", "too"}});
      CHECK(second.is_error_result());
      CHECK_THAT(second.text(), Contains("under way already"));
      const auto hangups = site.hangups(phase.path);
      const Stopwatch since_stop;
      stop_run(serving, way, run);
      if (!phase.path.empty()) {
        REQUIRE(site.wait_for_hangup(phase.path, kRunPatience, hangups + 1));
        const auto closed = since_stop.waited();
        CHECK(closed <= (phase.model ? kModelClosed : kRunStopped));
        worst[phase.name].first = std::max(worst[phase.name].first, static_cast<long>(closed.count()));
      }
      REQUIRE(eventually([&] { return serving.running().empty(); }, kRunPatience));
      const auto ended = since_stop.waited();
      CHECK(ended <= (phase.model || phase.between_tries || phase.question ? kModelClosed : kRunStopped));
      worst[phase.name].second = std::max(worst[phase.name].second, static_cast<long>(ended.count()));
      // Nothing was begun after it, and the question is withdrawn.
      CHECK(script.asked() == phase.asked);
      if (!phase.never.empty()) CHECK(site.requests(phase.never).empty());
      bool withdrawn = false;
      for (const Json& message : exchange->all_messages()) {
        if (message.value("method", "") == "notifications/cancelled")
          withdrawn = message.at("params").at("requestId") == question;
        if (message.contains("result")) CHECK(message.at("result").at("isError") == true);
      }
      CHECK(withdrawn == phase.question);
      // The tab is usable.
      const auto looked = serving.client.call(++id, "browser_snapshot", Json::object());
      CHECK_FALSE(looked.is_error_result());
      CHECK_THAT(looked.text(), Contains("Leaving"));
    }
  }
  for (const auto& [phase, ms] : worst)
    WARN(phase << ": its connection closed after " << ms.first << " ms, stopped after " << ms.second << " ms at most");
  const auto histories = run_histories(tmp);
  CHECK(histories.size() == runs);
  for (const auto& lines : histories) CHECK(lines.back().at("status") == "stopped");
  for (const auto& entry : std::filesystem::directory_iterator(tmp.path() + "/out/runs")) {
    CHECK((std::filesystem::status(entry.path()).permissions() & std::filesystem::perms::others_read) ==
          std::filesystem::perms::none);
  }
  CHECK(serving.counter("abort_warnings_total") == 0);
  CHECK(serving.counter("invalid_transitions_total") == 0);
  // The last word: a run that ends by itself.
  ModelScript script(site, {says_done(true, "free")});
  CHECK(serving.run("last", {{"task", "end"}}).at("structuredContent").at("status") == "completed");
}

TEST_CASE("agent: while a stopped run still cleans up the next one begins", "[agent] [agent.run.one]") {
  TempDir tmp;
  site::SiteServer site;
  AgentServing serving(tmp, site);
  ModelScript script(site, {calls_tool("browser_navigate", {{"url", site.url("/plain")}}),
                            calls_tool("browser_evaluate", {{"function", "() => { fetch('/plain?loop'); for (;;); }"}}),
                            says_done(true, "the next one")});
  auto first = serving.client.start(serving.client.call_request(1, "browser_agent", {{"task", "loop"}}));
  REQUIRE(eventually([&] { return serving.runs("browser_evaluate"); }, kRunPatience));
  // The browser ends the loop only when it runs again: until then the first run can't end.
  const auto browser = serving.status().at("browsers")[0].at("pid").get<pid_t>();
  REQUIRE(::kill(browser, SIGSTOP) == 0);
  CHECK(serving.client.cancel(1) == 202);
  auto second = serving.client.start(serving.client.call_request(2, "browser_agent", {{"task", "go on"}}, "t"));
  // It has begun once it tells its id.
  const auto begun = second->next_message(kRunPatience);
  CHECK(::kill(browser, SIGCONT) == 0);
  REQUIRE(begun);
  CHECK(begun->value("method", "") == "notifications/progress");
  const Json result = result_of(*second);
  INFO(dump(result));
  CHECK(result.at("structuredContent").at("text") == "the next one");
}

TEST_CASE("agent: a question that is stopped alone is withdrawn, and the run goes on", "[agent] [agent.ask]") {
  TempDir tmp;
  site::SiteServer site;
  AgentServing serving(tmp, site, {}, {{"elicitation", Json::object()}});
  ModelScript script(site, {calls_tool("ask_user", {{"question", "One?"}}),
                            calls_tool("ask_user", {{"question", "Two?"}}), says_done(true, "asked")});
  auto exchange = serving.client.start(serving.client.call_request(1, "browser_agent", {{"task", "ask"}}));
  Json first;
  Json result;
  bool withdrawn = false;
  while (auto message = exchange->next_message(kRunPatience)) {
    const auto method = message->value("method", "");
    if (message->contains("result")) result = message->at("result");
    if (method == "notifications/cancelled") {
      CHECK(message->at("params").at("requestId") == first);
      withdrawn = true;
    }
    if (method != "elicitation/create") continue;
    if (first.is_null()) {
      first = message->at("id");
      Json row_id;
      const Json now = serving.status();
      for (const Json& row : now.at("requests")) {
        if (row.at("tool") == "ask_user") row_id = row.at("id");
      }
      REQUIRE(row_id.is_string());
      CHECK(serving.client.http("POST", "/stop", dump({{"request", row_id}}), {}).status == 200);
      continue;
    }
    serving.client.post({{"jsonrpc", "2.0"},
                         {"id", message->at("id")},
                         {"result", {{"action", "accept"}, {"content", {{"answer", "the second"}}}}}});
  }
  CHECK(withdrawn);
  CHECK(result.at("structuredContent").at("text") == "asked");
  CHECK_THAT(dump(script.question(1).at("messages").back()), Contains("stopped"));
  CHECK_THAT(dump(script.question(2).at("messages").back()), Contains("the second"));
}

TEST_CASE("agent: in 2026-07-28 a run asks by its task, each question anew; without tasks nobody can be asked",
          "[agent] [agent.ask] [agent.tool]") {
  TempDir tmp;
  site::SiteServer site;
  const Json forms{{"elicitation", Json::object()}};
  Json tasks = forms;
  tasks["extensions"] = {{"io.modelcontextprotocol/tasks", Json::object()}};
  ModelScript script(site, {calls_tool("ask_user", {{"question", "One?"}}),
                            calls_tool("ask_user", {{"question", "Two?"}}), says_done(true, "asked")});
  SECTION("by a task") {
    AgentServing serving(tmp, site, {}, tasks, kModern);
    const Json made = serving.client.call(1, "browser_agent", {{"task", "ask"}}).only().at("result");
    REQUIRE(made.at("resultType") == "task");
    const auto ask = [&](const std::string& method, Json params) {
      params["taskId"] = made.at("taskId");
      return serving.client.post(request(method, method, params)).only().at("result");
    };
    for (const char* answer : {"first", "second"}) {
      Json state;
      REQUIRE(eventually(
          [&] {
            state = ask("tasks/get", Json::object());
            return state.at("status") == "input_required";
          },
          kRunPatience));
      const auto key = state.at("inputRequests").begin().key();
      ask("tasks/update", {{"inputResponses", {{key, {{"action", "accept"}, {"content", {{"answer", answer}}}}}}}});
    }
    REQUIRE(eventually([&] { return ask("tasks/get", Json::object()).at("status") == "completed"; }, kRunPatience));
    CHECK_THAT(dump(script.question(1).at("messages").back()), Contains("answered: first"));
    CHECK_THAT(dump(script.question(2).at("messages").back()), Contains("answered: second"));
  }
  SECTION("a task's question goes with the stop") {
    AgentServing serving(tmp, site, {}, tasks, kModern);
    const Json made = serving.client.call(1, "browser_agent", {{"task", "ask"}}).only().at("result");
    const auto ask = [&](const std::string& method) {
      return serving.client.post(request(method, method, {{"taskId", made.at("taskId")}})).only().at("result");
    };
    REQUIRE(eventually([&] { return ask("tasks/get").at("status") == "input_required"; }, kRunPatience));
    ask("tasks/cancel");
    REQUIRE(eventually([&] { return ask("tasks/get").at("status") == "cancelled"; }, kRunPatience));
    CHECK_FALSE(ask("tasks/get").contains("inputRequests"));
    CHECK(script.asked() == 1);
    CHECK(eventually([&] { return serving.running().empty(); }, kRunPatience));
  }
  SECTION("without tasks") {
    AgentServing serving(tmp, site, {}, forms, kModern);
    CHECK(serving.run(1, {{"task", "ask"}}).at("structuredContent").at("status") == "completed");
    CHECK_THAT(dump(script.question(1).at("messages").back()),
               Contains("Nobody can be asked") && Contains("io.modelcontextprotocol/tasks"));
  }
  SECTION("without forms") {
    AgentServing serving(tmp, site);
    CHECK(serving.run(1, {{"task", "ask"}}).at("structuredContent").at("status") == "completed");
    CHECK_THAT(dump(script.question(1).at("messages").back()),
               Contains("Nobody can be asked") && Contains("declares no elicitation"));
  }
}
