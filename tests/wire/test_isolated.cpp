// Isolated tabs in 2026-07-28: no session carries them, their handle does [wire.handles].

#include "tests/support/catch.h"
#include "tests/wire/support/browser_server.h"

using namespace bridle;
using namespace bridle::wire;

namespace {

std::string tab_of(const Answer& answer) {
  INFO(answer.only().dump());
  return answer.only().at("result").at("structuredContent").at("tab").get<std::string>();
}

}  // namespace

TEST_CASE("isolated tabs: without a session, whoever names the handle acts there, and nobody is told of it",
          "[wire.handles] [wire.page-state]") {
  BrowserServer server;
  McpClient opener(server.port(), Revision::v2026_07_28);
  McpClient other(server.port(), Revision::v2026_07_28);
  const auto opened =
      opener.call(1, "browser_tabs",
                  {{"action", "new"}, {"isolated", true}, {"url", server.site.url("/set-cookie?name=a&value=b")}});
  const auto tab = tab_of(opened);
  CHECK_THAT(opened.text(), matchers::Contains(tab) && matchers::Contains("30 min after its last use"));
  CHECK(opened.only()["result"]["structuredContent"]["tabs"].size() == 1);

  // The other is told of it by its user alone.
  const auto own = tab_of(other.call(1, "browser_navigate", {{"url", server.site.url("/cookies")}}));
  CHECK(own != tab);
  const auto cookies = [&](const Json& more) {
    Json args{{"function", "document.cookie"}};
    args.update(more);
    return other.call(2, "browser_evaluate", args).only().at("result").at("structuredContent").at("value");
  };
  CHECK(cookies(Json::object()) == "");
  CHECK(cookies({{"tab", tab}}) == "a=b");
  const auto named = other.call(3, "browser_tabs", {{"action", "list"}, {"tab", tab}});
  CHECK(named.only()["result"]["structuredContent"]["tabs"][0]["id"] == tab);

  // Nothing that anybody may read has it, not even while a call works there.
  auto waiting = opener.start(opener.call_request(4, "browser_wait_for", {{"text", "never"}, {"tab", tab}}));
  REQUIRE(eventually([&] { return server.counter("tab_waiters") > 0 || server.counter("pending_cdp") > 0; }));
  std::string told = other.call(5, "browser_tabs", {{"action", "list"}}).only().dump();
  told += other.call(6, "browser_status", Json::object()).only().dump();
  told += server.server->status().dump();
  told += other.post({{"jsonrpc", "2.0"}, {"id", 7}, {"method", "resources/list"}, {"params", Json::object()}})
              .messages.at(0)
              .dump();
  CHECK(told.find(tab) == std::string::npos);
  CHECK(told.find("browser_wait_for") != std::string::npos);
  CHECK(told.find("\"" + tab.substr(0, 10) + "\"") != std::string::npos);  // its start names it
  waiting->close();
  CHECK(eventually([&] { return server.counter("registry") == 0; }));

  // A session has contexts of its own, and one caller's browser_close closes nothing isolated.
  McpClient legacy(server.port());
  legacy.open();
  const auto refused = legacy.call(1, "browser_snapshot", {{"tab", tab}});
  CHECK(refused.is_error_result());
  CHECK_THAT(refused.text(), matchers::Contains("There is no tab \"" + tab + "\""));
  const auto mine = tab_of(legacy.call(2, "browser_tabs", {{"action", "new"}, {"isolated", true}}));
  // Its handle stands whole in what its own session is told, and nowhere else.
  CHECK(legacy.call(3, "browser_status", Json::object()).only().dump().find("\"" + mine + "\"") != std::string::npos);
  told = server.server->status().dump() + other.http("GET", "/status", "", {}).reply.body +
         other.call(12, "browser_status", Json::object()).only().dump();
  CHECK(told.find(mine) == std::string::npos);
  CHECK(told.find("\"" + mine.substr(0, 10) + "\"") != std::string::npos);
  CHECK(opener.call(8, "browser_snapshot", {{"tab", mine}}).is_error_result());
  CHECK(server.counter("isolated_contexts") == 2);
  CHECK(legacy.remove() < 300);
  CHECK(server.counter("isolated_contexts") == 1);
  other.call(9, "browser_close", Json::object());
  CHECK(cookies({{"tab", tab}}) == "a=b");
  opener.call(10, "browser_tabs", {{"action", "close"}, {"tab", tab}});
  CHECK(server.counter("isolated_contexts") == 0);
  CHECK(other.call(11, "browser_snapshot", {{"tab", tab}}).is_error_result());
}
