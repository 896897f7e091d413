// Stop means stop: each kind of work, aborted [cancel.browser]. Each call ends
// within a second, the web server sees it, and the tab is usable afterwards.
#include "browser/page/world/world.h"
#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;

namespace {

void check_usable(Session& session) {
  static std::atomic<int> round{0};
  const auto url = web().url("/plain?usable=" + std::to_string(++round));
  const auto answer = session.navigate(url);
  CHECK(answer.waited < 5s);
  check_landed(session, answer, url);
}

void check_hangup(const std::string& path, const Stopwatch& since) {
  REQUIRE(web().wait_for_hangup(path, kPatience));
  CHECK(since.waited() < 1s);
}

}  // namespace

TEST_CASE("a navigation: stopped at the web server, told once, and the page is where it was",
          "[abort] [cancel.browser.navigation] [cancel.browser.told]") {
  Session session;
  session.navigate(web().url("/plain?title=Here"));
  const auto url = web().url("/never?abort-navigate");
  auto running = session.start("browser_navigate", {{"url", url}, {"timeout", 60000}});
  REQUIRE(web().wait_for_request("/never?abort-navigate", kPatience));
  const Stopwatch began;
  running->abort_and_get();
  check_hangup("/never?abort-navigate", began);
  const auto told = session.ok("browser_snapshot");
  CHECK_THAT(told.section("Events"), Contains("cancelled: navigation to " + url + " stopped"));
  CHECK_THAT(told.section("Page"), Contains(web().url("/plain?title=Here")));
  CHECK_THAT(session.ok("browser_snapshot").section("Events"), !Contains("cancelled"));
  check_usable(session);
}

TEST_CASE("the note of a cancelled call is for its session only", "[abort] [cancel.browser.told]") {
  Session one;
  Session two;
  two.navigate(web().url("/plain"));
  one.navigate(web().url("/plain"));
  auto running = one.start("browser_navigate", {{"url", web().url("/never?abort-note")}, {"timeout", 60000}});
  REQUIRE(web().wait_for_request("/never?abort-note", kPatience));
  running->abort_and_get();
  CHECK_THAT(two.ok("browser_snapshot").section("Events"), !Contains("cancelled"));
  CHECK_THAT(one.ok("browser_snapshot").section("Events"), Contains("cancelled"));
}

TEST_CASE("a navigation whose body never ends", "[abort] [cancel.browser.navigation]") {
  Session session;
  session.navigate(web().url("/plain"));
  auto running = session.start("browser_navigate", {{"url", web().url("/never-body?abort")}});
  REQUIRE(session.tab()->wait(CallContext{}.within(kPatience),
                              [&] { return session.tab()->state().url == web().url("/never-body?abort"); }));
  running->abort_and_get();
  check_usable(session);
  // At once, unless the stop came before anybody read the body: then Chromium's network stack drains it for 5 s, in the
  // hope that the connection can be used again.
  CHECK(web().wait_for_hangup("/never-body?abort", kPatience).has_value());
}

TEST_CASE("the first navigation of a session", "[abort]") {
  Session session;
  auto running = session.start("browser_navigate", {{"url", web().url("/never?abort-first")}, {"timeout", 60000}});
  REQUIRE(web().wait_for_request("/never?abort-first", kPatience));
  const Stopwatch began;
  running->abort_and_get();
  check_hangup("/never?abort-first", began);
  check_usable(session);
}

TEST_CASE("a reload and a way back", "[abort]") {
  Session session;
  std::atomic<int> visits{0};
  web().set_handler("/hangs-again", [&](const site::Request&, site::Response& response) {
    response.set_header("Cache-Control", "no-store");
    if (++visits > 1 && !response.hold()) return;
    response.html("<title>Once</title><p>once</p>");
  });
  session.navigate(web().url("/hangs-again"));
  const auto stop = [&](const char* tool, std::size_t count) {
    auto running = session.start(tool, {{"timeout", 60000}});
    REQUIRE(web().wait_for_request("/hangs-again", kPatience, count));
    running->abort_and_get();
    CHECK(web().wait_for_hangup("/hangs-again", kPatience, count - 1));
    CHECK_THAT(session.ok("browser_snapshot").section("Events"),
               Contains(std::string("cancelled: ") + tool + " stopped"));
  };
  stop("browser_reload", 2);
  check_usable(session);
  stop("browser_navigate_back", 3);
  check_usable(session);
  session.scope().close_all({});
  CHECK(web().wait_for_open_connections("/hangs-again", 0, kPatience));
}

TEST_CASE("a click whose navigation never answers", "[abort] [cancel.browser.navigation]") {
  Session session;
  web().set_page("/abort-click", "<a id='never' href='/never?abort-click'>never</a>");
  session.navigate(web().url("/abort-click"));
  auto running = session.start("browser_click", {{"target", "#never"}});
  REQUIRE(web().wait_for_request("/never?abort-click", kPatience));
  const Stopwatch began;
  running->abort_and_get();
  check_hangup("/never?abort-click", began);
  const auto told = session.ok("browser_snapshot");
  CHECK_THAT(told.section("Events"), Contains("cancelled: clicked link \"never\""));
  check_usable(session);
}

TEST_CASE("a click that waits for its target: nothing is clicked, the page's poller stops",
          "[abort] [cancel.browser.wait]") {
  Session session;
  session.navigate(web().url("/click-lab"));
  session.ok("browser_click", {{"target", "#counter"}});
  auto running = session.start("browser_click", {{"target", "#covered"}});
  REQUIRE(eventually([&] { return page_stats(session).pollers == 1; }));
  running->abort_and_get();
  CHECK(eventually([&] { return page_stats(session).pollers == 0; }));
  session.evaluate("() => { document.querySelector('#cover').remove() }");
  session.ok("browser_click", {{"target", "#counter"}});
  CHECK_THAT(session.text_of("#log"), !Contains("covered clicked"));
  check_usable(session);
}

TEST_CASE("typing stops in the middle; no more input follows", "[abort] [cancel.browser.typing]") {
  Session session;
  web().set_page("/abort-typing",
                 "<input id='field' oninput=\"if (value.length == 5) fetch('/api/json?typed-some')\">");
  session.navigate(web().url("/abort-typing"));
  auto running =
      session.start("browser_type", {{"target", "#field"}, {"text", std::string(20'000, 'x')}, {"slowly", true}});
  REQUIRE(web().wait_for_request("/api/json?typed-some", kPatience));
  running->abort_and_get();
  const auto length = [&] { return session.evaluate("document.querySelector('#field').value.length").get<long>(); };
  const auto typed = length();
  CHECK(typed >= 5);
  CHECK(typed < 20'000);
  CHECK_THAT(session.ok("browser_wait_for", {{"time", 0.2}}).text, Contains("waited"));
  CHECK(length() == typed);
  check_usable(session);
}

TEST_CASE("what a cancelled key or click has pressed is released, modifiers too",
          "[abort][input] [cancel.browser.input]") {
  Session session;
  // The page is busy with the press itself, in a request that the site holds: what follows it waits in the browser.
  web().set_page("/abort-pressed",
                 R"html(<!doctype html><title>Pressed</title><input id="field"><button id="b">B</button><script>
window.seen = [];
const hold = (key) => { const request = new XMLHttpRequest(); request.open('GET', '/held?key=' + key, false); request.send(); };
for (const type of ['keydown', 'keyup']) addEventListener(type, (event) => {
  seen.push(type + ' ' + event.key + ' ' + event.shiftKey);
  if (type === 'keydown' && event.key === 'A') hold('pressed-key');
});
for (const type of ['mousedown', 'mouseup', 'click']) addEventListener(type, (event) => {
  seen.push(type + ' ' + event.shiftKey);
  if (type === 'mousedown' && event.shiftKey) hold('pressed-click');
});
document.getElementById('field').focus();
</script>)html");
  session.navigate(web().url("/abort-pressed"));
  const auto abort_held = [&](const std::string& tool, const Json& args, const std::string& key) {
    auto running = session.start(tool, args);
    REQUIRE(web().wait_for_request("/held?key=" + key, kPatience));
    running->abort_and_get();
    web().release(key);
  };
  const auto seen = [&] { return session.evaluate("window.seen.splice(0)").get<std::vector<std::string>>(); };
  const auto saw = [&](const std::string& event) {
    return eventually([&] { return session.evaluate("window.seen").dump().find(event) != std::string::npos; });
  };
  SECTION("a combination of keys") {
    abort_held("browser_press_key", {{"key", "Shift+A"}}, "pressed-key");
    CHECK(saw("keyup Shift false"));
    CHECK(seen() ==
          std::vector<std::string>{"keydown Shift true", "keydown A true", "keyup A true", "keyup Shift false"});
  }
  SECTION("a click with a modifier") {
    abort_held("browser_click", {{"target", "#b"}, {"modifiers", {"Shift"}}}, "pressed-click");
    CHECK(saw("click true"));
    CHECK(seen() == std::vector<std::string>{"mousedown true", "mouseup true", "click true"});
  }
  session.ok("browser_click", {{"target", "#b"}});
  CHECK(seen() == std::vector<std::string>{"mousedown false", "mouseup false", "click false"});
  session.ok("browser_press_key", {{"key", "b"}});
  CHECK(seen() == std::vector<std::string>{"keydown b false", "keyup b false"});
  check_usable(session);
}

TEST_CASE("waits: text, the end of text, a URL, a time", "[abort] [cancel.browser.wait]") {
  Session session;
  session.navigate(web().url("/plain"));
  for (const Json& args :
       {Json{{"text", "nowhere"}, {"timeout", 60000}}, Json{{"textGone", "A plain page."}, {"timeout", 60000}},
        Json{{"url", "nowhere"}, {"timeout", 60000}}, Json{{"time", 60}}}) {
    CAPTURE(args.dump());
    const auto waiters = Tab::waiters();
    auto running = session.start("browser_wait_for", args);
    const bool in_page = args.contains("text") || args.contains("textGone");
    if (in_page) {
      REQUIRE(eventually([&] { return page_stats(session).pollers == 1; }));
    } else if (args.contains("url")) {
      REQUIRE(eventually([&] { return Tab::waiters() > waiters; }));
    }
    running->abort_and_get();
    CHECK(eventually([&] { return page_stats(session).pollers == 0; }));
    CHECK(Tab::waiters() == waiters);
  }
  check_usable(session);
}

TEST_CASE("a new tab that no result has told of is closed, and never becomes the current one",
          "[abort] [cancel.browser.new-tab]") {
  Session session;
  const auto one = session.navigate(web().url("/plain")).structured["tab"];
  auto running = session.start("browser_tabs", {{"action", "new"}, {"url", web().url("/never?abort-new")}});
  REQUIRE(web().wait_for_request("/never?abort-new", kPatience));
  const Stopwatch began;
  running->abort_and_get();
  check_hangup("/never?abort-new", began);
  const auto list = session.ok("browser_tabs", {{"action", "list"}});
  REQUIRE(list.structured["tabs"].size() == 1);
  CHECK(list.structured["tabs"][0]["id"] == one);
  CHECK(list.structured["tabs"][0]["current"] == true);
  check_usable(session);
}

TEST_CASE("a screenshot of a page that is busy", "[abort] [cancel.browser.files]") {
  Session session;
  session.navigate(web().url("/plain"));
  keep_busy(session, "/api/json?busy-shot");
  auto running = session.start("browser_take_screenshot");
  REQUIRE(eventually([&] { return session.browser()->pending_commands() > 1; }));
  running->abort_and_get();
  session.tab()->session().post("Runtime.terminateExecution");
  check_usable(session);
}

TEST_CASE("a queued call leaves the queue and never starts", "[abort] [cancel.browser.queued]") {
  Session session;
  session.navigate(web().url("/click-lab"));
  auto first = session.start("browser_evaluate",
                             {{"function", "() => { document.title = 'runs'; return new Promise(() => {}) }"}});
  REQUIRE(eventually([&] {
    return session.tab()->call({}, "Runtime.evaluate", {{"expression", "document.title"}})["result"]["value"] == "runs";
  }));
  auto queued = session.start("browser_click", {{"target", "#counter"}});
  REQUIRE(eventually([&] { return session.tab()->queue().waiting() == 1; }));
  queued->abort_and_get();
  CHECK(session.tab()->queue().waiting() == 0);
  CHECK_FALSE(first->ended());
  first->abort_and_get();
  CHECK(session.text_of("#count") == "0");
}

TEST_CASE("a call that waits for somebody else's navigation: only the wait ends, not the navigation", "[abort]") {
  Session session;
  session.navigate(web().url("/plain"));
  session.error("browser_navigate", {{"url", web().url("/never?abort-guard")}, {"timeout", 100}});
  const auto waiters = Tab::waiters();
  auto running = session.start("browser_snapshot");
  REQUIRE(eventually([&] { return Tab::waiters() > waiters; }));
  running->abort_and_get();
  CHECK(web().open_connections("/never?abort-guard") == 1);
  check_usable(session);
}

TEST_CASE("an abort before the call: nothing is sent", "[abort] [cancel.browser.no-more]") {
  Session session;
  session.navigate(web().url("/click-lab"));
  AbortController controller;
  controller.abort(AbortReason::client_cancelled);
  CallContext ctx;
  ctx.signal = controller.signal();
  const std::vector<std::pair<std::string, Json>> calls{
      {"browser_navigate", {{"url", web().url("/plain?aborted-before")}}},
      {"browser_click", {{"target", "#counter"}}},
      {"browser_type", {{"target", "#counter"}, {"text", "x"}}},
      {"browser_press_key", {{"key", "a"}}},
      {"browser_evaluate", {{"function", "document.title = 'changed'"}}},
      {"browser_snapshot", Json::object()},
      {"browser_wait_for", {{"time", 60}}},
      {"browser_take_screenshot", Json::object()},
      {"browser_reload", Json::object()},
      {"browser_resize", {{"width", 300}, {"height", 300}}},
      {"browser_tabs", {{"action", "new"}}}};
  for (const auto& [tool, args] : calls) {
    CAPTURE(tool);
    const auto answer = session.perform(tool, args, ctx);
    CHECK(answer.aborted);
    CHECK(answer.waited < 500ms);
  }
  CHECK(web().requests("/plain?aborted-before").empty());
  CHECK(session.scope().tabs().size() == 1);
  CHECK(session.text_of("#count") == "0");
  CHECK(session.evaluate("document.title") == "Click lab");
  CHECK(session.evaluate("innerWidth") == 1280);
}

TEST_CASE("aborts at any moment leave nothing behind", "[abort] [cancel.browser]") {
  Session session;
  session.navigate(web().url("/click-lab"));
  session.snapshot();
  wait_answered(session);
  const auto callbacks = AbortCallback::live();
  const auto waiters = Tab::waiters();
  int aborted = 0;
  for (int round = 0; round < 40; ++round) {
    auto running = session.start(round % 2 == 0 ? "browser_click" : "browser_snapshot",
                                 round % 2 == 0 ? Json{{"target", "#dom"}} : Json::object());
    const auto until = Clock::now() + std::chrono::microseconds(500 * round);
    eventually([&] { return Clock::now() >= until; });
    running->abort();
    const auto answer = running->get();
    CHECK(answer.unexpected.empty());
    if (answer.aborted) ++aborted;
  }
  CHECK(aborted > 0);
  CHECK(eventually([&] { return session.browser()->pending_commands() == 0; }));
  CHECK(AbortCallback::live() == callbacks);
  CHECK(Tab::waiters() == waiters);
  session.ok("browser_click", {{"target", "#counter"}});
  CHECK(session.text_of("#count") == "1");  // no button or modifier stayed down
}
