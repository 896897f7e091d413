// browser_tabs {action: "new", isolated: true}: a context of its own, by a handle [tool.isolated] [wire.handles].
#include <set>

#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;

namespace {

std::string open_isolated(Session& session, const std::string& url = "") {
  Json args{{"action", "new"}, {"isolated", true}};
  if (!url.empty()) args["url"] = url;
  return session.ok("browser_tabs", args).structured["tab"].get<std::string>();
}

Json value_in(Session& session, const std::string& tab, const std::string& function) {
  return session.ok("browser_evaluate", {{"function", function}, {"tab", tab}}).structured["value"];
}

// The browser's own count of contexts beside its default one.
std::size_t contexts(Session& session) {
  const Json all = session.browser()->connection().call({}, "", "Target.getBrowserContexts", Json::object());
  return all.at("browserContextIds").size();
}

std::string unknown(Session& session, const std::string& tab) {
  return session.error("browser_snapshot", {{"tab", tab}}).section("Error");
}

BrowserSettings idle_after(Millis time) {
  web();
  BrowserSettings settings;
  settings.isolated_idle = time;
  return settings;
}

}  // namespace

TEST_CASE("isolated: neither cookies nor storage are shared; the handle is named, never current",
          "[isolated] [tool.isolated]") {
  Session session;
  const auto own = session.navigate(web().url("/set-cookie?name=a&value=own")).structured["tab"].get<std::string>();
  session.evaluate("() => { localStorage.setItem('visits', 'own') }");
  const auto opened =
      session.ok("browser_tabs", {{"action", "new"}, {"isolated", true}, {"url", web().url("/cookies")}});
  const auto tab = opened.structured["tab"].get<std::string>();
  CHECK_THAT(opened.section("Result"), Contains(tab) && Contains("name it with tab") && Contains("30 min"));
  CHECK_THAT(opened.section("Open tabs"), Contains(own + " (current)") && Contains("- 1: " + tab));
  CHECK(opened.structured["tabs"][1]["isolated"] == true);
  CHECK(opened.structured["tabs"][1]["current"] == false);
  CHECK_FALSE(opened.structured["tabs"][0].contains("isolated"));
  CHECK(value_in(session, tab, "document.cookie") == "");
  CHECK(value_in(session, tab, "localStorage.getItem('visits')").is_null());
  session.ok("browser_navigate", {{"url", web().url("/set-cookie?name=a&value=isolated")}, {"tab", tab}});
  CHECK(value_in(session, tab, "document.cookie") == "a=isolated");
  CHECK(session.evaluate("document.cookie") == "a=own");
  CHECK(session.scope().current_id() == own);
  // Two of them don't share either.
  const auto second = open_isolated(session, web().url("/cookies"));
  CHECK(second != tab);
  CHECK(value_in(session, second, "document.cookie") == "");
  CHECK_THAT(session.error("browser_tabs", {{"action", "select"}, {"tab", tab}}).section("Error"),
             Contains("never the current") && Contains("in each call"));
  CHECK_THAT(session.error("browser_tabs", {{"action", "list"}, {"isolated", true}}).section("Error"),
             Contains("action new"));
  CHECK_FALSE(
      check_arguments(session.house().tool("browser_tabs"), {{"action", "new"}, {"isolated", "yes"}}).problem.empty());
}

TEST_CASE("isolated: refs of one page are never refs of the other", "[isolated] [tool.refs]") {
  Session session;
  session.navigate(web().url("/click-lab"));
  const auto tab = open_isolated(session, web().url("/click-lab"));
  const auto refs_in = [](const std::string& text) {
    std::set<std::string> refs;
    for (auto at = text.find("[ref="); at != std::string::npos; at = text.find("[ref=", at + 1))
      refs.insert(text.substr(at, text.find(']', at) - at));
    return refs;
  };
  const auto own = refs_in(session.snapshot());
  const auto isolated = refs_in(session.ok("browser_snapshot", {{"tab", tab}}).text);
  REQUIRE(own.size() > 3);
  REQUIRE(isolated.size() > 3);
  for (const auto& ref : isolated) CHECK_FALSE(own.contains(ref));
}

TEST_CASE("isolated: handles can't be guessed, and only their start names them elsewhere",
          "[isolated] [wire.handles]") {
  Session session;
  std::set<std::string> handles;
  for (int i = 0; i < 3; ++i) handles.insert(open_isolated(session));
  CHECK(handles.size() == 3);
  for (const auto& handle : handles) {
    CHECK(handle.starts_with("i-"));
    CHECK(handle.size() >= 2 + 32);  // 192 bits as base64url
    const auto label = session.scope().holder(handle)->find(handle)->label();
    CHECK(handle.starts_with(label));
    CHECK((handle.size() - label.size()) * 6 >= 128);
  }
  CHECK(session.ok("browser_tabs", {{"action", "new"}}).structured["tab"].get<std::string>().starts_with("t"));
}

TEST_CASE("isolated: another session that names a handle is told that there is none", "[isolated] [nav.own-tabs]") {
  Session one;
  Session two;
  two.navigate(web().url("/plain"));
  const auto tab = open_isolated(one, web().url("/plain?title=Mine"));
  CHECK_THAT(unknown(two, tab), Contains(tab) && Contains("30 min") && !Contains("title=Mine"));
  CHECK(two.scope().tabs().size() == 1);
  CHECK(value_in(one, tab, "document.title") == "Mine");
}

TEST_CASE("isolated: a popup is in its opener's context, by a handle of its own", "[isolated]") {
  Session session;
  session.navigate(web().url("/plain"));
  const auto tab = open_isolated(session, web().url("/popup"));
  const auto clicked = session.ok("browser_click", {{"target", "#open"}, {"tab", tab}});
  const auto listed = session.scope().tabs();
  REQUIRE(listed.size() == 3);
  const auto popup = listed[2]["id"].get<std::string>();
  CHECK(popup.starts_with("i-"));
  CHECK_THAT(clicked.section("Events"), Contains(popup) && Contains("name it with tab"));
  session.ok("browser_snapshot", {{"tab", popup}});
}

TEST_CASE("isolated: closing its last tab, browser_close and the session's end each leave no context", "[isolated]") {
  Session stays;
  stays.navigate(web().url("/plain"));
  const auto before = contexts(stays);
  const auto tabs_before = stays.browser()->tab_count();
  {
    Session goes;
    goes.navigate(web().url("/plain"));
    const auto tab = open_isolated(goes, web().url("/plain"));
    CHECK(contexts(goes) == before + 2);
    CHECK_THAT(goes.ok("browser_tabs", {{"action", "close"}, {"tab", tab}}).section("Result"),
               Contains("closed " + tab));
    CHECK(eventually([&] { return contexts(goes) == before + 1; }));
    CHECK_THAT(unknown(goes, tab), Contains("There is no tab"));
    open_isolated(goes, web().url("/plain"));
    goes.ok("browser_close");
    CHECK(eventually([&] { return contexts(stays) == before; }));
    open_isolated(goes);
    CHECK(contexts(stays) == before + 1);
  }
  CHECK(eventually([&] { return contexts(stays) == before; }));
  CHECK(eventually([&] { return stays.browser()->tab_count() == tabs_before; }));
  CHECK(stays.house().toolbox().counters()["isolated_contexts"] == 0);
}

TEST_CASE("isolated: an aborted call leaves neither tab nor context", "[isolated][abort] [cancel.browser.new-tab]") {
  Session session;
  session.navigate(web().url("/plain"));
  const auto before = contexts(session);
  const auto hangups = web().hangups("/never?isolated");
  auto running =
      session.start("browser_tabs", {{"action", "new"}, {"isolated", true}, {"url", web().url("/never?isolated")}});
  REQUIRE(web().wait_for_request("/never?isolated", kPatience));
  CHECK(contexts(session) == before + 1);
  running->abort_and_get();
  CHECK(web().wait_for_hangup("/never?isolated", kPatience, hangups + 1));
  CHECK(eventually([&] { return contexts(session) == before; }));
  CHECK(session.scope().tabs().size() == 1);
}

TEST_CASE("isolated: closed when idle for the limit, not while a call is at work in it", "[isolated] [wire.handles]") {
  House house(idle_after(300ms));
  CHECK_THAT(house.tool("browser_tabs").description, Contains("ends 300 ms after its last use"));
  Session session(house);
  session.navigate(web().url("/plain"));
  const auto before = contexts(session);
  const auto busy = open_isolated(session, web().url("/plain?title=Busy"));
  auto waiting = session.start("browser_wait_for", {{"text", "never there"}, {"timeout", 60'000}, {"tab", busy}});
  REQUIRE(eventually([&] { return session.browser()->pending_commands() + Tab::waiters() > 0; }));
  const auto idle = open_isolated(session, web().url("/plain"));
  CHECK(eventually([&] { return contexts(session) == before + 1; }));
  CHECK_THAT(unknown(session, idle), Contains(idle) && Contains("300 ms after its last use"));
  CHECK(session.scope().holder(busy)->is_isolated());
  waiting->abort_and_get();
  CHECK(eventually([&] { return contexts(session) == before; }));
  CHECK(session.scope().tabs().size() == 1);
  CHECK(session.evaluate("1") == 1);
}

TEST_CASE("isolated: beside a profile of the user's, a context without its logins",
          "[isolated][profile] [tool.isolated]") {
  BrowserSettings settings;
  settings.launch.user_data_dir = private_tmp() + "/isolated-profile";
  web();
  House house(settings);
  Session session(house);
  session.navigate(web().url("/set-cookie?name=login&value=yes"));
  const auto tab = open_isolated(session, web().url("/cookies"));
  CHECK(value_in(session, tab, "document.cookie") == "");
  CHECK(value_in(session, tab, "document.cookie = 'login=no; path=/'") == "login=no; path=/");
  CHECK(session.evaluate("document.cookie") == "login=yes");
  // What the own pages open goes on being the session's.
  session.navigate(web().url("/popup"));
  session.ok("browser_click", {{"target", "#open"}});
  CHECK(session.scope().tabs().size() == 3);
  CHECK(contexts(session) == 1);
  session.ok("browser_tabs", {{"action", "close"}, {"tab", tab}});
  CHECK(eventually([&] { return contexts(session) == 0; }));
}
