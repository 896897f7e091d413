// Sets of tools that a client turns on by itself [tool.sets].

#include "config/tool_sets.h"
#include "tests/support/catch.h"
#include "tests/wire/support/browser_server.h"

using namespace bridle;
using namespace bridle::wire;

namespace {

BrowserSettings lazy(std::vector<std::string> sets, std::vector<std::string> caps = {}) {
  BrowserSettings settings;
  settings.lazy_caps = std::move(sets);
  settings.caps = std::move(caps);
  return settings;
}

bool lists(McpClient& client, const std::string& tool) {
  const auto answer =
      client.post({{"jsonrpc", "2.0"}, {"id", "l"}, {"method", "tools/list"}, {"params", Json::object()}});
  for (const Json& entry : answer.only().at("result").at("tools")) {
    if (entry.at("name") == tool) return true;
  }
  return false;
}

const Json kVision = {{"name", "vision"}};
const Json kPoint = {{"x", 5}, {"y", 5}};

}  // namespace

TEST_CASE("toolsets: turned on for one session, which is told that its list has changed", "[tool.sets]") {
  BrowserServer server({}, lazy({"vision"}));
  McpClient client(server.port());
  client.open();
  McpClient other(server.port());
  other.open();
  CHECK(lists(client, "browser_toolset"));
  CHECK_FALSE(lists(client, "browser_mouse"));
  const auto off = client.call(1, "browser_mouse", {{"action", "move"}, {"x", 1}, {"y", 1}});
  CHECK(off.is_error_result());
  CHECK_THAT(off.text(), matchers::Contains("belongs to the set \"vision\", which is off") &&
                             matchers::Contains("browser_toolset {\"name\": \"vision\"}"));
  // An accepted name is told of as the tool that it stands for.
  CHECK_THAT(client.call(2, "browser_mouse_click_xy", kPoint).text(), matchers::Contains("browser_mouse belongs to"));

  auto stream = client.get();
  REQUIRE(stream->head().status == 200);
  const auto on = client.call(3, "browser_toolset", kVision);
  CHECK_FALSE(on.is_error_result());
  CHECK_THAT(on.text(), matchers::Contains("The set \"vision\" is on") &&
                            matchers::Contains("\"name\":\"browser_mouse\"") &&
                            matchers::Contains("\"inputSchema\":{"));
  const auto changed = stream->next_message();
  REQUIRE(changed);
  CHECK((*changed)["method"] == "notifications/tools/list_changed");
  CHECK(lists(client, "browser_mouse"));
  CHECK_FALSE(lists(client, "browser_mouse_click_xy"));
  CHECK_FALSE(lists(other, "browser_mouse"));
  CHECK(other.call(4, "browser_mouse", {{"action", "move"}, {"x", 1}, {"y", 1}}).is_error_result());
  CHECK_THAT(client.call(5, "browser_toolset", kVision).text(), matchers::Contains("was on already"));

  client.call(6, "browser_navigate", {{"url", server.site.url("/")}});
  const auto clicked = client.call(7, "browser_mouse_click_xy", {{"element", "The page"}, {"x", 5}, {"y", 5}});
  INFO(clicked.only().dump());
  CHECK_FALSE(clicked.is_error_result());
  CHECK_THAT(clicked.text(), matchers::Contains("clicked at 5, 5"));
}

TEST_CASE("toolsets: what only the user may turn on, and what isn't there", "[tool.sets]") {
  BrowserServer server({}, lazy({}, {"pdf"}));
  McpClient client(server.port());
  client.open();
  CHECK(lists(client, "browser_pdf_save"));
  CHECK_THAT(client.call(1, "browser_toolset", kVision).text(),
             matchers::Contains("Only the user") && matchers::Contains("bridle --caps vision"));
  CHECK_THAT(client.call(2, "browser_mouse", {{"action", "move"}}).text(), matchers::Contains("bridle --caps vision"));
  CHECK_THAT(client.call(3, "browser_toolset", {{"name", "visions"}}).text(),
             matchers::Contains("there are " + tool_set_names() + "."));
  CHECK_FALSE(lists(client, "browser_mouse"));
  for (const char* name : {"browser_run_code_unsafe", "browser_run_code"}) {
    const auto code = client.call(4, name, {{"code", "1"}});
    CHECK(code.is_error_result());
    CHECK_THAT(code.text(), matchers::Contains("browser_evaluate runs code in the page, browser_batch"));
  }
  // What another server has and bridle has not: what there is for the same end.
  CHECK_THAT(client.call(5, "browser_annotate", Json::object()).text(), matchers::Contains("ask_user"));
  CHECK_THAT(client.call(6, "browser_start_recording", Json::object()).text(),
             matchers::Contains("browser_export_test"));
  CHECK_THAT(client.call(7, "browser_stop_recording", Json::object()).text(),
             matchers::Contains("browser_export_test"));
  CHECK(client.call(8, "browser_resume", Json::object()).is_error_result());
  CHECK(client.call(9, "browser_nothing", Json::object()).error_code() == -32602);
}

TEST_CASE("toolsets: in 2026-07-28 a set is on for all without a session, and who listens is told", "[tool.sets]") {
  BrowserServer server({}, lazy({"vision"}));
  McpClient client(server.port(), Revision::v2026_07_28);
  auto stream = client.start({{"jsonrpc", "2.0"},
                              {"id", 9},
                              {"method", "subscriptions/listen"},
                              {"params", {{"notifications", {{"toolsListChanged", true}}}}}});
  REQUIRE(stream->next_message());
  CHECK_FALSE(lists(client, "browser_mouse"));
  CHECK_FALSE(client.call(1, "browser_toolset", kVision).is_error_result());
  const auto changed = stream->next_message();
  REQUIRE(changed);
  CHECK((*changed)["method"] == "notifications/tools/list_changed");
  CHECK(lists(client, "browser_mouse"));
  McpClient legacy(server.port());
  legacy.open();
  CHECK_FALSE(lists(legacy, "browser_mouse"));
}
