// What an action brings about a moment later is in its answer, and what is still to come is named
// [nav.after-action.timers].
#include "browser/page/input/timer_watch.h"
#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;

namespace {

// A page with a button #go, whose listener runs `script`, and an empty #out.
std::string page_that(const std::string& script) {
  web().set_page(
      "/late",
      "<!doctype html><title>Late</title><style>.fade { opacity: 0; transition: opacity 200ms } "
      ".fade.in { opacity: 1 } .back { position: fixed; inset: 0; opacity: 0; transition: opacity 250ms } "
      ".back.in { opacity: .5 }</style><button id=go>Go</button><input id=field aria-label=Field>"
      "<div id=out></div><script>const say = (text) => { out.textContent = text; }; const back = (then) => { "
      "const el = document.createElement('div'); el.className = 'back'; document.body.append(el); "
      "void el.offsetWidth; el.classList.add('in'); el.ontransitionend = then; };" +
          script + "</script>");
  return web().url("/late");
}

// How long each of five clicks on #go has waited.
std::vector<Millis> waits_of_clicks(Session& session) {
  std::vector<Millis> waits;
  for (int i = 0; i < 5; ++i) waits.push_back(session.ok("browser_click", at("#go")).waited);
  return waits;
}

std::string on_click(const std::string& body) { return page_that("go.onclick = () => { " + body + " };"); }

// The answer to a click on #go of the page, which is loaded anew for each attempt.
Answer clicked(Session& session, const std::string& url, const std::string& words = "late words") {
  const auto click = [&] {
    session.navigate(url);
    return session.ok("browser_click", at("#go"));
  };
  return in_time(click, [&](const Answer& answer) {
    return answer.section("Snapshot").find(words) != std::string::npos && !answer.says("Pending");
  });
}

}  // namespace

TEST_CASE("what a timer of the click's brings about is in its answer", "[late] [nav.after-action.timers]") {
  Session session;
  const char* script = GENERATE(
      "setTimeout(() => say('late words'), 300)",                                     // a debounce
      "setTimeout(() => setTimeout(() => say('late words'), 200), 150)",              // one that sets another
      "setTimeout('say(\"early\")', 9); setTimeout(() => say('late words'), '250')",  // a delay as text
      "const t = setTimeout(() => say('wrong'), 340); clearTimeout(t); setTimeout(() => say('late words'), 20)",
      "setTimeout(() => fetch('/api/slow?ms=200').then(() => say('late words')), 150)",
      "requestAnimationFrame(() => setTimeout(() => say('late words'), 250))",  // a map's zoom
      "requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => say('late words'), 250)))",
      "setTimeout(async () => { await null; say('late words'); }, 100)");
  CAPTURE(script);
  const auto answer = clicked(session, on_click(script));
  CHECK_THAT(answer.section("Snapshot"), Contains("late words"));
  CHECK_THAT(answer.text, !Contains("Pending"));
}

TEST_CASE("what a timer of the click's brings about is in the answer to the dialog that it has opened",
          "[late] [nav.after-action.timers]") {
  Session session;
  const char* script =
      GENERATE("if (confirm('Sure?')) setTimeout(() => say('late words'), 300)",
               "setTimeout(() => say('late words'), 300); confirm('Sure?')",
               "confirm('Sure?'); Promise.resolve().then(() => setTimeout(() => say('late words'), 300))");
  CAPTURE(script);
  session.navigate(on_click(script));
  const auto asked = session.ok("browser_click", at("#go"));
  REQUIRE_THAT(asked.section("Modal state"), Contains("Sure?"));
  const auto answer = session.ok("browser_handle_dialog", {{"accept", true}});
  CHECK_THAT(answer.section("Snapshot"), Contains("late words"));
  CHECK_THAT(answer.text, !Contains("Pending"));
  session.ok("browser_click", at("#go"));
  session.ok("browser_handle_dialog", {{"accept", false}});
  CHECK(session.evaluate("Function.prototype.toString.call(setTimeout)") == "function setTimeout() { [native code] }");
}

TEST_CASE("a frame whose click has opened a dialog has its own setTimeout afterwards",
          "[late] [nav.after-action.timers]") {
  Session session;
  on_click("confirm('Sure?')");
  web().set_page("/around", "<!doctype html><iframe src=/late></iframe>");
  session.navigate(web().url("/around"));
  REQUIRE_THAT(session.ok("browser_click", at("#go")).section("Modal state"), Contains("Sure?"));
  session.ok("browser_handle_dialog", {{"accept", true}});
  CHECK(session.evaluate("Function.prototype.toString.call(frames[0].setTimeout)") ==
        "function setTimeout() { [native code] }");
}

TEST_CASE("what a library does by the setTimeout that it found when it was loaded is in the answer",
          "[late] [nav.after-action.timers]") {
  Session session;
  const char* way =
      GENERATE("later(() => say('late words'), 250)",
               "const wrong = later(() => say('wrong'), 340); never(wrong); later(() => say('late words'), 20)",
               "const i = often(() => { say('late words'); enough(i) }, 200)");
  CAPTURE(way);
  const auto url = page_that(
      "const [later, never, often, enough] = [setTimeout, clearTimeout, setInterval, clearInterval]; "
      "go.onmousedown = () => { " +
      std::string(way) + " };");
  const auto answer = clicked(session, url);
  CHECK_THAT(answer.section("Snapshot"), Contains("late words"));
  CHECK_THAT(answer.text, !Contains("Pending"));
}

TEST_CASE("typing and keys wait for their timers too", "[late] [nav.after-action.timers]") {
  Session session;
  session.navigate(page_that("field.oninput = () => { setTimeout(() => say('found ' + field.value), 250) };"));
  CHECK_THAT(session.ok("browser_type", {{"target", "#field"}, {"text", "abc"}}).section("Snapshot"),
             Contains("found abc"));
  CHECK_THAT(session.ok("browser_press_key", {{"key", "d"}}).section("Snapshot"), Contains("found abcd"));
}

TEST_CASE("what has faded out and is removed then, is gone in the answer", "[late] [nav.after-action.timers]") {
  Session session;
  const auto answer = clicked(session,
                              page_that("out.innerHTML = '<div id=box class=\"fade in\"><p>the box</p></div>'; "
                                        "box.ontransitionend = () => box.remove();"
                                        "go.onclick = () => box.classList.remove('in');"),
                              "removed");
  CHECK_THAT(answer.section("Snapshot"), Contains("removed") && Contains("the box"));
}

TEST_CASE("what a backdrop comes before is in the answer", "[late] [nav.after-action.timers]") {
  Session session;
  const auto answer = clicked(session, on_click("back(() => say('late words'))"));
  CHECK_THAT(answer.section("Snapshot"), Contains("late words"));
  CHECK_THAT(answer.text, !Contains("Pending"));
}

TEST_CASE("what the handler of a response begins is waited for as what the click begins is",
          "[late] [nav.after-action.timers]") {
  Session session;
  // The page's own timers, whose end the answer waits for: together no more than half of the 700 ms that they are
  // given.
  const char* handler = GENERATE("back(() => say('late words'))",                        // a dialog after its backdrop
                                 "setTimeout(() => say('late words'), 300)",             // a timer
                                 "setTimeout(() => back(() => say('late words')), 90)",  // one after the other
                                 "back(() => setTimeout(() => say('late words'), 90))",
                                 "requestIdleCallback(() => requestIdleCallback(() => setTimeout(() => "
                                 "requestIdleCallback(() => say('late words')), 90)))");
  const char* click = GENERATE("fetch('/api/slow?ms=150').then(() => { HANDLER })",
                               "fetch('/api/slow?ms=5').then(() => { HANDLER }); setTimeout(() => {}, 1)",
                               "const x = new XMLHttpRequest; x.open('GET', '/api/slow?ms=900'); x.onload = () => { "
                               "HANDLER }; x.send()");
  CAPTURE(handler, click);
  std::string script = click;
  script.replace(script.find("HANDLER"), std::string("HANDLER").size(), handler);
  const auto answer = clicked(session, on_click(script));
  CHECK_THAT(answer.section("Snapshot"), Contains("late words"));
  CHECK_THAT(answer.text, !Contains("Pending"));
}

TEST_CASE("a dialog that goes once its request is answered is gone in the answer", "[late] [nav.after-action.timers]") {
  Session session;
  CHECK_THAT(clicked(session,
                     page_that("out.innerHTML = '<div id=box class=\"fade in\"><p>the box</p></div>'; "
                               "box.ontransitionend = () => box.remove();"
                               "go.onclick = () => fetch('/api/slow?ms=40').then(() => box.classList.remove('in'));"),
                     "removed")
                 .section("Snapshot"),
             Contains("removed") && Contains("the box"));
}

TEST_CASE("a page's clock is waited for at one answer to a request, not at each", "[late] [nav.after-action.timers]") {
  Session session;
  const char* tick = GENERATE("(function tick() { out.dataset.n = Date.now(); setTimeout(tick, 40); })()",
                              "(function tick() { out.dataset.n = Date.now(); setTimeout(() => tick(), 40); })()");
  CAPTURE(tick);
  session.navigate(page_that(std::string(tick) + "; go.onclick = () => fetch('/api/json').then(() => say('come'));"));
  session.ok("browser_click", at("#go"));
  const auto waited = waits_of_clicks(session);
  // The window of one click may hold a tick, which is the click's own then.
  CHECK(*std::min_element(waited.begin(), waited.end()) < 500ms);
}

TEST_CASE("what a page builds when it is idle is in the answer", "[late] [nav.after-action.timers]") {
  Session session;
  const char* script = GENERATE(
      "requestIdleCallback(() => say('late words'))",
      "let n = 12; const step = () => { const end = performance.now() + 10; while (performance.now() < end); if (--n) "
      "requestIdleCallback(step); else say('late words') }; requestIdleCallback(step)",
      "setTimeout(() => requestIdleCallback(() => say('late words')), 150)",
      "requestAnimationFrame(() => requestIdleCallback(() => say('late words')))",
      // One that was taken before, as MediaWiki does.
      "idle(() => idle(() => say('late words')))");
  CAPTURE(script);
  const auto answer = clicked(
      session,
      page_that("const idle = requestIdleCallback.bind(window); go.onclick = () => { " + std::string(script) + " };"));
  CHECK_THAT(answer.section("Snapshot"), Contains("late words"));
  CHECK_THAT(answer.text, !Contains("Pending"));
}

TEST_CASE("a page that always asks to be called when it is idle is waited for once",
          "[late] [nav.after-action.timers]") {
  Session session;
  session.navigate(
      page_that("(function step() { requestIdleCallback(() => step()) })(); go.onclick = () => say('now')"));
  session.ok("browser_click", at("#go"));
  const auto waited = waits_of_clicks(session);
  CHECK(*std::max_element(waited.begin(), waited.end()) < 700ms);
  CHECK(*std::min_element(waited.begin(), waited.end()) < 300ms);
}

TEST_CASE("what a page builds when it is idle after its load is in the first snapshot", "[late] [nav.fetches]") {
  Session session;
  const auto answer = session.ok(
      "browser_navigate",
      {{"url", page_that("addEventListener('load', () => { let n = 12; const step = () => { const end = "
                         "performance.now() + 12; while (performance.now() < end); if (--n) requestIdleCallback(step); "
                         "else say('late words') }; requestIdleCallback(step) })")}});
  CHECK_THAT(answer.section("Snapshot"), Contains("late words"));
}

TEST_CASE("where something has gone and nothing has come, a longer timer is waited for",
          "[late] [nav.after-action.timers]") {
  Session session;
  session.navigate(
      page_that("say('old words'); go.onclick = () => { out.textContent = ''; "
                "setTimeout(() => say('new words'), 360) };"));
  const auto answer = session.ok("browser_click", at("#go"));
  CHECK_THAT(answer.section("Snapshot"), Contains("new words"));
  CHECK_THAT(session.ok("browser_click", at("#field")).section("Snapshot"), !Contains("words"));
}

TEST_CASE("where something has gone and something was fetched, what a framework's own timer shows is waited for",
          "[late] [nav.after-action.timers]") {
  Session session;
  // As React's Suspense does, which takes setTimeout when it loads.
  CHECK_THAT(
      clicked(
          session,
          page_that(
              "const later = setTimeout; out.innerHTML = '<p>old words</p><p>more of them</p>'; go.onclick = () => { "
              "out.textContent = ''; fetch('/api/slow?ms=40').then(() => later(() => say('new words'), 240)) };"),
          "new words")
          .section("Snapshot"),
      Contains("new words"));
}

TEST_CASE("what is still to come is named, and not waited for", "[late] [nav.after-action.timers]") {
  Session session;
  session.navigate(on_click("say('at once'); setTimeout(() => say('much later'), 2500)"));
  const auto answer = session.ok("browser_click", at("#go"));
  CHECK_THAT(answer.section("Page"), Contains("- Pending: the page acts again when its timer of 2500 ms is over"));
  CHECK_THAT(answer.section("Snapshot"), Contains("at once"));
  CHECK(answer.waited < 1500ms);
}

TEST_CASE("a watch tells whether a timer was over since the page was read", "[late] [nav.after-action.timers]") {
  Session session;
  session.navigate(page_that("const start = () => setTimeout(() => { document.title += 'over' })"));
  const auto tab = session.tab();
  const auto run = [&](const std::string& script) {
    return tab->call({}, "Runtime.evaluate", {{"expression", script}})["result"].value("value", Json()).dump();
  };
  const auto watched = [&](bool runs, bool looks_after) {
    TimerWatch watch({}, *tab, "", TimerWatch::Before::input);
    if (!looks_after) watch.look();
    run(runs ? "document.title = ''; start()" : "document.title = 'over'; clearTimeout(start())");
    CHECK(eventually([&] { return run("document.title").find("over") != std::string::npos; }));
    if (looks_after) watch.look();
    return watch.finish({});
  };
  // A renderer that is too busy is not waited for, and nothing is known then.
  const auto has_fired = [&](bool runs, bool looks_after) {
    TimerWatch::Rest rest;
    CHECK(eventually([&] { return (rest = watched(runs, looks_after)).answered; }));
    return rest.fired;
  };
  CHECK(has_fired(true, false));
  CHECK_FALSE(has_fired(true, true));
  CHECK_FALSE(has_fired(false, false));
}

TEST_CASE("a timer that is over while the page is read is in the answer too", "[late] [nav.after-action.timers]") {
  Session session;
  // The page is busy until shortly before its timer, which is longer than what is waited for, and takes long to read.
  // The test waits for none of it: whichever comes first, the answer must have the effect or name what is still to
  // come.
  const auto url = [](int before) {
    return on_click(
        "const end = performance.now() + 400; setTimeout(() => say('late words'), 400); "
        "document.body.className = 'changed'; requestAnimationFrame(() => { "
        "while (performance.now() < end - " +
        std::to_string(before) +
        "); }) }; out.after(...Array.from({ length: 3000 }, (_, i) => { "
        "const row = document.createElement('p'); row.textContent = 'row ' + i; return row; })); void {");
  };
  const int before = GENERATE(4, 8, 12, 16, 24, 40);
  CAPTURE(before);
  session.navigate(url(before));
  const auto answer = session.ok("browser_click", at("#go"));
  CHECK_THAT(answer.text, Contains("late words") || Contains("Pending: the page acts again when its timer of 400 ms"));
}

TEST_CASE("an interval that each key sets anew, as a caret's, is named once", "[late] [nav.after-action.timers]") {
  Session session;
  session.navigate(
      page_that("let blinks; field.oninput = () => { clearInterval(blinks); blinks = setInterval(() => { "
                "out.style.visibility = out.style.visibility ? '' : 'hidden' }, 2530) };"));
  session.ok("browser_type", {{"target", "#field"}, {"text", "a"}});
  CHECK_THAT(session.ok("browser_press_key", {{"key", "b"}}).text, !Contains("Pending"));
  CHECK_THAT(session.ok("browser_press_key", {{"key", "c"}}).text, !Contains("Pending"));
}

TEST_CASE("a page's clock and its endless animation hold nothing up", "[late] [nav.after-action.timers]") {
  Session session;
  session.navigate(
      page_that("(function tick() { out.dataset.n = Date.now(); setTimeout(tick, 40); })();"
                "go.animate([{ opacity: 1 }, { opacity: .5 }], { duration: 300, iterations: Infinity });"));
  session.ok("browser_click", at("#go"));  // warm
  const auto waited = waits_of_clicks(session);
  // The window of one click may hold a tick, which is waited for; a chain of them would be 700 ms each time.
  CHECK(*std::min_element(waited.begin(), waited.end()) < 400ms);
}

TEST_CASE("what a script unfolds frame by frame, or by an interval, is unfolded in the answer",
          "[late] [nav.after-action.timers]") {
  Session session;
  const char* again = GENERATE("const i = setInterval(() => { if (!draw()) clearInterval(i) }, 13)",
                               "requestAnimationFrame(function step() { if (draw()) requestAnimationFrame(step) })");
  CAPTURE(again);
  const auto url = on_click(
      "out.innerHTML = '<p>first words</p><p>last words</p>'; out.style.overflow = 'hidden'; "
      "const begun = performance.now(); const draw = () => { const part = Math.min(1, (performance.now() - "
      "begun) / 400); out.style.height = part * 120 + 'px'; return part < 1 };" +
      std::string(again));
  const auto click = [&] {
    session.navigate(url);
    return session.ok("browser_click", at("#go"));
  };
  const auto answer =
      in_time(click, [&](const Answer&) { return session.evaluate("() => out.style.height") == "120px"; });
  CHECK(session.evaluate("() => out.style.height") == "120px");
  CHECK_THAT(answer.section("Snapshot"), Contains("first words") && Contains("last words"));
  CHECK_THAT(answer.text, !Contains("Pending"));
}

TEST_CASE("what a page's script moves for ever is waited for once", "[late] [nav.after-action.timers]") {
  Session session;
  session.navigate(
      page_that("say(''); out.innerHTML = '<p>banner</p>'; (function step(now) { out.style.marginLeft = now % 50 + "
                "'px'; requestAnimationFrame(step) })(0)"));
  session.ok("browser_click", at("#go"));
  const auto waited = waits_of_clicks(session);
  CHECK(*std::max_element(waited.begin(), waited.end()) < 700ms);
  CHECK(*std::min_element(waited.begin(), waited.end()) < 300ms);
}

TEST_CASE("the page has its own setTimeout, as it was", "[late]") {
  Session session;
  session.navigate(on_click("setTimeout(() => say('late words'), 50)"));
  session.ok("browser_evaluate",
             {{"function", "() => { window.before = [setTimeout, clearTimeout, setInterval, clearInterval]; }"}});
  session.ok("browser_click", at("#go"));
  const auto same =
      session.ok("browser_evaluate", {{"function",
                                       "() => [setTimeout === before[0], clearTimeout === before[1], setInterval === "
                                       "before[2], clearInterval === before[3], setTimeout.toString(), "
                                       "JSON.stringify(Object.getOwnPropertyDescriptor(window, 'setTimeout'))]"}});
  CHECK(same.structured["value"] == Json({true, true, true, true, "function setTimeout() { [native code] }",
                                          R"({"writable":true,"enumerable":true,"configurable":true})"}));
  // One that the page has put there itself stays, and is called.
  session.ok("browser_evaluate", {{"function",
                                   "() => { const real = setTimeout; window.calls = 0; window.setTimeout = function "
                                   "mine(...args) { calls++; return real(...args); }; }"}});
  CHECK_THAT(session.ok("browser_click", at("#go")).text, !Contains("Pending"));
  CHECK(session.ok("browser_evaluate", {{"function", "() => [calls, setTimeout.name]"}}).structured["value"] ==
        Json({1, "mine"}));
}

TEST_CASE("no answer is without a word on the page", "[late] [tool.snapshot.delta]") {
  Session session;
  session.navigate(on_click(""));
  session.ok("browser_click", at("#go"));
  CHECK(session.ok("browser_click", at("#go")).section("Snapshot").find("- no changes since the last snapshot") !=
        std::string::npos);
  session.navigate(on_click("document.body.textContent = ''"));
  CHECK_THAT(session.ok("browser_click", at("#go")).section("Snapshot"), Contains("removed"));
}

TEST_CASE("a frame's change alone isn't called none", "[late] [tool.snapshot.delta]") {
  Session session;
  web().set_page("/late-frame", "<!doctype html><button onclick='this.textContent = \"Pressed\"'>Press</button>");
  web().set_page("/late-outer", "<!doctype html><title>Outer</title><p>outer</p><iframe src=/late-frame></iframe>");
  session.navigate(web().url("/late-outer"));
  const auto answer = session.ok("browser_click", {{"target", "text=Press"}});
  CHECK_THAT(answer.section("Snapshot"), Contains("Pressed") && !Contains("no changes"));
}
