// browser_route: what a page requests is answered, failed or changed before the network sees it [tool.route].
#include <csignal>

#include "base/text/text.h"
#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;

namespace {

// A route on the session; the result's words.
std::string route(Session& session, const Json& args) { return session.ok("browser_route", args).section("Result"); }
std::string refused(Session& session, const Json& args) {
  return session.error("browser_route", args).section("Error");
}

// "STATUS TYPE BODY" of what the page's own fetch is answered; "error" where it fails.
std::string fetched(Session& session, const std::string& url, const std::string& options = "{}") {
  return session
      .evaluate("() => fetch('" + url + "', " + options +
                ").then(async (r) => `${r.status} ${r.headers.get('content-type')} ${await r.text()}`, () => 'error')")
      .get<std::string>();
}

std::size_t arrived(const std::string& path) { return web().requests(path).size(); }

void open_plain(Session& session) { session.navigate(web().url("/plain")); }

}  // namespace

TEST_CASE("route: an answer, with its type; the request never goes out", "[tool.route]") {
  Session session;
  open_plain(session);
  web().reset_log();
  CHECK_THAT(route(session, {{"pattern", "**/api/users"}, {"body", R"({"name":"Ünal"})"}}),
             Contains("Route 1 added: **/api/users => 200 application/json, 16 bytes"));
  CHECK(fetched(session, "/api/users") == R"(200 application/json {"name":"Ünal"})");
  CHECK(fetched(session, "/api/users?x=1").starts_with("404"));
  route(session, {{"pattern", "**/api/*"}, {"status", 503}});
  CHECK(fetched(session, "/api/more") == "503 null ");
  // The newest that takes it decides.
  CHECK(fetched(session, "/api/users") == "503 null ");
  route(session,
        {{"pattern", "**/page"}, {"body", "<title>Mocked ü</title><h1>Here</h1>"}, {"headers", {"X-By: route"}}});
  CHECK_THAT(session.navigate(web().url("/page")).text, Contains("Page Title: Mocked ü"));
  CHECK(fetched(session, "/page") == "200 text/html; charset=utf-8 <title>Mocked ü</title><h1>Here</h1>");
  CHECK(session.evaluate("() => fetch('/page').then((r) => r.headers.get('x-by'))") == "route");
  // A host that isn't there, and a method of its own.
  route(session,
        {{"pattern", "http://nowhere.invalid/**"}, {"method", "post"}, {"status", 201}, {"contentType", "text/csv"}});
  CHECK(fetched(session, "http://nowhere.invalid/x", "{method: 'POST', body: 'a'}") == "201 text/csv; charset=utf-8 ");
  CHECK(fetched(session, "http://nowhere.invalid/x") == "error");
  CHECK(arrived("/api/users") == 1);  // the one with another query
  CHECK(arrived("/api/more") == 0);
  CHECK(arrived("/page") == 0);
  const auto listed = route(session, {{"action", "list"}});
  CHECK_THAT(listed, Contains("route 1: **/api/users => 200 application/json, 16 bytes; 1 so far") &&
                         Contains("route 3: **/page => 200 text/html; charset=utf-8, 37 bytes; 3 so far") &&
                         Contains("route 4: POST http://nowhere.invalid/** => 201 text/csv"));
  CHECK_THAT(route(session, {{"action", "remove"}, {"pattern", "**/api/*"}}), Contains("removed 1 route"));
  CHECK(fetched(session, "/api/users").starts_with("200 application/json"));
  CHECK_THAT(route(session, {{"action", "remove"}}), Contains("removed 3 routes"));
  CHECK(fetched(session, "/api/users").starts_with("404"));
  CHECK_THAT(route(session, {{"action", "list"}}), Contains("No routes."));
}

TEST_CASE("route: a failure by Playwright's names, times and a delay", "[tool.route]") {
  Session session;
  open_plain(session);
  route(session, {{"pattern", "**/fails"}, {"abort", "connectionrefused"}, {"times", 1}});
  CHECK(fetched(session, "/fails") == "error");
  CHECK(fetched(session, "/fails").starts_with("404"));
  CHECK_THAT(session.ok("browser_network_requests").text, Contains("net::ERR_CONNECTION_REFUSED"));
  CHECK_THAT(route(session, {{"action", "list"}}), Contains("No routes."));
  route(session, {{"pattern", "**/late"}, {"body", "late"}, {"delay", 300}});
  CHECK(session.evaluate("async () => { const t = performance.now(); await fetch('/late'); "
                         "return performance.now() - t >= 290 }") == true);
  // Without anything else it only comes later.
  route(session, {{"pattern", "**/plain"}, {"delay", 200}});
  web().reset_log();
  CHECK(session.evaluate("async () => { const t = performance.now(); const r = await fetch('/plain'); "
                         "return r.ok && performance.now() - t >= 190 }") == true);
  CHECK(arrived("/plain") == 1);
  // What a removed route delays is answered at once, and doesn't go out.
  route(session, {{"pattern", "**/very-late"}, {"body", "now"}, {"delay", 60'000}});
  session.evaluate(
      "() => { window.answer = null; fetch('/very-late').then((r) => r.text()).then((t) => window.answer = t) }");
  REQUIRE(eventually([&] {
    return route(session, {{"action", "list"}}).find("60000 ms; 1 so far") != std::string::npos;
  }));
  route(session, {{"action", "remove"}});
  CHECK(eventually([&] { return session.evaluate("() => window.answer") == "now"; }));
  CHECK(arrived("/very-late") == 0);
}

TEST_CASE("route: a request goes on with other headers", "[tool.route]") {
  Session session;
  open_plain(session);
  route(session, {{"pattern", "**/plain?changed"},
                  {"headers", {"X-Added: one: two", "accept-language: de"}},
                  {"removeHeaders", "x-gone, User-Agent"}});
  web().reset_log();
  fetched(session, "/plain?changed", "{headers: {'x-gone': '1', 'x-kept': '2'}}");
  REQUIRE(web().wait_for_request("/plain?changed", kPatience));
  const auto& headers = web().requests("/plain?changed").front().headers;
  const auto value = [&](std::string_view name) {
    for (const auto& [key, text] : headers) {
      if (equals_ignoring_case(key, name)) return text;
    }
    return std::string("none");
  };
  CHECK(value("x-added") == "one: two");
  CHECK(value("accept-language") == "de");
  CHECK(value("x-gone") == "none");
  CHECK(value("x-kept") == "2");
}

TEST_CASE("route: what makes no sense is said", "[tool.route]") {
  Session session;
  CHECK_THAT(refused(session, Json::object()), Contains("needs pattern"));
  CHECK_THAT(refused(session, {{"pattern", "users"}, {"status", 200}}), Contains("matches no URL"));
  CHECK_THAT(refused(session, {{"pattern", "**"}}), Contains("say what becomes"));
  CHECK_THAT(refused(session, {{"pattern", "**"}, {"abort", "never"}}),
             Contains("abort is one of aborted, accessdenied"));
  CHECK_THAT(refused(session, {{"pattern", "**"}, {"abort", "failed"}, {"status", 200}}),
             Contains("can't go with abort"));
  CHECK_THAT(refused(session, {{"pattern", "**"}, {"status", 200}, {"removeHeaders", "x"}}), Contains("removeHeaders"));
  CHECK_THAT(refused(session, {{"pattern", "**"}, {"contentType", "text/css"}}), Contains("needs status or body"));
  CHECK_THAT(refused(session, {{"pattern", "**"}, {"headers", {"no colon"}}}), Contains("Name: value"));
  CHECK_THAT(refused(session, {{"pattern", "**"}, {"headers", {"A: b\nC: d"}}}), Contains("line break"));
  CHECK_THAT(refused(session, {{"pattern", "**"}, {"headers", {"Host: other.example"}}}), Contains("browser's own"));
  CHECK_THAT(refused(session, {{"pattern", "**"}, {"removeHeaders", "host"}}), Contains("browser's own"));
  CHECK_THAT(refused(session, {{"action", "list"}, {"pattern", "**"}}), Contains("pattern"));
  CHECK_THAT(refused(session, {{"action", "remove"}, {"status", 200}}), Contains("action add alone"));
  CHECK_THAT(refused(session, {{"action", "remove"}, {"pattern", "**/none"}}), Contains("no route for"));
  CHECK_THAT(refused(session, {{"pattern", "**"}, {"status", 200}, {"tab", "t0"}}), Contains("There is no tab \"t0\""));
  CHECK_THAT(route(session, {{"action", "list"}}), Contains("No routes."));
}

TEST_CASE("route: in frames of other sites, popups, workers and service workers", "[tool.route.everywhere]") {
  Session session;
  const auto script = [](const std::string& path, const std::string& body) {
    web().set_handler(path, [body](const site::Request&, site::Response& response) {
      response.text(body);
      response.set_header("Content-Type", "text/javascript");
    });
  };
  script("/worker.js",
         "onmessage = async () => postMessage(await (await fetch('/from-worker')).text());"
         "postMessage('up')");
  script("/sw.js",
         "addEventListener('install', (e) => skipWaiting()); addEventListener('activate', (e) => "
         "e.waitUntil(clients.claim()));"
         "addEventListener('fetch', (e) => { if (e.request.url.endsWith('/by-sw')) "
         "e.respondWith(fetch('/from-sw')) })");
  web().set_page("/framed", "<iframe src='" + web().cross_site_url("/plain") + "'></iframe>");
  session.navigate(web().url("/framed"));
  session.evaluate(
      "() => new Promise((done) => { window.worker = new Worker('/worker.js'); worker.onmessage = () => done(1) })");
  session.evaluate(
      "() => navigator.serviceWorker.register('/sw.js').then(() => new Promise((done) => { const look = () => "
      "navigator.serviceWorker.controller ? done(1) : setTimeout(look, 20); look() }))");
  // All of them were there before the routes.
  web().reset_log();
  route(session, {{"pattern", "**/from-*"}, {"body", "mocked"}});
  CHECK(session.evaluate(
            "() => new Promise((done) => { worker.onmessage = (e) => done(e.data); worker.postMessage(1) })") ==
        "mocked");
  CHECK(session.evaluate("() => new Promise((done) => { const w = new Worker('/worker.js'); w.onmessage = (e) => "
                         "e.data === 'up' ? w.postMessage(1) : done(e.data) })") == "mocked");
  CHECK(session.evaluate("() => fetch('/by-sw').then((r) => r.text())") == "mocked");
  const auto frame = session.tab()->frames_below_main();
  REQUIRE(frame.size() == 1);
  const auto tab = session.tab();
  const Json in_frame = tab->call(
      {}, "Runtime.evaluate",
      {{"expression", "fetch('/from-frame').then((r) => r.text())"}, {"awaitPromise", true}, {"returnByValue", true}},
      limits::kCdpCommand, tab->frame_session(frame.front()));
  CHECK(in_frame.at("result").value("value", "") == "mocked");
  // The popup's very first request, and what its page asks for.
  route(session, {{"pattern", "**/popped"},
                  {"body",
                   "<title>Popped</title><script>fetch('/from-popup').then((r) => "
                   "r.text()).then((t) => document.title = t)</script>"}});
  session.evaluate("() => { window.open('/popped') }");
  REQUIRE(eventually([&] {
    return session.ok("browser_tabs", {{"action", "list"}}).text.find("/popped") != std::string::npos;
  }));
  CHECK(eventually([&] {
    return session
               .ok("browser_evaluate",
                   {{"function", "document.title"}, {"tab", session.scope().listed_tabs().back()->id()}})
               .structured["value"] == "mocked";
  }));
  for (const char* path : {"/from-worker", "/from-sw", "/from-frame", "/from-popup", "/popped"}) {
    CAPTURE(path);
    CHECK(arrived(path) == 0);
  }
  // Switched off again everywhere.
  route(session, {{"action", "remove"}});
  session.evaluate("() => new Promise((done) => { worker.onmessage = (e) => done(e.data); worker.postMessage(1) })");
  session.evaluate("() => fetch('/by-sw').then((r) => r.text())");
  CHECK(arrived("/from-worker") == 1);
  CHECK(arrived("/from-sw") == 1);
}

TEST_CASE("route: a page of another origin may read an answer, unless that says who may", "[tool.route]") {
  Session session;
  open_plain(session);
  web().reset_log();
  const auto url = web().cross_site_url("/api/item");
  const std::string options = "{method: 'PUT', headers: {'x-custom': '1'}, credentials: 'include'}";
  CHECK(fetched(session, url, options) == "error");
  web().reset_log();
  route(session, {{"pattern", "**/api/item"}, {"method", "PUT"}, {"body", "put"}});
  CHECK(fetched(session, url, options) == "200 text/plain; charset=utf-8 put");
  CHECK(arrived("/api/item") == 0);  // no preflight either
  CHECK_THAT(route(session, {{"action", "list"}}), Contains("; 1 so far"));
  route(session,
        {{"pattern", "**/api/item"}, {"body", "put"}, {"headers", {"Access-Control-Allow-Origin: https://a.example"}}});
  CHECK(fetched(session, url, options) == "error");
}

TEST_CASE("route: a redirect's next hop goes on, and a mocked one leads there", "[tool.route]") {
  Session session;
  open_plain(session);
  web().reset_log();
  route(session, {{"pattern", "**/moved"}, {"status", 302}, {"headers", {"Location: /plain"}}});
  route(session, {{"pattern", "**/plain"}, {"body", "not for a hop"}});
  CHECK(session.evaluate("() => fetch('/moved').then((r) => r.url)") == web().url("/plain"));
  CHECK(arrived("/plain") == 1);
  CHECK(arrived("/moved") == 0);
}

TEST_CASE("route: each session has its own; an isolated tab too", "[tool.route]") {
  Session one, other;
  open_plain(one);
  open_plain(other);
  route(one, {{"pattern", "**/x"}, {"body", "mine"}});
  CHECK(fetched(one, "/x").ends_with("mine"));
  CHECK(fetched(other, "/x").starts_with("404"));
  CHECK_THAT(route(other, {{"action", "list"}}), Contains("No routes."));
  const auto opened = one.ok("browser_tabs", {{"action", "new"}, {"isolated", true}, {"url", web().url("/plain")}});
  const auto isolated = opened.structured["tabs"].back()["id"].get<std::string>();
  CHECK_THAT(route(one, {{"action", "list"}, {"tab", isolated}}), Contains("No routes."));
  route(one, {{"pattern", "**/x"}, {"body", "isolated"}, {"tab", isolated}});
  CHECK(one.ok("browser_evaluate", {{"function", "() => fetch('/x').then((r) => r.text())"}, {"tab", isolated}})
            .structured["value"] == "isolated");
  CHECK(fetched(one, "/x").ends_with("mine"));
}

TEST_CASE("route: before the first tab, through the browser's end, until browser_close", "[tool.route]") {
  House house;
  Session session(house);
  route(session, {{"pattern", "**/early"}, {"body", "<title>Early</title>"}});
  CHECK_THAT(session.navigate("http://nowhere.invalid/early").text, Contains("Page Title: Early"));
  ::kill(session.browser()->pid(), SIGKILL);
  REQUIRE(eventually([&] { return session.browser() == nullptr || !session.browser()->alive(); }));
  CHECK_THAT(session.navigate("http://nowhere.invalid/early").text, Contains("Page Title: Early"));
  session.ok("browser_close");
  CHECK_THAT(route(session, {{"action", "list"}}), Contains("No routes."));
}

TEST_CASE("route: a call that is cancelled leaves no route", "[tool.route] [cancel.browser]") {
  Session session;
  open_plain(session);
  AbortController controller;
  controller.abort(AbortReason::client_cancelled);
  CallContext ctx;
  ctx.signal = controller.signal();
  CHECK(session.perform("browser_route", {{"pattern", "**"}, {"status", 200}}, ctx).aborted);
  CHECK_THAT(route(session, {{"action", "list"}}), Contains("No routes."));
}

TEST_CASE("route: what the origin lists refuse stays refused", "[tool.route.lists]") {
  BrowserSettings settings;
  settings.launch.origins = OriginRules({web().origin(), "http://fine.invalid"}, {});
  House house(settings);
  Session session(house);
  open_plain(session);
  route(session, {{"pattern", "**/x"}, {"body", "mocked"}});
  route(session,
        {{"pattern", "**/to-other"}, {"status", 302}, {"headers", {"Location: " + web().other_url("/api/json")}}});
  web().reset_log();
  for (int round = 0; round < 2; ++round) {  // while all is held, and once the proxy judges
    CAPTURE(round);
    CHECK(fetched(session, "/x").ends_with("mocked"));
    CHECK(fetched(session, "http://fine.invalid/x").ends_with("mocked"));
    CHECK(fetched(session, web().other_url("/x")) == "error");
    CHECK(fetched(session, "/to-other") == "error");
    CHECK_THAT(session.error("browser_navigate", {{"url", web().other_url("/x")}}).text, Contains("--allowed-origins"));
    CHECK(arrived("/api/json") == 0);
    session.navigate(web().url("/plain"));
  }
  // A mocked document has asked the proxy nothing: the next real one still gets through.
  Session fresh(house);
  route(fresh, {{"pattern", "**/mocked-first"},
                {"body", "<title>First</title><img src='/image.png?after-mock'>"},
                {"times", 1}});
  CHECK_THAT(fresh.navigate(web().url("/mocked-first")).text, Contains("First"));
  CHECK(web().wait_for_request("/image.png?after-mock", kPatience));
  CHECK_THAT(fresh.navigate(web().url("/plain")).text, Contains("/plain"));
  CHECK(fetched(fresh, "/api/json").starts_with("200"));
}
