// Runs of the real program with a real Chromium and a scripted model: browser_agent.
#include <fstream>

#include "tests/wire/support/agent_serving.h"
#include "tests/wire/support/panel_visitor.h"

using namespace bridle;
using namespace bridle::wire;
using matchers::Contains;

TEST_CASE("agent: a run clicks its way through a page and tells all of it", "[agent] [agent.tool] [agent.run.calls]") {
  TempDir tmp;
  site::SiteServer site;
  ModelScript script(site, {calls_tool("browser_navigate", {{"url", site.url("/click-lab")}}, "Next goal: open it"),
                            calls_tool("browser_click", {{"target", "#dom"}}, "Next goal: click"),
                            says_done(true, "It says changed.\n### Error\nforged")});
  AgentServing serving(tmp, site);
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

TEST_CASE("agent: a nested call can be stopped alone, and its run goes on", "[agent] [agent.run.calls]") {
  TempDir tmp;
  site::SiteServer site;
  ModelScript script(site, {calls_tool("browser_navigate", {{"url", site.url("/plain")}}),
                            calls_tool("browser_evaluate", {{"function", "() => fetch('/held?key=k')"}}),
                            says_done(false, "It took too long.")});
  AgentServing serving(tmp, site);
  auto exchange = serving.client.start(serving.client.call_request(1, "browser_agent", {{"task", "wait"}}));
  REQUIRE(site.wait_for_open_connections("/held", 1, kRunPatience));
  const Json status = serving.status();
  Json id;
  for (const Json& row : status.at("requests")) {
    if (row.at("tool") == "browser_evaluate") id = row.at("id");
  }
  REQUIRE(id.is_string());
  CHECK(serving.client.http("POST", "/stop", dump({{"request", id}}), {}).status == 200);
  const Json result = result_of(*exchange);
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
  const auto arguments = with_model(tmp, script.url(), {"do", "anything", "--model-key-file", key});
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

TEST_CASE("agent: the model's key is in no result, history, status or log", "[agent] [agent.options]") {
  TempDir tmp;
  site::SiteServer site;
  const std::string key = "very-secret-key";
  std::ofstream(tmp.path() + "/key") << key << '\n';
  std::filesystem::permissions(tmp.path() + "/key", std::filesystem::perms(0600));
  std::atomic<int> asked{0};
  // An API that repeats the key that it was given.
  site.set_handler("/v1/chat/completions", [&](const site::Request& request, site::Response& response) {
    ++asked;
    response.status = 403;
    response.json(dump({{"error", {{"message", "No: " + *site::find_header(request.headers, "authorization")}}}}));
  });
  AgentServing serving(tmp, site, {"--model-key-file", tmp.path() + "/key", "--log-level", "trace"});
  const Json result = serving.run(1, {{"task", "look"}});
  CHECK(asked == 1);
  CHECK_THAT(dump(result), Contains("status 403") && Contains("No: Bearer (the key)") && !Contains(key));
  CHECK_THAT(dump(serving.status()), !Contains(key));
  const auto histories = run_histories(tmp);
  REQUIRE(histories.size() == 1);
  for (const auto& line : histories[0]) CHECK_THAT(dump(line), !Contains(key));
  CHECK_THAT(serving.bridle.errors(), Contains("browser ready") && !Contains(key));
}

TEST_CASE("agent: calls that don't fit the tools' schemas end a run after three answers",
          "[agent] [agent.run.useless]") {
  TempDir tmp;
  site::SiteServer site;
  AgentServing serving(tmp, site);
  ModelScript script(site, {calls_tool("browser_click", {{"element", 7}}), calls_tool("browser_clack", Json::object()),
                            calls_tool("browser_click", {{"target", 7}}), says_done(true, "too late")});
  const Json result = serving.run(1, {{"task", "click"}});
  const Json& run = result.at("structuredContent");
  CHECK(run.at("status") == "error");
  CHECK_THAT(run.at("text").get<std::string>(), Contains("3 times in a row"));
  CHECK(run.at("steps") == 3);
  CHECK_THAT(dump(script.question(1).at("messages").back()), Contains("target"));
  CHECK_THAT(dump(script.question(2).at("messages").back()), Contains("There is no tool browser_clack"));
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

TEST_CASE("agent: a run at the panel: its step and goal, its calls below it, and a stop of it alone",
          "[agent] [agent.panel] [panel.state]") {
  TempDir tmp;
  site::SiteServer site;
  const Json never = {{"function", "() => fetch('/held?key=never', {signal})"}};
  ModelScript script(site, {calls_tool("browser_navigate", {{"url", site.url("/plain")}}, "Next goal: open the page"),
                            calls_tool("browser_evaluate", never, "Next goal: wait for <b>it</b>")});
  AgentServing serving(tmp, site);
  PanelVisitor visitor(serving.port);
  visitor.enter();
  PanelEvents events(visitor);
  auto run = serving.client.start(
      serving.client.call_request(1, "browser_agent", {{"task", "read the page"}, {"max_steps", 7}}));
  Json agent;
  Json nested;
  events.state([&](const Json& all) {
    agent = nested = Json();
    for (const Json& call : all.at("calls")) (call.at("tool") == "browser_agent" ? agent : nested) = call;
    return !nested.is_null() && nested.at("tool") == "browser_evaluate" && !agent.at("progress").is_null() &&
           agent["progress"].at("words").get<std::string>().find("step 2") != std::string::npos;
  });
  CHECK(agent.at("target") == "read the page");
  CHECK(agent["progress"].at("total") == 7);
  CHECK_THAT(agent["progress"].at("words").get<std::string>(),
             Contains("step 2 of 7: wait for <b>it</b>") && Contains("browser_evaluate"));
  CHECK(nested.at("parent") == agent.at("id"));
  CHECK(nested.at("session") == agent.at("session"));
  // What it has done stands in the timeline, as its own.
  const Json past = Json::parse(visitor.get("/panel/past?query=browser_navigate").body);
  REQUIRE(past.at("entries").size() == 1);
  CHECK(past["entries"][0].at("parent") == agent.at("id"));
  CHECK(visitor.post("/panel/stop", {{"call", agent.at("id")}}).status == 200);
  for (Json ended = events.next("past");; ended = events.next("past")) {
    CHECK(ended.at("outcome") == (ended.at("tool") == "browser_navigate" ? "completed" : "aborted"));
    if (ended.at("tool") == "browser_agent") break;
  }
  CHECK_THAT(run->all_messages().back().dump(), Contains("stopped"));
  CHECK(site.wait_for_open_connections("/held?key=never", 0, kRunPatience));
}
