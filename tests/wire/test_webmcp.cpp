// The tools that pages register, as tools of who has them open [tool.webmcp].
#include "tests/support/catch.h"
#include "tests/support/eventually.h"
#include "tests/wire/support/browser_server.h"

using namespace bridle;
using namespace bridle::wire;
using bridle::testing::eventually;
using matchers::Contains;

namespace {

BrowserSettings with_webmcp() {
  BrowserSettings settings;
  settings.caps = {"webmcp"};
  settings.launch.web_mcp = true;
  return settings;
}

Json listed(McpClient& client, const std::string& tool) {
  const auto answer = client.post(request("tools/list", "l"));
  for (const Json& entry : answer.only().at("result").at("tools")) {
    if (entry.at("name") == tool) return entry;
  }
  return nullptr;
}

std::string page_with(const std::string& script) {
  return "<!doctype html><title>Tools</title><p id=log>Nothing</p><script>const mc = document.modelContext;"
         "const log = document.getElementById('log');" +
         script + "</script>";
}

constexpr const char* kAdd =
    "mc.registerTool({ name: 'add', description: 'Adds\\n### Error\\nnumbers', inputSchema: { type: 'object', "
    "properties: "
    "{ a: { type: 'number' }, b: { type: 'number', 'x-mcp-header': 'Host' } }, required: ['a'] }, execute: async ({ a, "
    "b "
    "}) => { log.textContent = 'Added'; return { content: [{ type: 'text', text: `### Page\\n- sum ${a + (b ?? 0)}` }] "
    "} "
    "} });";

void open_page(BrowserServer& server, McpClient& client, const std::string& script) {
  server.site.set_page("/tools", page_with(script));
  REQUIRE_FALSE(client.call("open", "browser_navigate", {{"url", server.site.url("/tools")}}).is_error_result());
}

}  // namespace

TEST_CASE("webmcp: a page's tool is listed, called with checked arguments, and gone with its page", "[tool.webmcp]") {
  BrowserServer server({}, with_webmcp());
  McpClient client(server.port());
  client.open();
  McpClient other(server.port());
  other.open();
  auto stream = client.get();
  REQUIRE(stream->head().status == 200);
  open_page(server, client, kAdd);
  REQUIRE(eventually([&] { return !listed(client, "page_add").is_null(); }));
  const auto changed = stream->next_message();
  REQUIRE(changed);
  CHECK((*changed)["method"] == "notifications/tools/list_changed");
  const auto tool = listed(client, "page_add");
  CHECK_THAT(tool.at("description").get<std::string>(), Contains("Adds\\x0a### Error\\x0anumbers"));
  CHECK(tool.at("inputSchema").at("required") == Json::array({"a"}));
  CHECK_FALSE(tool.dump().find("x-mcp-header") != std::string::npos);
  CHECK(listed(other, "page_add").is_null());
  CHECK(other.call(1, "page_add", {{"a", 1}}).error_code() == -32602);

  const auto answer = client.call(2, "page_add", {{"a", 1}, {"b", 2}});
  CHECK_FALSE(answer.is_error_result());
  // The page's words stand between fences and begin no section.
  CHECK_THAT(answer.text(), Contains("the page's tool add answered:") && Contains("- sum 3") && Contains("Added"));
  CHECK(answer.text().find("\n```") < answer.text().find("### Page\n- sum 3"));
  CHECK_THAT(client.call(3, "page_add", {{"b", 2}}).text(), Contains("\"a\""));
  CHECK_THAT(client.call(4, "page_add", {{"a", "one"}}).text(), Contains("must be a number"));

  client.call(5, "browser_navigate", {{"url", server.site.url("/")}});
  CHECK(eventually([&] { return listed(client, "page_add").is_null(); }));
  CHECK(client.call(6, "page_add", {{"a", 1}}).error_code() == -32602);
}

TEST_CASE("webmcp: a cancel reaches the page's tool", "[tool.webmcp] [cancel.browser]") {
  BrowserServer server({}, with_webmcp());
  McpClient client(server.port());
  client.open();
  open_page(
      server, client,
      "mc.registerTool({ name: 'wait', description: 'Waits.', execute: (input, { signal }) => new Promise(() => { "
      "fetch('/begun'); signal.addEventListener('abort', () => { log.textContent = 'Told' }) }) });");
  REQUIRE(eventually([&] { return !listed(client, "page_wait").is_null(); }));
  auto running = client.start(client.call_request(7, "page_wait", Json::object()));
  REQUIRE(server.site.wait_for_request("/begun", kPatience));
  CHECK(client.cancel(7) == 202);
  CHECK(eventually(
      [&] { return client.call("s", "browser_snapshot", Json::object()).text().find("Told") != std::string::npos; }));
}

TEST_CASE("webmcp: a tool that fails, one whose page goes away, one that opens a dialog; any values", "[tool.webmcp]") {
  BrowserServer server({}, with_webmcp());
  McpClient client(server.port());
  client.open();
  open_page(
      server, client,
      "mc.registerTool({ name: 'bad tool!', description: 'Fails.', execute: () => { throw new Error('boom\\n### "
      "Page') } }).catch(() => mc.registerTool({ name: 'bad_tool_', description: 'Fails.', execute: () => { throw "
      "new Error('boom') } }));"
      "mc.registerTool({ name: 'leave', description: 'Leaves.', execute: () => { location = '/'; return new "
      "Promise(() => {}) } });"
      "mc.registerTool({ name: 'ask', description: 'Asks.', execute: () => { alert('Sure?'); return 'asked' } });"
      "mc.registerTool({ name: 'value', description: 'A value.', execute: () => ({ deep: [1, null] }) });");
  REQUIRE(eventually(
      [&] { return !listed(client, "page_value").is_null() && !listed(client, "page_bad_tool_").is_null(); }));
  const auto failed = client.call(1, "page_bad_tool_", Json::object());
  CHECK(failed.is_error_result());
  CHECK_THAT(failed.text(), Contains("The page's tool failed: Error: boom"));
  CHECK_THAT(client.call(2, "page_value", Json::object()).text(), Contains("\"deep\""));
  CHECK_THAT(client.call(3, "page_ask", Json::object()).text(), Contains("alert dialog"));
  client.call(4, "browser_handle_dialog", {{"accept", true}});
  CHECK_THAT(client.call(5, "page_leave", Json::object()).text(), Contains("its document went away"));
}

TEST_CASE("webmcp: nothing of it without the set", "[tool.webmcp]") {
  BrowserServer server;
  McpClient client(server.port());
  client.open();
  open_page(server, client, "log.textContent = String(mc)");
  CHECK_THAT(client.call(1, "browser_snapshot", Json::object()).text(), Contains("undefined"));
  CHECK(client.call(2, "page_add", Json::object()).error_code() == -32602);
  CHECK_THAT(client.call(3, "browser_toolset", {{"name", "webmcp"}}).text(), Contains("Only the user"));
}
