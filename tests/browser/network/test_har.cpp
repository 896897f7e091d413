// browser_har, the replay of its files, and offline [tool.har] [tool.route.replay] [tool.network-state].
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;

namespace {

std::string contents(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::string result(Session& session, const char* tool, const Json& args) {
  return session.ok(tool, args).section("Result");
}
std::string error(Session& session, const char* tool, const Json& args) {
  return session.error(tool, args).section("Error");
}

// The file of a recording of these pages.
std::string recorded(Session& session, const std::vector<std::string>& pages, const Json& start = Json::object()) {
  Json args = start;
  args["action"] = "start";
  session.ok("browser_har", args);
  for (const auto& page : pages) session.navigate(page);
  return session.ok("browser_har", {{"action", "stop"}}).structured["path"].get<std::string>();
}

const Json* entry_for(const Json& har, const std::string& part) {
  for (const auto& entry : har["log"]["entries"]) {
    if (entry["request"]["url"].get_ref<const std::string&>().find(part) != std::string::npos) return &entry;
  }
  return nullptr;
}

void write_file(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

}  // namespace

TEST_CASE("har: what tabs request, with bodies, times and pages; secrets hidden", "[tool.har]") {
  Session session;
  session.navigate(web().url("/plain"));
  CHECK_THAT(result(session, "browser_har", {{"action", "start"}}), Contains("action stop saves it"));
  CHECK_THAT(error(session, "browser_har", {{"action", "start"}}), Contains("under way"));
  session.navigate(web().url("/plain?token=secret&x=1"));
  session.evaluate("() => fetch('/api/json', {headers: {Authorization: 'Bearer secret'}}).then((r) => r.text())");
  session.evaluate("() => fetch('/image.png').then((r) => r.arrayBuffer()).then((b) => b.byteLength)");
  const auto stopped = session.ok("browser_har", {{"action", "stop"}, {"filename", "one"}});
  CHECK_THAT(stopped.section("Result"), Contains("HAR of ") && Contains("one.har"));
  const auto path = stopped.structured["path"].get<std::string>();
  const auto text = contents(path);
  const Json har = parse_json(text);
  REQUIRE(har.is_object());
  CHECK(har["log"]["version"] == "1.2");
  REQUIRE(har["log"]["pages"].size() == 1);
  CHECK(har["log"]["pages"][0]["pageTimings"]["onLoad"].get<double>() > 0);
  const auto* page = entry_for(har, "/plain");
  REQUIRE(page != nullptr);
  CHECK((*page)["pageref"] == "page_1");
  CHECK((*page)["response"]["content"]["mimeType"] == "text/html");
  CHECK((*page)["time"].get<double>() > 0);
  CHECK((*page)["request"]["queryString"][1] == Json({{"name", "x"}, {"value", "1"}}));
  const auto* api = entry_for(har, "/api/json");
  REQUIRE(api != nullptr);
  CHECK(!parse_json((*api)["response"]["content"]["text"].get<std::string>()).is_discarded());
  const auto* image = entry_for(har, "/image.png");
  REQUIRE(image != nullptr);
  CHECK((*image)["response"]["content"]["encoding"] == "base64");
  CHECK(text.find("Bearer secret") == std::string::npos);
  CHECK(text.find("token=secret") == std::string::npos);
  CHECK_THAT(text, Contains("[value hidden]"));
  CHECK_THAT(error(session, "browser_har", {{"action", "stop"}}), Contains("nothing is being recorded"));
  CHECK_THAT(error(session, "browser_har", {{"action", "start"}, {"filename", "x"}}), Contains("for action stop"));
  const auto bare = recorded(session, {web().url("/plain")}, {{"bodies", false}});
  CHECK_THAT(contents(bare), Contains("bodies were not recorded"));
}

TEST_CASE("har: a cancelled stop leaves no file, and the recording goes on", "[tool.har] [cancel.browser]") {
  Session session;
  session.ok("browser_har", {{"action", "start"}});
  session.navigate(web().url("/plain"));
  AbortController controller;
  controller.abort(AbortReason::client_cancelled);
  CallContext ctx;
  ctx.signal = controller.signal();
  CHECK(session.perform("browser_har", {{"action", "stop"}}, ctx).aborted);
  CHECK(!std::filesystem::exists(session.scope().files()->path() / "network.har"));
  CHECK_THAT(result(session, "browser_har", {{"action", "stop"}}), Contains("HAR of "));
}

TEST_CASE("har: recorded over a killed browser, and gone with browser_close", "[tool.har]") {
  House house;
  Session session(house);
  session.ok("browser_har", {{"action", "start"}});
  session.navigate(web().url("/plain?first"));
  ::kill(session.browser()->pid(), SIGKILL);
  REQUIRE(eventually([&] { return session.browser() == nullptr || !session.browser()->alive(); }));
  session.navigate(web().url("/plain?second"));
  const auto path = session.ok("browser_har", {{"action", "stop"}}).structured["path"].get<std::string>();
  CHECK_THAT(contents(path), Contains("/plain?first") && Contains("/plain?second"));
  session.ok("browser_har", {{"action", "start"}});
  session.ok("browser_close");
  CHECK_THAT(error(session, "browser_har", {{"action", "stop"}}), Contains("nothing is being recorded"));
}

TEST_CASE("replay: pages from a file, with redirects and bodies; what it hasn't fails", "[tool.route.replay]") {
  Session session;
  web().set_page("/replayed", "<title>Replayed</title><img src=/image.png onload='document.title += \" \" + width'>");
  recorded(session, {web().url("/replayed?session_token=abc"), web().url("/redirect?to=/plain")});
  web().reset_log();
  const auto answer = result(session, "browser_route", {{"replay", "network.har"}});
  CHECK_THAT(answer, Contains("** => the file's ") && Contains("what it hasn't fails"));
  session.navigate(web().url("/replayed?session_token=other"));
  CHECK(eventually([&] { return session.evaluate("document.title").get<std::string>().starts_with("Replayed "); }));
  session.navigate(web().url("/redirect?to=/plain"));
  CHECK(session.href().find("/plain") != std::string::npos);
  CHECK(session.evaluate("() => fetch('/api/json').then(() => 'answered', () => 'failed')") == "failed");
  CHECK(web().requests("").empty());
}

TEST_CASE("replay: a POST by its body; what is no HAR file is said", "[tool.route.replay]") {
  Session session;
  session.navigate(web().url("/plain"));
  const auto folder = session.scope().files()->ensure().string();
  const auto entry = [&](const std::string& sent, const std::string& body) {
    return Json{{"request",
                 {{"method", "POST"},
                  {"url", web().url("/rpc")},
                  {"headers", Json::array()},
                  {"postData", {{"mimeType", "text/plain"}, {"text", sent}}}}},
                {"response",
                 {{"status", 200},
                  {"headers", Json::array({{{"name", "content-encoding"}, {"value", "gzip"}}})},
                  {"content", {{"size", body.size()}, {"mimeType", "text/plain"}, {"text", body}}}}}};
  };
  write_file(folder + "/rpc.har",
             dump({{"log", {{"version", "1.2"}, {"entries", {entry("a", "first"), entry("b", "second")}}}}}));
  result(session, "browser_route", {{"replay", "rpc.har"}, {"pattern", "**/rpc"}});
  const auto post = [&](const std::string& body) {
    return session.evaluate("() => fetch('/rpc', {method: 'POST', body: '" + body +
                            "'}).then((r) => r.text(), () => 'failed')");
  };
  CHECK(post("b") == "second");
  CHECK(post("a") == "first");
  CHECK(post("c") == "failed");
  const auto refused = [&](const std::string& text) {
    write_file(folder + "/bad.har", text);
    return error(session, "browser_route", {{"replay", "bad.har"}});
  };
  CHECK_THAT(refused("{"), Contains("no JSON"));
  CHECK_THAT(refused("{}"), Contains("the file has no log"));
  CHECK_THAT(refused(R"({"log":{"entries":[{"request":{"url":1,"method":"GET","headers":[]}}]}})"),
             Contains("log.entries[0].request.url is of another type"));
  CHECK_THAT(refused(R"({"log":{"entries":[{"request":{"url":"http://a/","method":"GET","headers":[]},)"
                     R"("response":{"status":200,"headers":[],"content":{"_file":"x"}}}]}})"),
             Contains("in a file beside it"));
  CHECK_THAT(error(session, "browser_route", {{"replay", "none.har"}}), Contains("none.har"));
  CHECK_THAT(error(session, "browser_route", {{"replay", "/etc/passwd"}}), Contains("/etc/passwd"));
  CHECK_THAT(error(session, "browser_route", {{"replay", "rpc.har"}, {"status", 200}}),
             Contains("can't go with replay"));
}

TEST_CASE("offline: for tabs that are there and to come; routes answer all the same", "[tool.network-state]") {
  Session session, other;
  session.navigate(web().url("/plain"));
  other.navigate(web().url("/plain"));
  const auto fetches = [](Session& one, const std::string& path) {
    return one.evaluate("() => fetch('" + path + "', {cache: 'no-store'}).then((r) => r.status, () => 0)").get<int>();
  };
  CHECK_THAT(result(session, "browser_network_state_set", {{"state", "offline"}}), Contains("offline"));
  CHECK(fetches(session, "/api/json") == 0);
  CHECK(session.evaluate("() => navigator.onLine") == false);
  CHECK(fetches(other, "/api/json") == 200);
  session.ok("browser_route", {{"pattern", "**/mocked"}, {"status", 201}});
  CHECK(fetches(session, "/mocked") == 201);
  session.ok("browser_tabs", {{"action", "new"}});
  CHECK_THAT(session.call("browser_navigate", {{"url", web().url("/plain?offline")}}).text,
             Contains("ERR_INTERNET_DISCONNECTED"));
  result(session, "browser_network_state_set", {{"state", "online"}});
  session.navigate(web().url("/plain?online"));
  CHECK(fetches(session, "/api/json") == 200);
  CHECK(session.evaluate("() => navigator.onLine") == true);
}
