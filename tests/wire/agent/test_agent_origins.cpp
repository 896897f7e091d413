// Where a run may act [agent.run.origins]: whatever the way, the page is judged when something is done to it.
#include "tests/wire/support/agent_serving.h"

using namespace bridle;
using namespace bridle::wire;
using matchers::Contains;

namespace {

// A page elsewhere that tells the site of each thing that is done to it.
constexpr const char* kForeignPage =
    "<!doctype html><title>Foreign</title><form action=/taken><input id=p name=p aria-label=Code autofocus>"
    "<button id=go>Send</button></form><script>document.querySelector('#p').onkeydown = () => fetch('/taken?key');"
    "</script>";

Json step_of(const char* tool, Json arguments) { return {{"tool", tool}, {"arguments", std::move(arguments)}}; }

}  // namespace

TEST_CASE("agent: with allowed_origins nothing acts elsewhere, in whatever way it is tried",
          "[agent] [agent.run.origins]") {
  TempDir tmp;
  site::SiteServer site;
  site.set_page("/foreign", kForeignPage);
  site.set_page("/home", "<!doctype html><title>Home</title><p>home</p>");
  const auto home = site.url("/home");
  const auto foreign = site.other_url("/foreign");
  AgentServing serving(tmp, site, {"--caps", "vision,storage,emulation"});
  const Json arguments{{"task", "stay"}, {"url", home}, {"allowed_origins", {site.origin()}}};
  std::vector<ModelTurn> turns;
  const std::string refusal = "Refused: this run may act on " + site.origin() + " alone";
  SECTION("steps of a batch, on the page that an earlier one has led to") {
    turns = {calls_tool(
        "browser_batch",
        {{"steps", {step_of("browser_navigate", {{"url", foreign}}), step_of("browser_click", {{"target", "#go"}})}}})};
  }
  SECTION("steps of a batch on another tab") {
    turns = {
        calls_tool("browser_tabs", {{"action", "new"}, {"url", foreign}}),
        calls_tool("browser_tabs", {{"action", "select"}, {"index", 0}}),
        calls_tool("browser_batch",
                   {{"steps",
                     {step_of("browser_type", {{"target", "#p"}, {"text", "x"}, {"submit", true}, {"tab", "t2"}})}}})};
  }
  SECTION("another tab") {
    turns = {calls_tool("browser_tabs", {{"action", "new"}, {"url", foreign}}),
             calls_tool("browser_tabs", {{"action", "select"}, {"index", 0}}),
             calls_tool("browser_click", {{"target", "#go"}, {"tab", "t2"}})};
  }
  SECTION("a key, the mouse, a script, storage and emulation there") {
    turns = {calls_tool("browser_navigate", {{"url", foreign}}),
             calls_tool("browser_press_key", {{"key", "a"}}),
             calls_tool("browser_mouse", {{"action", "click"}, {"x", 5}, {"y", 5}}),
             calls_tool("browser_evaluate", {{"function", "() => fetch('/taken')"}}),
             calls_tool("browser_storage", {{"area", "local"}, {"action", "set"}, {"key", "k"}, {"value", "v"}}),
             calls_tool("browser_emulate", {{"permissions", {"geolocation"}}})};
  }
  SECTION("a page without an origin of its own") {
    turns = {calls_tool("browser_navigate", {{"url", "about:blank"}}), calls_tool("browser_press_key", {{"key", "a"}})};
  }
  SECTION("a frame within an allowed page") {
    site.set_page("/framing", "<!doctype html><title>Framing</title><iframe src=" + foreign + "></iframe>");
    turns = {calls_tool("browser_navigate", {{"url", site.url("/framing")}}),
             calls_tool("browser_click", {{"target", "frameLocator('iframe').locator('#go')"}}),
             calls_tool("browser_mouse", {{"action", "click"}, {"x", 30}, {"y", 30}})};
  }
  turns.push_back(says_done(false, "refused"));
  ModelScript script(site, turns);
  const Json result = serving.run(1, arguments);
  INFO(dump(result));
  const Json& history = result.at("structuredContent").at("history");
  REQUIRE(history.size() == turns.size());
  bool refused = false;
  for (const Json& step : history) {
    for (const Json& action : step.at("actions")) {
      const auto tool = action.at("tool").get<std::string>();
      if (tool == "browser_navigate" || tool == "browser_tabs") {
        CHECK_FALSE(action.contains("isError"));  // going there is allowed
        continue;
      }
      refused = true;
      CHECK(action.value("isError", false));
      CHECK_THAT(action.at("result").get<std::string>(), Contains(refusal));
    }
  }
  CHECK(refused);
  CHECK(site.requests("/taken").empty());
}

TEST_CASE("agent: a page that goes elsewhere while an action waits for its turn is not acted on",
          "[agent] [agent.run.origins]") {
  TempDir tmp;
  site::SiteServer site;
  site.set_page("/foreign", kForeignPage);
  site.set_page("/lure",
                "<!doctype html><title>Lure</title><button id=go>Go</button><script>fetch('/held?key=go').then(() => {"
                "location = '" +
                    site.other_url("/foreign") + "'; });</script>");
  AgentServing serving(tmp, site);
  ModelScript script(site, {calls_tool("browser_click", {{"target", "#go"}}), says_done(false, "refused")});
  REQUIRE_FALSE(serving.client.call(1, "browser_navigate", {{"url", site.url("/lure")}}).is_error_result());
  // Another call of the client has the tab until the page goes.
  auto busy = serving.client.start(
      serving.client.call_request(2, "browser_evaluate", {{"function", "() => fetch('/held?key=busy')"}}));
  REQUIRE(site.wait_for_open_connections("/held", 2, kRunPatience));
  auto exchange = serving.client.start(
      serving.client.call_request(3, "browser_agent", {{"task", "click"}, {"allowed_origins", {site.origin()}}}));
  REQUIRE(eventually([&] { return serving.runs("browser_click"); }, kRunPatience));
  site.release("go");
  const Json result = result_of(*exchange);
  INFO(dump(result));
  const Json& action = result.at("structuredContent").at("history")[0].at("actions")[0];
  CHECK(action.value("isError", false));
  CHECK_THAT(action.at("result").get<std::string>(),
             Contains("Refused: this run may act on " + site.origin() + " alone") && Contains(site.other_origin()));
  CHECK(site.requests("/taken").empty());
}

TEST_CASE("agent: what is no origin is refused before a run begins", "[agent] [agent.run.origins] [agent.tool]") {
  TempDir tmp;
  site::SiteServer site;
  AgentServing serving(tmp, site);
  ModelScript script(site, {says_done(true, "x")});
  const Json result = serving.run(1, {{"task", "x"}, {"allowed_origins", {"https://a.example/path"}}});
  CHECK(result.at("isError") == true);
  CHECK_THAT(result.at("content")[0].at("text").get<std::string>(),
             Contains("allowed_origins") && Contains("leave out what follows the host and port"));
  CHECK(script.asked() == 0);
}
