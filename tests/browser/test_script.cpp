// browser_evaluate [tool.evaluate] [cancel.browser.script].
#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;

namespace {

std::string result_of(Session& session, const std::string& function) {
  auto text = session.ok("browser_evaluate", {{"function", function}}).section("Result");
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

}  // namespace

TEST_CASE("forms of a script", "[script] [tool.evaluate]") {
  Session session;
  session.navigate(web().url("/plain?title=T"));
  CHECK(session.evaluate("() => document.title") == "T");
  CHECK(session.evaluate("async () => { await null; return 2 }") == 2);
  CHECK(session.evaluate("function () { return 3 }") == 3);
  CHECK(session.evaluate("document.title") == "T");
  CHECK(session.evaluate("1 + 1") == 2);
  CHECK(session.evaluate("({a: [1, {b: null}]})") == Json{{"a", {1, {{"b", nullptr}}}}});
  CHECK(session.evaluate("const x = 4; return x + 1;") == 5);
  CHECK(session.evaluate("Promise.resolve('later')") == "later");
  CHECK(session.evaluate("() => 'x' // a comment at the end") == "x");
  const auto element = session.ok("browser_evaluate", {{"function", "(element) => element.id"}, {"target", "#text"}});
  CHECK(element.structured["value"] == "text");
}

TEST_CASE("values without a JSON form appear as such", "[script] [tool.evaluate]") {
  Session session;
  session.navigate(web().url("/plain"));
  CHECK(result_of(session, "() => {}") == "undefined");
  CHECK(result_of(session, "() => null") == "null");
  CHECK(result_of(session, "() => NaN") == "NaN");
  CHECK(result_of(session, "() => Infinity") == "Infinity");
  CHECK(result_of(session, "() => -Infinity") == "-Infinity");
  CHECK(result_of(session, "() => -0") == "-0");
  CHECK(result_of(session, "() => 10n") == "10n");
  CHECK(result_of(session, "() => true") == "true");
  CHECK(result_of(session, "() => 'text'") == "\"text\"");
  CHECK_THAT(result_of(session, "() => Symbol('s')"), Contains("Symbol(s)"));
  CHECK_THAT(result_of(session, "() => (() => 1)"), Contains("=>"));
  CHECK_THAT(result_of(session, "() => { const a = {n: 1}; a.self = a; return a }"), Contains("Object"));
  CHECK_THAT(result_of(session, "() => document.querySelector('#text')"), Contains("p#text") || Contains("<p"));
  CHECK_THAT(result_of(session, "() => window"), Contains("Window") || Contains("Object"));
  CHECK_THAT(result_of(session, "() => String.fromCharCode(0xd83d)"), Contains("\xEF\xBF\xBD"));
}

TEST_CASE("objects that only a browser has are told by what they hold", "[script] [tool.evaluate.objects]") {
  Session session;
  session.navigate(web().url("/plain"));
  const auto gives = [&](const char* function, const char* value) {
    INFO(function);
    CHECK(session.evaluate(function) == Json::parse(value));
  };
  gives("new DOMRect(1, 2, 30, 40)",
        R"({"x": 1, "y": 2, "width": 30, "height": 40, "top": 2, "left": 1, "right": 31, "bottom": 42})");
  gives("[new Date(0), new Date(NaN), new URL('http://a.test/?b'), new URLSearchParams('a=1'), /x/g]",
        R"(["1970-01-01T00:00:00.000Z", null, "http://a.test/?b", "a=1", "/x/g"])");
  gives("({m: new Map([['k', new Map([[1, 2]])]]), s: new Set([{a: 1}]), h: new Headers({a: 'b'})})",
        R"({"m": [["k", [[1, 2]]]], "s": [{"a": 1}], "h": [["a", "b"]]})");
  gives("[10n, NaN, -Infinity, undefined, Symbol('s'), () => 1, new TypeError('no')]",
        R"json(["10n", "NaN", "-Infinity", null, "Symbol(s)", "[function]", "TypeError: no"])json");
  gives("[new DOMException('gone', 'AbortError'), new Error('\\ud800'), Symbol('\\ud800')]",
        "[\"AbortError: gone\", \"Error: \xEF\xBF\xBD\", \"Symbol(\xEF\xBF\xBD)\"]");
  gives("({a: 10n, b: undefined, c: () => 1, d: null})", R"({"a": "10n", "d": null})");
  gives("document.body.innerHTML = '<p> Much  text</p>'; return [document.body.firstChild]", R"(["<p> Much  text"])");
  gives(
      "document.body.innerHTML = '<input id=i class=\"a b\" required>text'; return [document.body.childNodes, window]",
      R"([["<input id=\"i\" class=\"a b\">", "#text"], "[object Window]"])");
  gives("[document.forms, i.classList, new Uint8Array(2)]", R"([[], ["a", "b"], [0, 0]])");
  CHECK(result_of(session, "() => ({z: 1, a: [{y: 2, b: ''}], '\\ud800': null})") ==
        "```\n{\n  \"z\": 1,\n  \"a\": [\n    {\n      \"y\": 2,\n      \"b\": \"\"\n    }\n  ],\n"
        "  \"\xEF\xBF\xBD\": null\n}\n```");
  CHECK(session.evaluate("i.validity")["valueMissing"] == true);
  CHECK(session.evaluate("getComputedStyle(document.body)")["display"] == "block");
  gives("new (class { constructor() { this.x = 1 } get y() { return 2 } })", R"({"x": 1})");
  gives("({get g() { return 5 }, get bad() { throw 1 }})", R"({"g": 5})");
  CHECK_THAT(result_of(session, "() => { const a = {}; return {b: {a: new Map([[1, a]])}, c: a.self = a} }"),
             Contains("refers to itself"));
  gives("() => { const a = {x: 1}; return [a, a] }", R"([{"x": 1}, {"x": 1}])");
  CHECK(session.evaluate("Array.from({length: 200000}, () => 1)").size() == 200000);
}

TEST_CASE("what objects hold is told as it is on a page that replaces what says so",
          "[script] [tool.evaluate.objects] [tool.evaluate.unforgeable]") {
  Session session;
  web().set_page("/forged",
                 "<script>for (const c of [Date, URL, Map, Set, DOMRectReadOnly, Error, Array, Object]) {"
                 "c.prototype.toJSON = c.prototype.toString = c.prototype.forEach = () => 'forged' }"
                 "Array.prototype[Symbol.iterator] = function* () { yield 'forged' };"
                 "Object.defineProperty(Array.prototype, 0, {set() { throw new Error('forged') }});"
                 "Reflect.ownKeys = Object.keys = () => ['forged']; Reflect.apply = () => 'forged'</script>");
  session.navigate(web().url("/forged"));
  CHECK(session.evaluate("[new Date(0), new Map([[1, new Set([2])]].values()), {a: 1}, new DOMRect(1)]")[3]["x"] == 1);
  CHECK(session.evaluate("({d: new Date(0), s: new Set(), o: {a: new Error('e')}})") ==
        Json::parse(R"({"d": "1970-01-01T00:00:00.000Z", "s": [], "o": {"a": "Error: e"}})"));
}

TEST_CASE("what the script throws is an error with its words", "[script] [tool.evaluate.stack]") {
  Session session;
  session.navigate(web().url("/plain"));
  const auto evaluate = [&](const char* function) {
    return session.error("browser_evaluate", {{"function", function}}).section("Error");
  };
  CHECK_THAT(evaluate("() => { throw new TypeError('boom') }"), Contains("TypeError: boom"));
  CHECK_THAT(evaluate("() => { throw 'just text' }"), Contains("just text"));
  CHECK_THAT(evaluate("() => Promise.reject(new Error('later'))"), Contains("later"));
  CHECK(evaluate("() => { throw {code: 5, text: 'no'} }") == "{code: 5, text: \"no\"}\n");
  CHECK(evaluate("() => Promise.reject({code: 5})") == "{code: 5}\n");
  CHECK(evaluate("() => ({then(_, no) { no(new Map([['a', 1]])) }})") == "Map(1) {\"a\" => 1}\n");
  for (const char* caused : {"() => { throw new Error('outer', {cause: new TypeError('inner')}) }",
                             "async () => { throw new Error('outer', {cause: new TypeError('inner')}) }"})
    CHECK_THAT(evaluate(caused), Contains("Error: outer") && Contains("[cause]: TypeError: inner"));
  CHECK_THAT(evaluate("() => document.querySelector('!')"), Contains("not a valid selector"));
  CHECK(evaluate("() => { null.x }").ends_with("(reading 'x')\n    at <anonymous>:1:14\n"));
  CHECK(evaluate("x => {\n  function deep() { throw new Error('own') }\n  deep();\n}") ==
        "Error: own\n    at deep (<anonymous>:2:27)\n    at <anonymous>:3:3\n");
  CHECK(evaluate("await null; throw new Error('own')") == "Error: own\n    at <anonymous>:1:19\n");
  CHECK_THAT(evaluate("() => {{{"), Contains("SyntaxError"));
  CHECK_THAT(evaluate("nowhere.at.all"), Contains("ReferenceError"));
  CHECK(session.evaluate("1") == 1);
}

TEST_CASE("it works under a content security policy, and on a page that broke its natives",
          "[script] [tool.hostile-page] [tool.evaluate]") {
  Session session;
  session.navigate(web().url("/csp"));
  CHECK(session.evaluate("() => document.title") == "CSP");
  CHECK(session.evaluate("1 + 1") == 2);
}

TEST_CASE("a script is given a signal", "[script] [cancel.browser.script-signal]") {
  Session session;
  session.navigate(web().url("/plain"));
  CHECK(session.evaluate("() => signal instanceof AbortSignal && !signal.aborted") == true);
  CHECK(session.evaluate("function () { return this.signal === signal }") == true);
  CHECK(session.evaluate("() => { signal.throwIfAborted(); return 'went on' }") == "went on");
  CHECK(session.evaluate("signal.aborted") == false);
}

TEST_CASE("an abort is heard by a script that listens", "[script][abort] [cancel.browser.script]") {
  Session session;
  session.navigate(web().url("/plain"));
  auto running =
      session.start("browser_evaluate", {{"function",
                                          "() => new Promise(() => { document.title = 'listening'; "
                                          "signal.addEventListener('abort', () => { document.title = 'heard' }) })"}});
  REQUIRE(eventually([&] {
    return session.tab()->call({}, "Runtime.evaluate", {{"expression", "document.title"}})["result"]["value"] ==
           "listening";
  }));
  running->abort_and_get();
  CHECK(session.evaluate("document.title") == "heard");
}

TEST_CASE("the listeners of an aborted script's signal run whole, however long they take",
          "[script][abort] [cancel.browser.script]") {
  Session session;
  session.navigate(web().url("/plain"));
  const auto told = [&] { return session.evaluate("heard"); };
  // Each keeps the page busy for much longer than the page is waited for. `and_then`: what the script does once it
  // waits.
  const auto start = [&](const std::string& key, const std::string& and_then) {
    session.evaluate("() => { heard = [] }");
    auto running = session.start(
        "browser_evaluate",
        {{"function",
          "() => { for (const name of ['first', 'second']) signal.addEventListener('abort', () => { const end "
          "= performance.now() + 60; while (performance.now() < end); heard.push(name) }); "
          "fetch('/api/json?" +
              key + "'); " + and_then + " }"}});
    REQUIRE(web().wait_for_request("/api/json?" + key, kPatience));
    return running;
  };
  SECTION("one that awaits") {
    start("slow-listeners", "return new Promise(() => {})")->abort_and_get();
    CHECK(told() == Json({"first", "second"}));
  }
  SECTION("one that is busy") {
    start("busy-listeners", "for (;;) {}")->abort_and_get();
    CHECK(told() == Json({"first", "second"}));
  }
}

TEST_CASE("a listener of the signal that never ends is ended", "[script][abort] [cancel.browser.script]") {
  Session session;
  session.navigate(web().url("/plain"));
  auto running = session.start("browser_evaluate", {{"function",
                                                     "() => { signal.addEventListener('abort', () => { for (;;) {} }); "
                                                     "fetch('/api/json?endless'); return new Promise(() => {}) }"}});
  REQUIRE(web().wait_for_request("/api/json?endless", kPatience));
  running->abort_and_get();
  CHECK(session.evaluate("1 + 1") == 2);
}

TEST_CASE("an abort ends a busy loop", "[script][abort] [cancel.browser.script]") {
  Session session;
  session.navigate(web().url("/plain"));
  wait_answered(session);
  auto running =
      session.start("browser_evaluate", {{"function", "() => { fetch('/api/json?busy-now'); for (;;) {} }"}});
  REQUIRE(web().wait_for_request("/api/json?busy-now", kPatience));
  running->abort_and_get();
  const auto next = session.ok("browser_evaluate", {{"function", "1 + 1"}});
  CHECK(next.structured["value"] == 2);
  CHECK(next.waited < 2s);
  CHECK(eventually([&] { return session.browser()->pending_commands() == 0; }));
}

TEST_CASE("an abort ends a busy loop among the page's own scripts, whenever it comes",
          "[script][abort] [cancel.browser.script]") {
  Session session;
  web().set_page("/never-rests",
                 "<script>setInterval(() => { const end = performance.now() + 3; while (performance.now() < end); }, 1)"
                 "</script>");
  session.navigate(web().url("/never-rests"));
  for (int round = 0; round < 40; ++round) {
    auto running = session.start("browser_evaluate", {{"function", "() => { for (;;) {} }"}});
    // Anywhere between the call's first command and its script's first turns.
    ::poll(nullptr, 0, round % 8);
    running->abort_and_get();
    CAPTURE(round);
    REQUIRE(session.ok("browser_evaluate", {{"function", "1 + 1"}}).structured["value"] == 2);
  }
}

TEST_CASE("an abort of a promise that never settles leaves it, and the tab usable",
          "[script][abort] [cancel.browser.script]") {
  Session session;
  session.navigate(web().url("/plain"));
  auto running = session.start("browser_evaluate",
                               {{"function", "() => { document.title = 'waits'; return new Promise(() => {}) }"}});
  REQUIRE(eventually([&] {
    return session.tab()->call({}, "Runtime.evaluate", {{"expression", "document.title"}})["result"]["value"] ==
           "waits";
  }));
  running->abort_and_get();
  const auto next = session.ok("browser_evaluate", {{"function", "document.title"}});
  CHECK(next.structured["value"] == "waits");
  CHECK_THAT(next.section("Events"), Contains("cancelled: started a script"));
}

TEST_CASE("timeout: an error that names it, and the script is ended", "[script] [cancel.browser.script-timeout]") {
  Session session;
  session.navigate(web().url("/plain"));
  SECTION("a promise that never settles; it hears its signal") {
    const auto answer =
        session.error("browser_evaluate", {{"function",
                                            "() => new Promise(() => { signal.addEventListener('abort', () => { "
                                            "document.title = 'heard' }) })"},
                                           {"timeout", 200}});
    CHECK_THAT(answer.section("Error"), Contains("200 ms") && Contains("timeout"));
    CHECK(answer.waited < 2s);
    CHECK(session.evaluate("document.title") == "heard");
  }
  SECTION("a busy loop") {
    const auto answer = session.error("browser_evaluate", {{"function", "() => { for (;;) {} }"}, {"timeout", 200}});
    CHECK_THAT(answer.section("Error"), Contains("200 ms"));
    CHECK(answer.waited < 3s);
    CHECK(session.evaluate("1 + 1") == 2);
  }
}

TEST_CASE("a script is pinned to its document: it never runs on in another", "[script] [nav.origin.pinned]") {
  Session session;
  session.navigate(web().url("/plain?title=Old"));
  auto running = session.start("browser_evaluate",
                               {{"function", "() => { document.title = 'runs'; return new Promise(() => {}) }"}});
  REQUIRE(eventually([&] {
    return session.tab()->call({}, "Runtime.evaluate", {{"expression", "document.title"}})["result"]["value"] == "runs";
  }));
  session.tab()->session().post("Page.navigate", {{"url", web().url("/plain?title=New")}});
  const auto answer = running->get();
  CAPTURE(answer.text);
  CHECK(answer.is_error);
  CHECK_THAT(answer.section("Error"), Contains("another document"));
  CHECK(session.evaluate("document.title") == "New");
}

TEST_CASE("a script asked for while the page is about to leave runs in one of the documents, whole",
          "[script] [nav.origin.pinned]") {
  Session session;
  session.navigate(web().url("/plain?title=Old"));
  for (int round = 0; round < 5; ++round) {
    const auto url = web().url("/plain?title=New" + std::to_string(round));
    session.tab()->session().post("Page.navigate", {{"url", url}});
    const auto answer = session.call("browser_evaluate", {{"function", "[location.href, document.title]"}});
    CAPTURE(answer.text);
    if (answer.is_error) continue;  // honest
    const auto& value = answer.structured["value"];
    CHECK_THAT(value[0].get<std::string>(), matchers::EndsWith("title=" + value[1].get<std::string>()));
  }
}

TEST_CASE("a script that navigates", "[script]") {
  Session session;
  session.navigate(web().url("/plain"));
  session.call("browser_evaluate", {{"function", "() => { location.href = '/plain?title=Moved' }"}});
  session.ok("browser_wait_for", {{"url", "title=Moved"}});
  CHECK(session.evaluate("document.title") == "Moved");
}

TEST_CASE("what a script came to is told though the page has left for one that is slow to come",
          "[script] [tool.evaluate]") {
  // The script ends once the navigation has begun, from when on the browser answers nothing that is asked of the page.
  const auto leave = [](const std::string& key, const std::string& value) {
    Session session;
    session.navigate(web().url("/plain"));
    const auto slow = "/held?key=slow-" + key;
    const auto end = "/held?key=end-" + key;
    auto running = session.start(
        "browser_evaluate",
        {{"function", "async () => { location.href = '" + slow + "'; await fetch('" + end + "'); " + value + " }"}});
    REQUIRE(web().wait_for_request(slow, kPatience));
    REQUIRE(web().wait_for_request(end, kPatience));
    web().release("end-" + key);
    auto answer = running->get();
    web().release("slow-" + key);
    return answer;
  };
  CHECK(leave("text", "return 'told'").structured["value"] == "told");
  CHECK(leave("null", "return null").structured["value"].is_null());
  CHECK_THAT(leave("nothing", "").section("Result"), Contains("undefined"));
  const auto unread = leave("object", "return {a: 1}");
  CAPTURE(unread.text);
  CHECK(unread.is_error);
  CHECK_THAT(unread.section("Error"), Contains("on its way to " + web().url("/held?key=slow-object")));
}

TEST_CASE("a large result is cut and says so", "[script]") {
  Session session;
  session.navigate(web().url("/plain"));
  const auto answer =
      session.ok("browser_evaluate", {{"function", "() => Array.from({length: 20000}, (_, i) => 'line ' + i)"}});
  CHECK(answer.text.size() < 25'000 + 1'500);
  CHECK_THAT(answer.text, Contains("cut at 25000 characters"));
}

TEST_CASE("an empty function is no success", "[evaluate] [tool.evaluate]") {
  Session session;
  for (const char* function : {"", "  ", "\n;"})
    CHECK_THAT(session.error("browser_evaluate", {{"function", function}}).section("Error"), Contains("is empty"));
}
