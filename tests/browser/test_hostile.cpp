// Pages that attack whoever looks at them: with text on which a regular expression never ends, with built-ins of their
// own, with messages of any size.
#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;

namespace {

// Text on which (a+)+$ tries 2^40 ways.
const std::string kBacktracks = "<p>" + std::string(40, 'a') + "!</p><button id=b>ok</button>";

// Whether the page's main thread answers soon.
bool usable(Session& session) {
  const auto answer = session.ok("browser_evaluate", {{"function", "1 + 1"}});
  return answer.structured["value"] == 2 && answer.waited < 3s;
}

// A browser whose actions wait half a second for their targets: what is tested takes all of that time.
House& impatient() {
  static House house([] {
    BrowserSettings settings;
    settings.action_timeout = 500ms;
    return settings;
  }());
  return house;
}

}  // namespace

TEST_CASE("a regular expression that backtracks is ended, and the tab can be used",
          "[hostile][find] [cancel.browser.page-function]") {
  Session session(impatient());
  web().set_page("/backtracks", kBacktracks);
  session.navigate(web().url("/backtracks"));
  SECTION("browser_find, by its time") {
    const auto answer = session.error("browser_find", {{"regex", "(a+)+$"}});
    CHECK_THAT(answer.section("Error"), Contains("regular expression") && Contains("was ended"));
    CHECK(answer.waited < 8s);
    CHECK(usable(session));
  }
  SECTION("a target, by its time") {
    const auto answer = session.error("browser_click", {{"target", "text=/(a+)+$/"}});
    CHECK_THAT(answer.section("Error"), Contains("regular expression"));
    CHECK(usable(session));
    CHECK_THAT(
        session.error("browser_evaluate", {{"function", "e => 1"}, {"target", "text=/(a+)+$/"}}).section("Error"),
        Contains("regular expression"));
    CHECK(usable(session));
  }
  SECTION("an abort") {
    auto running = session.start("browser_find", {{"regex", "(a+)+$"}});
    // The renderer hears nothing while it matches.
    REQUIRE(eventually([&] {
      CallContext soon = CallContext{}.within(50ms);
      try {
        session.tab()->session().call(soon, "Runtime.evaluate", {{"expression", "0"}});
        return false;
      } catch (const CdpTimeout&) {
        return true;
      }
    }));
    running->abort_and_get();
    CHECK(usable(session));
  }
  SECTION("text that comes while an action waits for its target") {
    web().set_page("/backtracks-later", "<p id=p>none</p><script>setTimeout(() => { p.textContent = '" +
                                            std::string(40, 'a') + "!' }, 300)</script>");
    session.navigate(web().url("/backtracks-later"));
    session.error("browser_click", {{"target", "text=/(a+)+$/"}});
    CHECK(usable(session));
  }
}

TEST_CASE("a page that is busy itself loses no script to an aborted look at it",
          "[hostile][find] [cancel.browser.page-function]") {
  Session session;
  session.navigate(web().url("/plain"));
  keep_busy(session, "/api/json?busy-itself",
            "const end = Date.now() + 3000; while (Date.now() < end); document.title = 'done'");
  auto running = session.start("browser_find", {{"regex", "x+"}});
  REQUIRE(eventually([&] { return session.browser()->pending_commands() > 2; }));
  running->abort_and_get();
  CHECK(eventually([&] { return session.evaluate("document.title") == "done"; }));
}

TEST_CASE("a message of any size disturbs nobody else, and the console tells of it",
          "[hostile][message] [tool.large-message]") {
  Session loud;
  Session quiet;
  loud.navigate(web().url("/plain?loud"));
  quiet.navigate(web().url("/plain?quiet"));
  const auto browser = quiet.browser();
  // Each of these characters is six bytes of JSON.
  loud.call("browser_evaluate", {{"function", "() => { console.log('\\x01'.repeat(15e6)); return 1 }"}});
  CHECK(quiet.href() == web().url("/plain?quiet"));
  CHECK(loud.href() == web().url("/plain?loud"));
  CHECK(quiet.browser() == browser);
  CHECK(eventually([&] {
    return loud.ok("browser_console_messages", {{"level", "warning"}}).says("left out, as it is too long");
  }));
}

TEST_CASE("a result that is too large fails alone, with words", "[hostile][message] [tool.large-message]") {
  Session session;
  session.navigate(web().url("/plain"));
  constexpr int kMs = 240'000;  // a bound: unoptimised, on a machine that has much else to do, 70 MB take their time
  for (const char* size : {"70e6", "20e6"}) {
    const auto answer = session.error("browser_evaluate",
                                      {{"function", std::string("() => 'x'.repeat(") + size + ")"}, {"timeout", kMs}});
    CHECK_THAT(answer.section("Error"), Contains("MiB") && Contains("Ask for less"));
    CHECK(session.ok("browser_evaluate", {{"function", "1 + 1"}, {"timeout", kMs}}).structured["value"] == 2);
  }
}

namespace {

// A page that lies wherever a careless wrapper would ask its built-ins.
const char kLies[] = R"html(<title>Lies</title><p id=p>p</p><script>
{
  const seen = [];
  const native = { then: Promise.prototype.then, listen: EventTarget.prototype.addEventListener };
  Promise.prototype.then = function (done, failed) { seen.push('then'); done('faked'); return this; };
  Promise.prototype.catch = Promise.prototype.finally = () => 'faked';
  Object.defineProperty(Promise.prototype, 'constructor', { get() { return function () { return 'faked' } } });
  Promise.resolve = () => 'faked';
  Object.defineProperty(Promise, Symbol.species, { get: () => function (run) { run(() => {}, () => {}); } });
  Function.prototype.call = Function.prototype.apply = Function.prototype.bind = () => 'faked';
  Reflect.apply = () => 'faked';
  Object.prototype.then = function (done) { seen.push('object then'); done('faked'); };
  Object.defineProperty(Object.prototype, 'toJSON', { value: () => 'faked' });
  JSON.stringify = () => '"faked"';
  window.AbortController = class { get signal() { seen.push('signal'); return 'faked'; } abort() {} };
  Object.defineProperty(AbortSignal.prototype, 'constructor', { value: null });
  EventTarget.prototype.addEventListener = window.addEventListener = () => { seen.push('listener'); };
  window.fetch = () => 'faked';
  window.seen = seen;
  window.native = native;
}
</script>)html";

}  // namespace

TEST_CASE("the page's built-ins can't fake what a script returned",
          "[hostile][script] [tool.evaluate.unforgeable] [tool.hostile-page]") {
  Session session;
  web().set_page("/lies", kLies);
  CHECK(session.navigate(web().url("/lies")).structured["title"] == "Lies");
  CHECK(session.evaluate("() => 1 + 1") == 2);
  CHECK(session.evaluate("document.title") == "Lies");
  CHECK(session.evaluate("() => ({a: [1, {b: null}]})") == Json{{"a", {1, {{"b", nullptr}}}}});
  CHECK(session.evaluate("async () => 'true'") == "true");
  CHECK(session.evaluate("() => new Promise((done) => { setTimeout(() => done('later'), 50) })") == "later");
  CHECK(session.evaluate("await null; return 'statements'") == "statements");
  CHECK(session.ok("browser_evaluate", {{"function", "e => e.id"}, {"target", "#p"}}).structured["value"] == "p");
  CHECK(session.evaluate("function () { return typeof this.signal }") == "object");
  const auto error = [&](const char* function) {
    return session.error("browser_evaluate", {{"function", function}}).section("Error");
  };
  CHECK_THAT(error("() => { throw new TypeError('boom') }"), Contains("TypeError: boom"));
  CHECK_THAT(error("async () => { throw new TypeError('later') }"), Contains("TypeError: later"));
  // None of it was seen by the page, the signal included.
  CHECK(session.evaluate("() => seen") == Json::array());
}

TEST_CASE("the signal is a true one whatever the page made of AbortController",
          "[hostile][script][abort] [tool.evaluate.unforgeable] [cancel.browser.script-signal]") {
  Session session;
  web().set_page("/lies", kLies);
  session.navigate(web().url("/lies"));
  CHECK(session.evaluate("() => signal instanceof AbortSignal && !signal.aborted") == true);
  auto running = session.start("browser_evaluate", {{"function",
                                                     "() => new Promise(() => { document.title = 'listening'; "
                                                     "signal.onabort = () => { document.title = 'heard' } })"}});
  REQUIRE(eventually([&] {
    return session.tab()->call({}, "Runtime.evaluate", {{"expression", "document.title"}})["result"]["value"] ==
           "listening";
  }));
  running->abort_and_get();
  CHECK(session.evaluate("document.title") == "heard");
}

TEST_CASE("a script's rejection is nobody else's; thenables are awaited", "[hostile][script] [tool.evaluate]") {
  Session session;
  session.navigate(web().url("/plain"));
  session.evaluate("() => { window.unhandled = 0; addEventListener('unhandledrejection', () => { unhandled++ }) }");
  CHECK_THAT(session.error("browser_evaluate", {{"function", "() => Promise.reject(new Error('mine'))"}}).text,
             Contains("mine"));
  CHECK(session.evaluate("unhandled") == 0);
  CHECK(session.evaluate("({then(done) { done('thenable') }})") == "thenable");
  CHECK(session.evaluate("() => new (class { then(done) { setTimeout(() => done('of a class'), 20) } })()") ==
        "of a class");
  CHECK_THAT(session.error("browser_evaluate", {{"function", "({then(done, failed) { failed('refused') }})"}}).text,
             Contains("refused"));
  CHECK(session.evaluate("await (async () => 3)()") == 3);
  CHECK(session.evaluate("await(Promise.resolve(4))") == 4);
}

TEST_CASE("a page that has wiped its listeners fakes no result either",
          "[hostile][script] [tool.evaluate.unforgeable]") {
  Session session;
  session.navigate(web().url("/plain"));
  session.tab()->call({}, "Runtime.evaluate",
                      {{"expression",
                        "document.open(); document.write('<title>W</title>'); document.close();"
                        "Promise.prototype.then = function (done) { done('faked') };"
                        "window.AbortController = class { get signal() { return 'faked' } }"}});
  CHECK(session.evaluate("() => 1") == 1);
  CHECK(session.evaluate("async () => 'true'") == "true");
  CHECK(session.evaluate("() => new Promise((done) => { setTimeout(() => done('later'), 50) })") == "later");
}

TEST_CASE("the page can't see that scripts may run in it", "[hostile][script] [tool.evaluate.unforgeable]") {
  Session session;
  web().set_page("/watches", "<script>window.before = Reflect.ownKeys(window).map(String)</script>");
  session.navigate(web().url("/watches"));
  session.evaluate("1");
  CHECK(session.evaluate("() => Reflect.ownKeys(window).map(String).filter(k => !before.includes(k))") ==
        Json{"before"});
  CHECK(session.evaluate("() => before.filter(k => /bridle/i.test(k))") == Json::array());
}
