// browser_wait_for [tool.wait-for].
#include "browser/page/world/world.h"
#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;

namespace {

// Runs a script of the page's own after a while.
void later(Session& session, int ms, const std::string& script) {
  session.evaluate("() => { setTimeout(() => { " + script + " }, " + std::to_string(ms) + ") }");
}

}  // namespace

TEST_CASE("text that comes", "[waiting] [tool.structured]") {
  Session session;
  session.navigate(web().url("/plain"));
  later(session, 300, "document.querySelector('#text').textContent = 'It has come.'");
  const auto answer = session.ok("browser_wait_for", {{"text", "It has come."}});
  CHECK(answer.structured["satisfied"] == true);
  CHECK(answer.structured["waitedMs"].get<long>() <= answer.took.count());
  CHECK_THAT(answer.section("Result"), Contains("It has come."));
  CHECK(session.ok("browser_wait_for", {{"text", "It has come."}}).waited < 1s);  // there already
}

TEST_CASE("text that goes", "[waiting]") {
  Session session;
  session.navigate(web().url("/plain"));
  later(session, 300, "document.querySelector('#text').remove()");
  const auto answer = session.ok("browser_wait_for", {{"textGone", "A plain page."}});
  CHECK(answer.structured["satisfied"] == true);
  CHECK(session.evaluate("document.querySelector('#text')").is_null());
  CHECK(session.ok("browser_wait_for", {{"textGone", "never was there"}}).waited < 1s);
}

TEST_CASE("a URL, from a navigation or from the page's own history", "[waiting]") {
  Session session;
  session.navigate(web().url("/plain"));
  later(session, 200, "history.pushState({}, '', '/plain?pushed=1')");
  session.ok("browser_wait_for", {{"url", "pushed=1"}});
  later(session, 200, "location.href = '/slow?ms=300'");
  const auto answer = session.ok("browser_wait_for", {{"url", "/slow?ms=300"}});
  CHECK_THAT(answer.section("Page"), Contains("- Page URL: " + web().url("/slow?ms=300")));
  CHECK(session.href() == web().url("/slow?ms=300"));
}

TEST_CASE("text on a page that is still to come", "[waiting]") {
  Session session;
  session.navigate(web().url("/plain"));
  later(session, 0, "location.href = '/held?key=to-come'");
  REQUIRE(web().wait_for_request("/held?key=to-come", kPatience));
  const auto waiters = Tab::waiters();
  auto running = session.start("browser_wait_for", {{"text", "Released by to-come."}});
  CHECK(eventually([&] { return Tab::waiters() > waiters; }));
  web().release("to-come");
  CHECK(running->get().structured["satisfied"] == true);
}

TEST_CASE("what still slides to its place when it has come is told", "[waiting] [tool.wait-for.rest]") {
  Session session;
  session.navigate(
      "data:text/html,<style>div{height:30px;transition:transform 1000s linear}</style><div><b>Row</b></div>");
  session.evaluate(
      "() => { const row = document.querySelector('div'); row.getBoundingClientRect(); "
      "row.style.transform = 'translateY(300px)' }");
  const auto answer = session.ok("browser_wait_for", {{"text", "Row"}});
  CHECK_THAT(answer.section("Page"), Contains("Pending: an animation, "));
  session.evaluate("document.getAnimations().forEach((one) => one.finish())");
  CHECK_THAT(session.ok("browser_wait_for", {{"text", "Row"}}).section("Page"), !Contains("Pending"));
}

TEST_CASE("what comes a moment after what was waited for is in the answer, where things have only gone",
          "[waiting] [tool.wait-for.rest]") {
  Session session;
  // The row's timer is set before the wait's own of 350 ms, and so is over first, however slow the machine is.
  web().set_page("/filtered",
                 "<!doctype html><p id=count>2 rows</p><ul id=rows><li>Ann<li>Bob</ul><script>"
                 "fetch('/held?key=filtered').then(() => { count.textContent = '1 row'; rows.textContent = ''; "
                 "setTimeout(() => { rows.innerHTML = '<li>Cleo' }, 200) })</script>");
  session.navigate(web().url("/filtered"));
  const auto waiters = Tab::waiters();
  auto running = session.start("browser_wait_for", {{"text", "1 row"}});
  CHECK(eventually([&] { return Tab::waiters() > waiters; }));
  web().release("filtered");
  CHECK_THAT(running->get().section("Snapshot"), Contains("Cleo"));
}

TEST_CASE("what comes by several changes after what was waited for is in the answer",
          "[waiting] [tool.wait-for.rest]") {
  Session session;
  // Each timer is set before the wait's own of 350 ms for the change that it brings.
  web().set_page("/redrawn",
                 "<!doctype html><p id=count>2 rows</p><ul id=rows><li>Ann<li>Bob</ul><script>"
                 "fetch('/held?key=redrawn').then(() => { count.textContent = '1 row'; rows.textContent = ''; "
                 "setTimeout(() => { count.append(' found'); setTimeout(() => { rows.innerHTML = '<li>Cleo' }, 200) "
                 "}, 200) })</script>");
  session.navigate(web().url("/redrawn"));
  const auto waiters = Tab::waiters();
  auto running = session.start("browser_wait_for", {{"text", "1 row"}});
  CHECK(eventually([&] { return Tab::waiters() > waiters; }));
  web().release("redrawn");
  CHECK_THAT(running->get().section("Snapshot"), Contains("Cleo"));
}

TEST_CASE("a time", "[waiting]") {
  Session session;
  session.navigate(web().url("/plain"));
  const auto answer = session.ok("browser_wait_for", {{"time", 0.3}});
  CHECK(answer.took >= 300ms);
  CHECK(answer.waited < 2s);
  CHECK(answer.structured["waitedMs"].get<long>() >= 300);
}

TEST_CASE("after a time, what has changed meanwhile is shown", "[waiting] [tool.wait-for]") {
  Session session;
  session.navigate(web().url("/plain"));
  later(session, 50, "document.querySelector('#text').textContent = 'It has come.'");
  CHECK_THAT(session.ok("browser_wait_for", {{"time", 0.5}}).section("Snapshot"), Contains("It has come."));
  CHECK_THAT(session.ok("browser_wait_for", {{"time", 0.1}}).section("Snapshot"), Contains("no changes"));
}

TEST_CASE("what doesn't come is an error that says how long it waited", "[waiting] [tool.wait-for]") {
  Session session;
  session.navigate(web().url("/plain"));
  for (const Json& what : {Json{{"text", "nowhere"}}, Json{{"textGone", "A plain page."}}, Json{{"url", "nowhere"}}}) {
    Json args = what;
    args["timeout"] = 300;
    const auto answer = session.error("browser_wait_for", args);
    CHECK(answer.took >= 300ms);
    CHECK(answer.waited < 2500ms);
    CHECK_THAT(answer.section("Error"), matchers::Matches("[\\s\\S]*waited \\d+ ms[\\s\\S]*") &&
                                            Contains(what.begin().value().get<std::string>()));
  }
  CHECK_THAT(session.error("browser_wait_for").section("Error"), Contains("text") && Contains("url"));
}

TEST_CASE("in frames, of the same site and of another", "[waiting][frames] [tool.wait-for]") {
  Session session;
  SECTION("same site: srcdoc") {
    session.navigate(web().url("/iframes"));
    CHECK(session.ok("browser_wait_for", {{"text", "In srcdoc."}}).structured["satisfied"] == true);
    CHECK(session.ok("browser_wait_for", {{"text", "Frame at " + web().other_origin()}}).structured["satisfied"] ==
          true);
    CHECK(session.error("browser_wait_for", {{"textGone", "In srcdoc."}, {"timeout", 300}}).is_error);
  }
  SECTION("another site") {
    session.navigate(web().url("/iframes-cross-site"));
    CHECK(session.ok("browser_wait_for", {{"text", "Frame at " + web().cross_site()}}).structured["satisfied"] == true);
  }
}

namespace {

// The host's closed root says `words`; nothing but the browser can look into it.
std::string closed(const std::string& host, const std::string& words) {
  return "const root = " + host + ".attachShadow({mode: 'closed'}); root.innerHTML = '<p>" + words + "</p>';";
}

}  // namespace

TEST_CASE("in closed shadow roots that nobody has looked into yet", "[waiting][shadow]") {
  Session session;
  const auto host_page = [](const std::string& script) {
    return "<!doctype html><title>Closed</title><div id='host'></div><p id='plain'>plain</p><script>const host = "
           "document.getElementById('host');" +
           script + "</script>";
  };
  SECTION("there already") {
    web().set_page("/closed-wait", host_page(closed("host", "In a closed root.")));
    session.navigate(web().url("/closed-wait"));
    CHECK(session.ok("browser_wait_for", {{"text", "In a closed root."}}).structured["satisfied"] == true);
  }
  SECTION("within another one, and in a custom element") {
    web().set_page("/closed-wait",
                   host_page("customElements.define('in-side', class extends HTMLElement { connectedCallback() {" +
                             closed("this", "Deep inside.") + "} });" + closed("host", "<in-side></in-side>")));
    session.navigate(web().url("/closed-wait"));
    CHECK(session.ok("browser_wait_for", {{"text", "Deep inside."}}).structured["satisfied"] == true);
  }
  SECTION("it comes while the wait runs") {
    web().set_page("/closed-wait", host_page("fetch('/held?key=closed-wait').then(() => { " +
                                             closed("host", "It came late.") + " });"));
    session.navigate(web().url("/closed-wait"));
    auto running = session.start("browser_wait_for", {{"text", "It came late."}});
    CHECK(eventually([&] { return page_call({}, *session.tab(), "", page::Stats{}).pollers == 1; }));
    web().release("closed-wait");
    CHECK(running->get().structured["satisfied"] == true);
  }
  SECTION("what is shown there isn't gone; what goes from there is") {
    web().set_page("/closed-wait",
                   host_page(closed("host", "Working...") + "onclick = () => root.firstChild.remove();"));
    session.navigate(web().url("/closed-wait"));
    CHECK(session.error("browser_wait_for", {{"textGone", "Working..."}, {"timeout", 300}}).is_error);
    session.evaluate("() => { setTimeout(() => document.body.click(), 50) }");
    CHECK(session.ok("browser_wait_for", {{"textGone", "Working..."}}).structured["satisfied"] == true);
  }
  SECTION("in a frame") {
    web().set_page("/closed-frame", host_page(closed("host", "Closed in a frame.")));
    web().set_page("/closed-wait", "<!doctype html><title>Outer</title><iframe src='/closed-frame'></iframe>");
    session.navigate(web().url("/closed-wait"));
    CHECK(session.error("browser_wait_for", {{"textGone", "Closed in a frame."}, {"timeout", 300}}).is_error);
    CHECK(session.ok("browser_wait_for", {{"text", "Closed in a frame."}}).structured["satisfied"] == true);
  }
}

TEST_CASE("a target that a timer of the page may still bring is waited for", "[waiting] [tool.target.nearest]") {
  BrowserSettings settings;
  settings.action_timeout = 2 * kPatience;
  static House house(settings);
  Session session(house);
  // The timers do nothing, and aren't over before the test is: what brings the button is a message from the other tab.
  const std::string later = "setTimeout(() => {}, " + std::to_string(Millis(kPatience).count()) + ")";
  const auto set_page = [](const std::string& path, const std::string& body) {
    web().set_page(path, "<!doctype html><title>Timers</title>" + body);
  };
  const std::string listens =
      "<button id=more>More</button><script>new BroadcastChannel('go').onmessage = () => "
      "document.body.insertAdjacentHTML('beforeend', '<button id=late>Late</button>');";
  set_page("/timer-at-load", listens + later + "</script>");
  set_page("/timer-of-a-frame", "<iframe src='/timer-at-load'></iframe>");
  set_page("/timer-of-a-click", listens + "more.onclick = () => " + later + "</script>");
  set_page("/timer-of-a-timer", listens + "setTimeout(() => setTimeout(() => { " + later + " }, 1), 1)</script>");
  set_page("/timer-of-a-script", listens + "</script>");
  // What isn't there is told, though a poll's next turn is always to come.
  set_page("/timer-of-a-poll",
           "<p>Polled</p><script>const later = setTimeout; const poll = () => "
           "Promise.resolve().then(() => later(poll, 100)); poll()</script>");
  session.navigate(web().url("/timer-of-a-poll"));
  const auto polled = session.error("browser_click", at("#late")).section("Error");
  CHECK_THAT(polled, Contains("Nothing on the page matches") && !Contains("waited"));
  // The last one is set by one of a page that goes on so.
  set_page("/no-timer", "<script>clearTimeout(" + later + "); setInterval(() => {}, 1000);" +
                            "const on = (n) => setTimeout(() => { if (n) on(n - 1); else " + later +
                            "; }, 1); on(3);</script>");
  for (const char* path :
       {"/timer-at-load", "/timer-of-a-frame", "/timer-of-a-click", "/timer-of-a-timer", "/timer-of-a-script"}) {
    INFO(path);
    const auto tab = session.navigate(web().url(path)).structured["tab"];
    if (path == std::string("/timer-of-a-click")) session.ok("browser_click", at("#more"));
    session.ok("browser_tabs", {{"action", "new"}, {"url", web().url("/no-timer")}});
    if (path == std::string("/timer-of-a-script"))
      session.ok("browser_evaluate", {{"tab", tab}, {"function", "async () => { await null; " + later + " }"}});
    const auto running = session.start("browser_click", {{"target", "#late"}, {"tab", tab}});
    // That page is refused after the same time without a change, so that the other one has been looked at by then.
    CHECK_THAT(session.error("browser_click", at("#late")).section("Error"), Contains("Nothing on the page matches"));
    CHECK_FALSE(running->ended());
    session.evaluate("() => new BroadcastChannel('go').postMessage('')");
    CHECK_THAT(running->get().section("Result"), Contains("clicked button \"Late\""));
  }
}

TEST_CASE("a wait is reported as progress", "[waiting] [wire.progress]") {
  struct Sink : ProgressSink {
    std::atomic<int> reports{0};
    void report(double, double, std::string_view) override { ++reports; }
  } sink;
  Session session;
  session.navigate(web().url("/plain"));
  CallContext ctx;
  ctx.progress = &sink;
  CHECK_FALSE(session.perform("browser_wait_for", {{"time", 1.2}}, ctx).is_error);
  CHECK(sink.reports >= 1);
}

TEST_CASE("a URL that does not come: which one is there", "[wait] [tool.wait-for]") {
  Session session;
  session.navigate(web().url("/plain"));
  CHECK_THAT(session.error("browser_wait_for", {{"url", "/elsewhere"}, {"timeout", 50}}).section("Error"),
             Contains("/elsewhere") && Contains("The page is at " + web().url("/plain")));
}

TEST_CASE("an element that comes, can be seen, goes, in frames and closed shadow roots too",
          "[waiting] [tool.wait-for]") {
  Session session;
  web().set_page("/waits-inner", "<!doctype html><button id=in>Inner</button>");
  web().set_page("/waits",
                 "<!doctype html><div id=a hidden>A</div><x-w></x-w><iframe src=/waits-inner></iframe><script>"
                 "customElements.define('x-w', class extends HTMLElement { constructor() { super();"
                 "this.attachShadow({mode: 'closed'}).innerHTML = '<i id=deep>deep</i>' } })</script>");
  session.navigate(web().url("/waits"));
  later(session, 200, "document.querySelector('#a').hidden = false");
  const auto answer = session.ok("browser_wait_for", {{"selector", "#a"}});
  CHECK_THAT(answer.section("Result"), Contains("for \"#a\" to be visible"));
  session.ok("browser_wait_for", {{"selector", "#in"}});
  session.ok("browser_wait_for", {{"selector", "#deep"}});
  later(session, 200, "document.querySelector('#a').hidden = true");
  session.ok("browser_wait_for", {{"selector", "#a"}, {"state", "hidden"}});
  session.ok("browser_wait_for", {{"selector", "#a"}, {"state", "attached"}});
  later(session, 200, "document.querySelector('iframe').remove()");
  session.ok("browser_wait_for", {{"selector", "role=button[name=\"Inner\"]"}, {"state", "detached"}});
  const auto words = [&](const Json& args) { return session.error("browser_wait_for", args).section("Error"); };
  CHECK_THAT(words({{"selector", "#a"}, {"timeout", 200}}), Contains("for \"#a\" to be visible, which did not come"));
  CHECK_THAT(words({{"selector", "#deep"}, {"state", "detached"}, {"timeout", 200}}), Contains("to be detached"));
  CHECK(session.error("browser_wait_for", {{"selector", "a[["}}).waited < 2s);
  CHECK_THAT(words({{"selector", " "}}), Contains("selector is empty"));
  auto running = session.start("browser_wait_for", {{"selector", "#never"}, {"timeout", 60000}});
  REQUIRE(eventually([&] { return page_stats(session).pollers > 0; }));
  running->abort_and_get();
  CHECK(page_stats(session).pollers == 0);
}

TEST_CASE("a request or a response since the last action", "[waiting] [tool.wait-for]") {
  Session session;
  session.navigate(web().url("/plain"));
  later(session, 200, "fetch('/slow?ms=300&which=one')");
  const auto asked = session.ok("browser_wait_for", {{"request", "which=one"}});
  CHECK_THAT(asked.section("Result"), Contains(": GET ") && Contains("which=one"));
  CHECK_THAT(session.ok("browser_wait_for", {{"response", "*/slow?*one"}}).section("Result"),
             Contains("which=one => 200"));
  // Before another action it is there already, after that it isn't.
  CHECK(session.ok("browser_wait_for", {{"response", "which=one"}}).waited < 1s);
  session.evaluate("1");
  CHECK_THAT(session.error("browser_wait_for", {{"response", "which=one"}, {"timeout", 200}}).section("Error"),
             Contains("a response from \"which=one\", which did not come"));
  CHECK_THAT(session.error("browser_wait_for", {{"request", "*/none"}, {"timeout", 100}}).section("Error"),
             Contains("a request to"));
  auto running = session.start("browser_wait_for", {{"response", "never"}, {"timeout", 60000}});
  CHECK(eventually([&] { return Tab::waiters() > 0; }));
  running->abort_and_get();
}

TEST_CASE("a function that only looks", "[waiting] [tool.wait-for.function]") {
  Session session;
  session.navigate(web().url("/plain"));
  later(session, 250, "window.ready = {count: 3}");
  session.ok("browser_wait_for", {{"function", "() => window.ready && ready.count === 3"}});
  session.ok("browser_wait_for", {{"function", "document.querySelectorAll('p').length > 0 // as an expression"}});
  session.ok("browser_wait_for", {{"function", "() => document.body"}});
  const auto words = [&](const std::string& function) {
    const auto answer = session.error("browser_wait_for", {{"function", function}, {"timeout", 1000}});
    return answer.section("Error");
  };
  CHECK_THAT(words("() => window.nothing"), Contains("for the function, which did not come"));
  CHECK_THAT(words("() => { document.title = 'changed'; return true }"),
             Contains("side-effect") && Contains("only look"));
  CHECK(session.evaluate("document.title") != "changed");
  CHECK_THAT(words("() => { window.changed = true; return true }"), Contains("only look"));
  CHECK(session.evaluate("window.changed").is_null());
  CHECK_THAT(words("() => nothing.at.all"), Contains("nothing is not defined"));
  CHECK_THAT(words("() => {"), Contains("SyntaxError"));
  CHECK_THAT(words("async () => true"), Contains("promise") || Contains("side-effect"));
  CHECK_THAT(words("() => { for (;;); }"), Contains("longer than"));
  auto running = session.start("browser_wait_for", {{"function", "() => window.never"}, {"timeout", 60000}});
  CHECK(eventually([&] { return session.browser()->pending_commands() > 0; }));
  running->abort_and_get();
}

TEST_CASE("a page that has reloaded itself since the last answer is said to have", "[wait] [tool.sections]") {
  Session session;
  constexpr const char* kNews = "loaded anew since the last answer";
  web().set_page("/hot", "<!doctype html><title>Hot</title><h1>Hot</h1>");
  session.navigate(web().url("/hot"));
  CHECK_THAT(session.ok("browser_snapshot").section("Page"), !Contains(kNews));
  session.evaluate("() => { fetch('/held?key=hot').then(() => location.reload()); }");
  REQUIRE(web().wait_for_request("/held?key=hot", kPatience));
  web().set_page("/hot", "<!doctype html><title>Hot</title><h1>Mended</h1>");
  web().release("hot");
  CHECK_THAT(session.ok("browser_wait_for", {{"text", "Mended"}}).section("Page"), Contains(kNews));
  CHECK_THAT(session.ok("browser_wait_for", {{"time", 0.1}}).section("Page"), !Contains(kNews));
  CHECK_THAT(session.ok("browser_snapshot").section("Page"), !Contains(kNews));
}

TEST_CASE("a page that is about to lead on by itself says so, with where and when", "[waiting] [nav.refresh]") {
  Session session;
  const auto page = [&](const std::string& seconds) {
    return session.navigate(web().url("/meta-refresh?s=" + seconds + "&to=/plain")).section("Page");
  };
  CHECK_THAT(page("9"),
             Contains("- Pending: the page goes on by itself to " + web().url("/plain") + " 9 s after its load"));
  CHECK_THAT(page("300"), !Contains("Pending"));
}
