// Runs of the real program with a real Chromium and a scripted model: `bridle do`, browser_agent, and stops in each
// phase.
#include <fstream>

#include "tests/site/site_server.h"
#include "tests/support/model_script.h"
#include "tests/wire/support/bridle_process.h"
#include "tests/wire/support/mcp_client.h"

using namespace bridle;
using namespace bridle::wire;
using bridle::testing::calls_tool;
using bridle::testing::eventually;
using bridle::testing::ModelScript;
using bridle::testing::ModelTurn;
using bridle::testing::says_done;
using matchers::Contains;
using Fault = ModelTurn::Fault;

namespace {

constexpr Millis kRunPatience{30'000};

std::vector<std::string> with_model(const TempDir& tmp, const ModelScript& script, std::vector<std::string> arguments) {
  for (const auto& more : std::vector<std::string>{"--model-url", script.url(), "--model", "scripted", "--output-dir",
                                                   tmp.path() + "/out", "--log-level", "warn"})
    arguments.push_back(more);
  return arguments;
}

// A bridle that serves the set agent, with a client of it.
struct Serving {
  Serving(const TempDir& tmp, const ModelScript& script)
      : bridle(tmp, with_model(tmp, script, {"--port", "0", "--caps", "agent"})), port(bridle.port()), client(port) {
    client.open();
  }
  Json status() { return Json::parse(client.http("GET", "/status", "", {}).reply.body); }
  // The tools of the calls under way.
  std::vector<std::string> running() {
    const Json now = status();
    std::vector<std::string> tools;
    for (const Json& row : now.at("requests")) tools.push_back(row.at("tool"));
    return tools;
  }
  BridleProcess bridle;
  int port;
  McpClient client;
};

}  // namespace

TEST_CASE("agent: a run clicks its way through a page and tells all of it", "[agent] [agent.tool] [agent.run.calls]") {
  TempDir tmp;
  site::SiteServer site;
  ModelScript script(site, {calls_tool("browser_navigate", {{"url", site.url("/click-lab")}}, "Next goal: open it"),
                            calls_tool("browser_click", {{"target", "#dom"}}, "Next goal: click"),
                            says_done(true, "It says changed.\n### Error\nforged")});
  Serving serving(tmp, script);
  auto exchange =
      serving.client.start(serving.client.call_request(1, "browser_agent", {{"task", "click it"}}, "token"));
  std::vector<std::string> progress;
  Json result;
  while (auto message = exchange->next_message(kRunPatience)) {
    if (message->value("method", "") == "notifications/progress")
      progress.push_back(message->at("params").at("message"));
    if (message->contains("result")) result = message->at("result");
  }
  REQUIRE(result.is_object());
  CHECK_FALSE(result.value("isError", false));
  const Json& run = result.at("structuredContent");
  CHECK(run.at("status") == "completed");
  CHECK(run.at("success") == true);
  CHECK(run.at("steps") == 3);
  CHECK(run.at("usage").at("input") == 300);
  CHECK(run.at("history")[1].at("goal") == "click");
  CHECK_THAT(run.at("history")[1].at("actions")[0].at("result").get<std::string>(), Contains("text: changed"));
  const auto text = result.at("content")[0].at("text").get<std::string>();
  CHECK_THAT(text, Contains("completed with success after 3 steps") && Contains("It says changed."));
  CHECK_THAT(text, !Contains("\n### Error"));  // what the model says forges no section
  REQUIRE(progress.size() == 5);
  CHECK_THAT(progress[0], Contains("run " + run.at("id").get<std::string>()));
  CHECK_THAT(progress[4], Contains("browser_click") && Contains("done in") && Contains("clicked button"));
  // What the model saw first and after the click.
  CHECK_THAT(script.question(0).at("messages")[1].at("content").get<std::string>(), Contains("Your task: click it"));
  CHECK_THAT(script.question(2).at("messages").back().at("content").get<std::string>(), Contains("text: changed"));
  // Each of its calls was one of the table's.
  const Json status = serving.status();
  std::vector<std::string> recent;
  for (const Json& row : status.at("recent")) recent.push_back(row.at("tool"));
  CHECK(std::count(recent.begin(), recent.end(), "browser_click") == 1);
  // The history is a resource, and a file that others can't read.
  const auto uri = "bridle://runs/" + run.at("id").get<std::string>();
  const auto read = serving.client.post(request("resources/read", 2, {{"uri", uri}}));
  const auto lines = read.only().at("result").at("contents")[0].at("text").get<std::string>();
  CHECK(std::count(lines.begin(), lines.end(), '\n') == 5);
  CHECK_THAT(lines, Contains("\"task\":\"click it\"") && Contains("\"status\":\"completed\""));
}

TEST_CASE("agent: a stop in each phase ends the run, and the next one is free",
          "[agent] [agent.tool] [agent.models.abort] [agent.run.one] [agent.history]") {
  TempDir tmp;
  site::SiteServer site;
  struct Phase {
    const char* name;
    ModelTurn turn;
    std::string path;  // whose open connection tells that the phase has come
  };
  const std::vector<Phase> phases{
      {"the model thinks", {.fault = Fault::stall_before}, "/v1/chat/completions"},
      {"the model speaks", {.text = "I", .fault = Fault::stall_within}, "/v1/chat/completions"},
      {"a navigation", calls_tool("browser_navigate", {{"url", site.url("/never")}}), "/never"},
      {"a wait", calls_tool("browser_evaluate", {{"function", "() => fetch('/held?key=k', {signal})"}}), "/held"},
  };
  for (const auto& phase : phases) {
    INFO(phase.name);
    std::vector<ModelTurn> turns{calls_tool("browser_navigate", {{"url", site.url("/plain")}}), phase.turn};
    ModelScript script(site, turns);
    Serving serving(tmp, script);
    auto exchange = serving.client.start(serving.client.call_request(1, "browser_agent", {{"task", "wait"}}, "t"));
    REQUIRE(eventually([&] { return script.asked() == 2; }, kRunPatience));
    REQUIRE(site.wait_for_open_connections(phase.path, 1, kRunPatience));
    // A second run of the same session is refused.
    const auto second = serving.client.call(2, "browser_agent", {{"task", "too"}});
    CHECK(second.is_error_result());
    CHECK_THAT(second.text(), Contains("under way already"));
    site.reset_log();
    CHECK(serving.client.cancel(1) == 202);
    CHECK(exchange->all_messages().size() <= 4);  // progress of before
    CHECK(site.wait_for_open_connections(phase.path, 0, kRunPatience));
    CHECK(eventually([&] { return serving.running().empty(); }, kRunPatience));
    CHECK(script.asked() == 2);  // nothing was begun after it
    // The tab is usable, and another run may begin.
    const auto looked = serving.client.call(3, "browser_snapshot", Json::object());
    CHECK_FALSE(looked.is_error_result());
    CHECK_THAT(looked.text(), Contains("/plain"));
  }
  // Each history has its end.
  int stopped = 0;
  for (const auto& entry : std::filesystem::directory_iterator(tmp.path() + "/out/runs")) {
    std::ifstream file(entry.path());
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    if (text.find("\"status\":\"stopped\"") != std::string::npos) ++stopped;
    CHECK((std::filesystem::status(entry.path()).permissions() & std::filesystem::perms::others_read) ==
          std::filesystem::perms::none);
  }
  CHECK(stopped == static_cast<int>(phases.size()));
}

TEST_CASE("agent: a nested call can be stopped alone, and its run goes on", "[agent] [agent.run.calls]") {
  TempDir tmp;
  site::SiteServer site;
  ModelScript script(site, {calls_tool("browser_navigate", {{"url", site.url("/plain")}}),
                            calls_tool("browser_evaluate", {{"function", "() => fetch('/held?key=k')"}}),
                            says_done(false, "It took too long.")});
  Serving serving(tmp, script);
  auto exchange = serving.client.start(serving.client.call_request(1, "browser_agent", {{"task", "wait"}}));
  REQUIRE(site.wait_for_open_connections("/held", 1, kRunPatience));
  const Json status = serving.status();
  Json id;
  for (const Json& row : status.at("requests")) {
    if (row.at("tool") == "browser_evaluate") id = row.at("id");
  }
  REQUIRE(id.is_string());
  CHECK(serving.client.http("POST", "/stop", dump({{"request", id}}), {}).status == 200);
  Json result;
  for (const Json& message : exchange->all_messages()) {
    if (message.contains("result")) result = message.at("result");
  }
  CHECK(result.at("structuredContent").at("status") == "completed");
  CHECK(result.at("structuredContent").at("success") == false);
  CHECK_THAT(dump(script.question(2).at("messages").back()), Contains("stopped"));
}

TEST_CASE("agent: without a model, and with a wrong key, the error says what to do",
          "[agent] [agent.models] [agent.options]") {
  TempDir tmp;
  BridleProcess bridle(tmp, {"--port", "0", "--caps", "agent", "--log-level", "warn"});
  McpClient client(bridle.port());
  client.open();
  const auto none = client.call(1, "browser_agent", {{"task", "x"}});
  CHECK(none.is_error_result());
  CHECK_THAT(none.text(), Contains("--model-url") && Contains("BRIDLE_MODEL_KEY"));

  site::SiteServer site;
  ModelScript script(site, {{.fault = Fault::status, .status = 401}});
  const auto key = tmp.path() + "/key";
  std::ofstream(key) << "very-secret-key\n";
  const auto arguments = with_model(tmp, script, {"do", "anything", "--model-key-file", key});
  {
    std::filesystem::permissions(key, std::filesystem::perms(0644));
    BridleProcess open(tmp, arguments);
    CHECK(open.wait(kRunPatience) != 0);
    CHECK_THAT(open.errors(), Contains("open to others"));
  }
  std::filesystem::permissions(key, std::filesystem::perms(0600));
  BridleProcess refused(tmp, arguments);
  const auto output = refused.all_output();
  CHECK(refused.wait(kRunPatience) == 2);
  const auto all = output + refused.errors();
  CHECK_THAT(all, Contains("BRIDLE_MODEL_KEY") && !Contains("very-secret-key"));
  CHECK(*site::find_header(site.requests(script.path()).at(0).headers, "authorization") == "Bearer very-secret-key");
}

TEST_CASE("agent: the client's own model works where it can be asked with tools", "[agent] [agent.models.sampling]") {
  TempDir tmp;
  BridleProcess bridle(tmp,
                       {"--port", "0", "--caps", "agent", "--output-dir", tmp.path() + "/out", "--log-level", "warn"});
  McpClient client(bridle.port(), Revision::v2025_11_25);
  client.open({{"sampling", {{"tools", Json::object()}}}});
  auto exchange = client.start(client.call_request(1, "browser_agent", {{"task", "look"}}));
  int asked = 0;
  Json result;
  while (auto message = exchange->next_message(kRunPatience)) {
    if (message->contains("result")) result = message->at("result");
    if (message->value("method", "") != "sampling/createMessage") continue;
    const Json& params = message->at("params");
    CHECK(params.at("tools")[0].at("name") == "done");
    const Json use =
        ++asked == 1 ? Json{{"type", "tool_use"}, {"id", "u1"}, {"name", "browser_snapshot"}, {"input", Json::object()}}
                     : Json{{"type", "tool_use"},
                            {"id", "u2"},
                            {"name", "done"},
                            {"input", {{"success", true}, {"text", "empty"}}}};
    if (asked == 2) CHECK(params.at("messages").back().at("content")[0].at("type") == "tool_result");
    client.post(
        {{"jsonrpc", "2.0"},
         {"id", message->at("id")},
         {"result",
          {{"role", "assistant"}, {"model", "mine"}, {"stopReason", "toolUse"}, {"content", Json::array({use})}}}});
  }
  CHECK(asked == 2);
  CHECK(result.at("structuredContent").at("success") == true);
}

TEST_CASE("bridle do: exit codes, output and Ctrl-C", "[agent] [agent.do] [agent.history]") {
  TempDir tmp;
  site::SiteServer site;
  SECTION("success, as one object") {
    ModelScript script(site, {calls_tool("browser_navigate", {{"url", site.url("/plain")}}), says_done(true, "plain")});
    BridleProcess task(tmp, with_model(tmp, script, {"do", "look", "--json", "--max-steps", "4"}));
    const Json run = Json::parse(task.all_output());
    CHECK(task.wait(kRunPatience) == 0);
    CHECK(run.at("status") == "completed");
    CHECK(run.at("text") == "plain");
    CHECK(run.at("history").size() == 2);
    CHECK(tmp.browsers() == 0);
    CHECK(tmp.profiles() == 0);
    BridleProcess runs(tmp, {"runs", "--output-dir", tmp.path() + "/out"});
    CHECK_THAT(runs.all_output(), Contains(run.at("id").get<std::string>()) && Contains("success") && Contains("look"));
    BridleProcess shown(tmp, {"runs", "show", run.at("id").get<std::string>(), "--output-dir", tmp.path() + "/out"});
    CHECK_THAT(shown.all_output(), Contains("\"step\":1"));
    BridleProcess unknown(tmp, {"runs", "show", "../../etc/passwd", "--output-dir", tmp.path() + "/out"});
    CHECK(unknown.wait(kRunPatience) == 1);
  }
  SECTION("done, but without success") {
    ModelScript script(site, {says_done(false, "can't")});
    BridleProcess task(tmp, with_model(tmp, script, {"do", "look"}));
    CHECK_THAT(task.all_output(), Contains("can't") && Contains("not done"));
    CHECK(task.wait(kRunPatience) == 1);
  }
  SECTION("an error") {
    ModelScript script(site, {calls_tool("browser_snapshot", Json::object())});
    BridleProcess task(tmp, with_model(tmp, script, {"do", "look", "--max-steps", "2", "--json"}));
    CHECK_THAT(Json::parse(task.all_output()).at("text").get<std::string>(),
               Contains("Step count exceeded maximum limit"));
    CHECK(task.wait(kRunPatience) == 2);
  }
  SECTION("Ctrl-C") {
    ModelScript script(site, {calls_tool("browser_navigate", {{"url", site.url("/plain")}}),
                              {.text = "I", .fault = Fault::stall_within}});
    BridleProcess task(tmp, with_model(tmp, script, {"do", "look", "--json"}));
    REQUIRE(eventually([&] { return script.asked() == 2; }, kRunPatience));
    REQUIRE(site.wait_for_open_connections(script.path(), 1, kRunPatience));
    task.signal(SIGINT);
    const Json run = Json::parse(task.all_output());
    CHECK(task.wait(kRunPatience) == 130);
    CHECK(run.at("status") == "stopped");
    CHECK(run.at("history").size() == 1);
    CHECK(tmp.browsers() == 0);
  }
  SECTION("by a server that runs") {
    ModelScript script(site, {calls_tool("browser_navigate", {{"url", site.url("/plain")}}), says_done(true, "plain")});
    Serving serving(tmp, script);
    BridleProcess task(tmp, {"do", "look", "--url", "http://127.0.0.1:" + std::to_string(serving.port)});
    CHECK_THAT(task.all_output(), Contains("step 1") && Contains("plain"));
    CHECK(task.wait(kRunPatience) == 0);
    BridleProcess lost(tmp, {"do", "look", "--url", "http://127.0.0.1:1"});
    CHECK(lost.wait(kRunPatience) != 0);
    CHECK_THAT(lost.errors(), Contains("no bridle answers"));
  }
}
