// Cookies and web storage [tool.storage].
#include <ctime>

#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;

namespace {

std::string cookies(Session& session, Json args) { return session.ok("browser_cookies", args).section("Result"); }

Json storage(const char* area, const char* action, Json more = Json::object()) {
  more["area"] = area;
  more["action"] = action;
  return more;
}

}  // namespace

TEST_CASE("cookies: listed with what only the browser knows; set, read, deleted, cleared", "[tool.storage]") {
  Session session;
  session.navigate(web().url("/set-cookie?name=plain&value=1"));
  CHECK_THAT(cookies(session, {{"action", "list"}}), Contains("2 cookies:") &&
                                                         Contains("plain=1 (127.0.0.1/, session)") &&
                                                         Contains("plain_http=1 (127.0.0.1/, session, HttpOnly)"));
  CHECK_THAT(cookies(session, {{"action", "set"}, {"name", "auth_token"}, {"value", "s3cret"}, {"httpOnly", true}}),
             Contains("set the cookie \"auth_token\""));
  const auto listed = session.ok("browser_cookies", {{"action", "list"}});
  CHECK_THAT(listed.section("Result"), Contains("auth_token=[value hidden] (") && Contains("HttpOnly"));
  CHECK(listed.structured.dump().find("s3cret") == std::string::npos);
  // Who asks for it by name wants it.
  CHECK_THAT(cookies(session, {{"action", "get"}, {"name", "auth_token"}}), Contains("auth_token=s3cret"));
  CHECK(session.evaluate("document.cookie") == "plain=1");
  cookies(session, {{"action", "set"},
                    {"name", "far"},
                    {"value", ""},
                    {"domain", "other.example"},
                    {"expires", static_cast<double>(std::time(nullptr)) + 1000}});
  CHECK_THAT(cookies(session, {{"action", "list"}, {"domain", "other.example"}}),
             Contains("1 cookie:") && Contains("far= (") && Contains("other.example/, expires "));
  CHECK_THAT(cookies(session, {{"action", "delete"}, {"name", "plain"}}), Contains("deleted 1 cookie"));
  CHECK_THAT(cookies(session, {{"action", "delete"}, {"name", "plain"}}), Contains("no cookie \"plain\""));
  CHECK_THAT(cookies(session, {{"action", "get"}, {"name", "plain"}}), Contains("no cookie \"plain\""));
  CHECK_THAT(cookies(session, {{"action", "clear"}}), Contains("deleted all 3 cookies"));
  CHECK_THAT(cookies(session, {{"action", "list"}}), Contains("No cookies."));
}

TEST_CASE("cookies: what is missing or refused is said", "[tool.storage]") {
  Session session;
  const auto error = [&](Json args) { return session.error("browser_cookies", args).section("Error"); };
  CHECK_THAT(error({{"action", "set"}, {"name", "a"}, {"value", "b"}}), Contains("open the site's page first"));
  session.navigate(web().url("/plain"));
  CHECK_THAT(error({{"action", "get"}}), Contains("action get needs name"));
  CHECK_THAT(error({{"action", "set"}, {"name", "a"}}), Contains("action set needs value"));
  CHECK_THAT(error({{"action", "delete"}, {"name", ""}}), Contains("action delete needs name"));
  CHECK_THAT(error({{"action", "set"}, {"name", "__Host-a"}, {"value", "b"}}),
             Contains("The browser refused the cookie"));
  CHECK_THAT(error({{"action", "clear"}, {"domain", "a.example"}}), Contains("all sites"));
}

TEST_CASE("cookies: each session has its own", "[tool.storage]") {
  Session one, other;
  one.navigate(web().url("/plain"));
  other.navigate(web().url("/plain"));
  cookies(one, {{"action", "set"}, {"name", "mine"}, {"value", "1"}});
  CHECK_THAT(cookies(other, {{"action", "list"}}), Contains("No cookies."));
  cookies(other, {{"action", "clear"}});
  CHECK_THAT(cookies(one, {{"action", "list"}}), Contains("mine=1"));
}

TEST_CASE("storage: both areas of the page's origin, without a script of the page", "[tool.storage]") {
  Session session;
  web().set_page("/storage",
                 "<!doctype html><script>Storage.prototype.getItem = () => 'forged';"
                 "localStorage.x = '1'; localStorage.password = 'pw'; sessionStorage.x = '2'</script>");
  session.navigate(web().url("/storage"));
  const auto result = [&](const Json& args) { return session.ok("browser_storage", args).section("Result"); };
  CHECK_THAT(result(storage("local", "list")),
             Contains("2 items of http://127.0.0.1:") && Contains("x=1") && Contains("password=[value hidden]"));
  CHECK(session.ok("browser_storage", storage("session", "get", {{"key", "x"}})).structured["value"] == "2");
  CHECK(session.ok("browser_storage", storage("local", "get", {{"key", "password"}})).structured["value"] == "pw");
  CHECK(session.ok("browser_storage", storage("local", "get", {{"key", "none"}})).structured["value"] == nullptr);
  result(storage("session", "set", {{"key", "k"}, {"value", "line 1\nline 2"}}));
  CHECK(session.evaluate("sessionStorage.k") == "line 1\nline 2");
  CHECK_THAT(result(storage("session", "delete", {{"key", "k"}})), Contains("deleted the item \"k\""));
  CHECK_THAT(result(storage("session", "delete", {{"key", "k"}})), Contains("no item \"k\""));
  CHECK_THAT(result(storage("local", "clear")), Contains("deleted all 2 items"));
  CHECK(session.evaluate("localStorage.length") == 0);
  CHECK(session.evaluate("sessionStorage.x") == "2");
  const auto error = [&](const Json& args) { return session.error("browser_storage", args).section("Error"); };
  CHECK_THAT(error(storage("local", "set", {{"key", "big"}, {"value", std::string(6'000'000, 'x')}})),
             Contains("is full"));
  CHECK_THAT(error(storage("local", "set", {{"key", "big"}})), Contains("needs value"));
  Session blank;
  CHECK_THAT(blank.error("browser_storage", storage("local", "list")).section("Error"),
             Contains("open a page over http"));
}
