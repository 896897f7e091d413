// Tabs: [tool.tab] [tool.tab.ids] [tool.tab.drawn] [nav.closed-tab] [nav.new-tab].
#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;

namespace {

Json tabs(const std::string& action, const Json& more = Json::object()) {
  Json args{{"action", action}};
  args.update(more);
  return args;
}

}  // namespace

TEST_CASE("tabs: new, list, select, close", "[tabs] [wire.structured] [tool.structured]") {
  Session session;
  CHECK(session.ok("browser_tabs", tabs("list")).structured["tabs"].empty());
  const auto first = session.ok("browser_tabs", tabs("new", {{"url", web().url("/plain?title=First")}}));
  REQUIRE(first.structured["tabs"].size() == 1);
  const auto one = first.structured["tab"].get<std::string>();
  CHECK(first.structured["tabs"][0] == Json{{"id", one},
                                            {"index", 0},
                                            {"url", web().url("/plain?title=First")},
                                            {"title", "First"},
                                            {"current", true},
                                            {"crashed", false}});
  const auto second = session.ok("browser_tabs", tabs("new", {{"url", web().url("/plain?title=Second")}}));
  const auto two = second.structured["tab"].get<std::string>();
  CHECK(one != two);
  CHECK(session.href() == web().url("/plain?title=Second"));
  const auto list = session.ok("browser_tabs", tabs("list"));
  CHECK_THAT(list.section("Open tabs"), Contains("- 0: " + one) && Contains("- 1: " + two + " (current) [Second]"));
  CHECK(list.waited < 1s);

  session.ok("browser_tabs", tabs("select", {{"index", 0}}));
  CHECK(session.href() == web().url("/plain?title=First"));
  session.ok("browser_tabs", tabs("select", {{"tab", two}}));
  CHECK(session.href() == web().url("/plain?title=Second"));

  const auto closed = session.ok("browser_tabs", tabs("close", {{"index", 1}}));
  REQUIRE(closed.structured["tabs"].size() == 1);
  CHECK(closed.structured["tabs"][0]["id"] == one);
  CHECK(closed.structured["tabs"][0]["current"] == true);
  CHECK(session.href() == web().url("/plain?title=First"));
}

TEST_CASE("a tab that has just come is listed with its title, though its page is busy at first", "[tabs]") {
  Session session;
  web().set_page(
      "/busy-at-first",
      "<!doctype html><title>Busy at first</title><script>const asked = new XMLHttpRequest; asked.open('GET', "
      "'/api/slow?ms=350', false); asked.send();</script>");
  web().set_page("/opens",
                 "<!doctype html><button id=go onclick=\"open('/busy-at-first', '', 'noopener')\">Go</button>");
  const auto listed = [&] {
    session.navigate(web().url("/opens"));
    session.ok("browser_click", at("#go"));
    return session.ok("browser_tabs", tabs("list"));
  };
  const auto answer = in_time(listed, [](const Answer& one) { return one.says("[Busy at first]"); });
  CHECK_THAT(answer.section("Open tabs"), Contains("[Busy at first] (" + web().url("/busy-at-first") + ")"));
}

TEST_CASE("naming a tab doesn't select it", "[tabs] [wire.page-state] [tool.tab]") {
  Session session;
  const auto one = session.navigate(web().url("/plain?title=One")).structured["tab"];
  const auto two = session.ok("browser_tabs", tabs("new", {{"url", web().url("/plain?title=Two")}})).structured["tab"];
  const auto there = session.ok("browser_evaluate", {{"function", "document.title"}, {"tab", one}});
  CHECK(there.structured["value"] == "One");
  CHECK(there.structured["tab"] == one);
  CHECK(session.evaluate("document.title") == "Two");
  CHECK(two == session.scope().current_id());
}

// Without it Chromium draws no frame of it, and its scripts wait for one for ever.
TEST_CASE("a tab behind another one goes on drawing, and its page is told that it is visible",
          "[tabs] [tool.tab.drawn]") {
  Session session;
  web().set_page("/draws",
                 R"(<!doctype html><button id=draw>Draw</button><a href="/plain" target=_blank>Open</a><p id=out></p>
<script>draw.onclick = () => requestAnimationFrame(() => requestAnimationFrame(() => {
  out.textContent += `drawn ${document.visibilityState} `;
}));</script>)");
  const auto first = session.navigate(web().url("/draws")).structured["tab"].get<std::string>();
  session.ok("browser_tabs", tabs("new", {{"url", web().url("/plain")}}));
  CHECK_THAT(session.ok("browser_click", {{"target", "#draw"}, {"tab", first}}).text, Contains("drawn visible"));
  session.ok("browser_tabs", tabs("select", {{"tab", first}}));
  session.ok("browser_click", at("a"));  // which opens a tab in front
  CHECK_THAT(session.ok("browser_click", at("#draw")).text, Contains("drawn visible drawn visible"));
}

TEST_CASE("an unknown tab, an index out of range, a missing one: what there is is listed", "[tabs] [tool.tab]") {
  Session session;
  const auto one = session.navigate(web().url("/plain")).structured["tab"].get<std::string>();
  for (const char* tool : {"browser_snapshot", "browser_reload"}) {
    const auto answer = session.error(tool, {{"tab", "t999999"}});
    CHECK_THAT(answer.section("Error"), Contains("t999999") && Contains(one) && Contains(web().url("/plain")));
  }
  CHECK_THAT(session.error("browser_tabs", tabs("select", {{"index", 7}})).section("Error"),
             Contains("7") && Contains("there is 1 tab, counted from 0"));
  CHECK_THAT(session.error("browser_tabs", tabs("close", {{"tab", "nope"}})).section("Error"), Contains(one));
  CHECK_THAT(session.error("browser_tabs", tabs("select")).section("Error"), Contains("index"));
}

TEST_CASE("ids are never reused", "[tabs] [tool.tab.ids]") {
  Session session;
  const auto one = session.ok("browser_tabs", tabs("new")).structured["tab"];
  session.ok("browser_tabs", tabs("close", {{"tab", one}}));
  const auto two = session.ok("browser_tabs", tabs("new")).structured["tab"];
  CHECK(one != two);
  CHECK_THAT(session.error("browser_snapshot", {{"tab", one}}).section("Error"), Contains(one.get<std::string>()));
}

TEST_CASE("a current tab that closed by itself: the next call says so and names what remains",
          "[tabs] [nav.closed-tab]") {
  Session session;
  const auto one = session.navigate(web().url("/popup")).structured["tab"].get<std::string>();
  session.ok("browser_click", {{"target", "#open"}});
  const auto popup = session.scope().tabs().at(1)["id"].get<std::string>();
  session.ok("browser_tabs", tabs("select", {{"tab", popup}}));
  session.tab()->session().post("Page.close");
  REQUIRE(eventually([&] { return session.scope().tabs().size() == 1; }));
  const auto told = session.error("browser_snapshot");
  CHECK_THAT(told.section("Error"), Contains(popup) && Contains("closed") && Contains(one));
  CHECK_THAT(session.snapshot(), Contains(web().url("/popup")));  // told once; then the remaining one
}

TEST_CASE("an action that closes its own tab has succeeded, and tells what has changed in the tab that opened it",
          "[tabs] [nav.closed-tab.by-action]") {
  web().set_page("/sign-in", R"html(<!doctype html><title>Shop</title><p role="status" id="who">signed out</p>
<button onclick="open('/provider', 'provider', 'width=400,height=400')">Sign in</button><script>
onmessage = async ({ data }) => { await fetch('/plain'); who.textContent = 'signed in as ' + data; };
</script>)html");
  web().set_page("/provider", R"html(<!doctype html><title>Provider</title>
<button id="allow" onclick="opener.postMessage('Eve', '*'); window.close()">Allow</button>
<a id="back" href="/provider-back">Allow by a page</a>)html");
  web().set_page("/provider-back", "<script>opener.postMessage('Adam', '*'); window.close()</script>");
  for (const auto& [button, name] : {std::pair("#allow", "Eve"), std::pair("#back", "Adam")}) {
    CAPTURE(button);
    Session session;
    const auto shop = session.navigate(web().url("/sign-in")).structured["tab"].get<std::string>();
    session.ok("browser_click", at("button"));
    const auto popup = session.scope().tabs().at(1)["id"].get<std::string>();
    session.ok("browser_tabs", tabs("select", {{"tab", popup}}));
    const auto answer = session.ok("browser_click", at(button));
    CHECK_THAT(answer.section("Result"),
               Contains("clicked") && Contains("closed its tab " + popup) && Contains("the current tab is " + shop));
    CHECK_THAT(answer.section("Page"), Contains(web().url("/sign-in")));
    CHECK_THAT(answer.section("Snapshot"), Contains("signed in as " + std::string(name)));
    CHECK(answer.structured["tab"] == shop);
    CHECK_THAT(session.snapshot(), Contains(web().url("/sign-in")));  // it has been told already that the tab is gone
  }
}

TEST_CASE("an action that closes the only tab says so", "[tabs] [nav.closed-tab.by-action]") {
  Session session;
  web().set_page("/closes", "<!doctype html><title>Closes</title><button onclick='window.close()'>Close</button>");
  session.navigate(web().url("/plain"));
  session.evaluate("() => { open('/closes') }");
  REQUIRE(eventually([&] { return session.scope().tabs().size() == 2; }));
  session.ok("browser_tabs", tabs("close", {{"index", 0}}));
  const auto answer = session.ok("browser_click", at("button"));
  CHECK_THAT(answer.section("Result"), Contains("clicked button \"Close\"") && Contains("no tab is left"));
  CHECK_THAT(session.navigate(web().url("/plain")).text, Contains("A plain page."));
}

TEST_CASE("the last tab closed: the next navigation opens another", "[tabs]") {
  Session session;
  session.navigate(web().url("/plain"));
  session.ok("browser_tabs", tabs("close"));
  CHECK_THAT(session.error("browser_tabs", tabs("close")).section("Error"), Contains("No tab is open"));
  check_landed(session, session.navigate(web().url("/plain?again")), web().url("/plain?again"));
}

TEST_CASE("a new tab with a URL tells what its page shows", "[tabs] [nav.new-tab]") {
  Session session;
  session.navigate(web().url("/plain"));
  web().set_page("/new-tab", "<title>New</title><script>console.error('wrong')</script><button>Go</button>");
  const auto answer = session.ok("browser_tabs", tabs("new", {{"url", web().url("/new-tab")}}));
  CHECK_THAT(answer.section("Open tabs"), Contains("(current) [New]"));
  CHECK_THAT(answer.section("Page"), Contains("- Page URL: " + web().url("/new-tab")));
  CHECK_THAT(answer.section("Snapshot"), Contains("button \"Go\""));
  CHECK_THAT(answer.section("Events"), Contains("wrong"));
  CHECK(answer.structured["tabs"].size() == 2);
  // What it has told is no news.
  CHECK_THAT(session.ok("browser_click", {{"target", "text=Go"}}).section("Snapshot"), !Contains("heading"));
  CHECK(session.ok("browser_tabs", tabs("new")).section("Snapshot").empty());
}

TEST_CASE("a new tab that can't load: an error with its id, and it stays", "[tabs] [nav.new-tab]") {
  Session session;
  const auto answer = session.error("browser_tabs", tabs("new", {{"url", web().url("/empty-500")}}));
  REQUIRE(session.scope().tabs().size() == 1);
  CHECK_THAT(answer.section("Error"),
             Contains(session.scope().tabs()[0]["id"].get<std::string>()) && Contains("net_error"));
}

TEST_CASE("a new tab whose URL is refused leaves none", "[tabs] [nav.new-tab]") {
  Session session;
  session.error("browser_tabs", tabs("new", {{"url", "chrome://version"}}));
  CHECK(session.scope().tabs().empty());
}

TEST_CASE("two scopes never see each other's tabs, cookies and storage", "[tabs] [nav.own-tabs]") {
  Session one;
  Session two;
  const auto tab = one.navigate(web().url("/set-cookie?name=a&value=b")).structured["tab"];
  one.evaluate("() => { localStorage.setItem('visits', 'one') }");
  two.navigate(web().url("/cookies"));
  CHECK(two.text_of("#cookies") == "none");
  two.navigate(web().url("/storage"));
  CHECK(two.text_of("#local") == "none");
  one.navigate(web().url("/cookies"));
  CHECK_THAT(one.text_of("#cookies"), Contains("a=b"));
  CHECK(two.scope().tabs().size() == 1);
  CHECK_THAT(two.error("browser_snapshot", {{"tab", tab}}).section("Error"),
             Contains(tab.get<std::string>()) && !Contains(web().url("/cookies")));
  CHECK_THAT(two.error("browser_tabs", tabs("close", {{"tab", tab}})).section("Error"), Contains("There is no tab"));
  CHECK(one.scope().tabs().size() == 1);
}

TEST_CASE("a scope's end closes its tabs, and those of no other", "[tabs]") {
  Session stays;
  stays.navigate(web().url("/plain"));
  const auto before = stays.browser()->tab_count();
  {
    Session goes;
    goes.navigate(web().url("/plain"));
    goes.ok("browser_tabs", tabs("new"));
    CHECK(stays.browser()->tab_count() == before + 2);
  }
  CHECK(eventually([&] { return stays.browser()->tab_count() == before; }));
  CHECK(stays.evaluate("1") == 1);
}

TEST_CASE("browser_close ends the session's tabs and its logins; the next call starts afresh", "[tabs]") {
  Session session;
  session.navigate(web().url("/set-cookie?name=a&value=b"));
  const auto browser = session.browser();
  const auto answer = session.ok("browser_close");
  CHECK_THAT(answer.section("Result"), Contains("closed"));
  CHECK(session.scope().tabs().empty());
  CHECK(session.ok("browser_close").waited < 2s);  // again is fine
  session.navigate(web().url("/cookies"));
  CHECK(session.text_of("#cookies") == "none");
  CHECK(session.browser() == browser);  // the others' browser lives on
}

TEST_CASE("resize sets the viewport, for the page too", "[tabs]") {
  Session session;
  session.navigate(web().url("/plain"));
  CHECK(session.evaluate("[innerWidth, innerHeight]") == Json({1280, 720}));
  session.ok("browser_resize", {{"width", 500}, {"height", 400}});
  CHECK(session.evaluate("[innerWidth, innerHeight]") == Json({500, 400}));
  session.navigate(web().url("/plain?next"));
  CHECK(session.evaluate("[innerWidth, innerHeight]") == Json({500, 400}));
}

TEST_CASE("resize tells what the page shows in the new size", "[tabs] [tool.resize]") {
  Session session;
  web().set_page(
      "/wide",
      "<!doctype html><style>@media (width < 700px) { nav { display: none } } @media (width >= 700px) { #menu { "
      "display: none } }</style><nav><a href=/a>Home</a></nav><button id=menu>Menu</button><p id=size></p><script>"
      "onresize = () => setTimeout(() => { size.textContent = 'now ' + innerWidth }, 100)</script>");
  session.navigate(web().url("/wide"));
  const auto answer = session.ok("browser_resize", {{"width", 500}, {"height", 400}});
  CHECK_THAT(answer.section("Result"), Contains("the viewport is 500x400 CSS pixels now"));
  CHECK_THAT(answer.section("Snapshot"),
             Contains("button \"Menu\"") && Contains("removed: ") && Contains("Home") && Contains("now 500"));
}

TEST_CASE("16 calls wait for a tab; the next is refused and told what keeps it busy", "[tabs] [cancel.queue]") {
  Session session;
  session.navigate(web().url("/plain"));
  auto first = session.start("browser_evaluate", {{"function", "() => new Promise(() => {})"}});
  const auto& queue = session.tab()->queue();
  REQUIRE(eventually([&] { return session.browser()->pending_commands() > 0; }));
  std::vector<std::unique_ptr<Running>> waiting;
  for (int i = 0; i < 16; ++i) waiting.push_back(session.start("browser_evaluate", {{"function", "1"}}));
  REQUIRE(eventually([&] { return queue.waiting() == 16; }));
  const auto refused = session.error("browser_click", {{"target", "h1"}});
  CHECK(refused.waited < 1s);
  CHECK_THAT(refused.section("Error"), Contains(session.scope().current_id()) && Contains("browser_evaluate"));
  CHECK_THAT(session.snapshot(), Contains("A plain page."));  // reading isn't queued
  first->abort_and_get();
  for (auto& call : waiting) CHECK(call->get().structured["value"] == 1);
}
