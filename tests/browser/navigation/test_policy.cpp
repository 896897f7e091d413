// [nav.policy.origins]: --allowed-origins and --blocked-origins, enforced on whatever a page fetches.
#include <regex>

#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;

namespace {

BrowserSettings with_rules(const std::vector<std::string>& allowed, const std::vector<std::string>& blocked) {
  BrowserSettings settings;
  settings.launch.origins = OriginRules(allowed, blocked);
  settings.policy.origins = settings.launch.origins;
  return settings;
}

// Only the site's first origin may be visited. One browser for the tests of this file.
House& fenced() {
  web();
  static House house(with_rules({web().origin()}, {}));
  return house;
}

// A page of the allowed origin.
std::string page_with(const std::string& name, const std::string& body) {
  web().set_page("/policy/" + name, "<!doctype html><title>" + name + "</title><p id=log></p>" + body);
  return web().url("/policy/" + name);
}

// Whether the page's script has set #log to something; what.
std::string logged(Session& session) {
  session.ok("browser_wait_for", {{"text", "log:"}, {"timeout", 20000}});
  return session.text_of("#log");
}

const char* const kLog = "const log = (t) => document.getElementById('log').textContent = 'log: ' + t;";

}  // namespace

TEST_CASE("policy: an origin that isn't allowed is refused before anything is sent", "[policy] [nav.outcome.blocked]") {
  Session session(fenced());
  session.navigate(web().url("/plain"));
  for (const char* tool : {"browser_navigate", "browser_tabs"}) {
    const auto url = web().other_url("/plain?direct");
    const auto args = std::string(tool) == "browser_tabs" ? Json{{"action", "new"}, {"url", url}} : Json{{"url", url}};
    const auto answer = session.error(tool, args);
    CHECK_THAT(answer.section("Error"),
               Contains("blocked") && Contains("--allowed-origins") && Contains(web().other_origin()));
  }
  CHECK(session.scope().tabs().size() == 1);
  CHECK(session.href() == web().url("/plain"));
  CHECK(web().requests("/plain?direct").empty());
}

TEST_CASE("policy: a redirect to it is blocked, told, and leaves the page as it was", "[policy] [nav.policy.origins]") {
  Session session(fenced());
  session.navigate(web().url("/plain?before"));
  const auto target = "/plain?redirected-" + std::to_string(web().requests().size());
  const auto asked = web().url("/redirect?to=" + web().other_origin() + target);
  const auto answer = session.error("browser_navigate", {{"url", asked}});
  CHECK(answer.structured["outcome"] == "blocked");
  CHECK(answer.structured["url"] == web().url("/plain?before"));
  CHECK_THAT(answer.section("Error"), Contains("blocked") && Contains(web().other_origin()) &&
                                          Contains("--allowed-origins") && Contains("unchanged"));
  CHECK(answer.waited < 3s);
  CHECK(session.href() == web().url("/plain?before"));
  CHECK(web().requests(target).empty());
  // A chain that goes there and comes back is blocked at the first step outside.
  CHECK(session.error("browser_navigate", {{"url", web().url("/aba")}}).structured["outcome"] == "blocked");
  check_landed(session, session.navigate(web().url("/plain?after")), web().url("/plain?after"));
}

TEST_CASE("policy: links and scripts of a page can't leave either; the page stays, and the call says so", "[policy]") {
  Session session(fenced());
  const auto page = page_with("leave", "<a id=link href='" + web().other_url("/plain?link") +
                                           "'>out</a><button id=script onclick=\"location.href='" +
                                           web().other_url("/plain?script") + "'\">script</button><form action='" +
                                           web().other_url("/plain") + "'><button id=form>form</button></form>");
  session.navigate(page);
  for (const char* target : {"#link", "#script", "#form"}) {
    CAPTURE(target);
    const auto answer = session.ok("browser_click", {{"target", target}});
    CHECK_THAT(answer.text, Contains("blocked") && Contains(web().other_origin() + " is not in --allowed-origins"));
    CHECK_THAT(answer.section("Page"), Contains("- Page URL: " + page + "\n"));
    CHECK(session.href() == page);
  }
  CHECK_THAT(session.snapshot(), !Contains("blocked"));  // told once
  CHECK(web().requests("/plain?link").empty());
  CHECK(web().requests("/plain?script").empty());
}

TEST_CASE("policy: what a page embeds and fetches", "[policy] [nav.policy.origins]") {
  Session session(fenced());
  const auto out = [](const std::string& what) { return web().other_url("/api/json?cors=1&by=" + what); };
  session.navigate(page_with(
      "embed", "<img src='" + out("img") + "'><iframe src='" + out("frame") + "'></iframe><link rel=stylesheet href='" +
                   out("css") + "'><script src='" + out("script") + "'></script><script>" + kLog +
                   "(async () => { const words = [];"
                   "for (const url of ['" +
                   out("fetch") + "', '/redirect?to=" + web().other_origin() +
                   "/api/json%3Fby=hop', '/api/json?cors=1&by=own'])"
                   "  try { words.push((await fetch(url)).status); } catch (e) { words.push(e.name); }"
                   "const xhr = new XMLHttpRequest(); xhr.open('GET', '" +
                   out("xhr") +
                   "', false); try { xhr.send(); words.push(xhr.status); } catch (e) { words.push(e.name); }"
                   "log(words.join(' ')); })();</script>"));
  CHECK(logged(session) == "log: TypeError TypeError 200 NetworkError");
  for (const char* what : {"img", "frame", "css", "script", "fetch", "xhr"}) {
    CAPTURE(what);
    CHECK(web().requests("/api/json?cors=1&by=" + std::string(what)).empty());
  }
  CHECK(web().requests("/api/json?by=hop").empty());
  CHECK(web().requests("/api/json?cors=1&by=own").size() == 1);
}

TEST_CASE("policy: what is left to the proxy is told like what is held", "[policy] [nav.policy.origins]") {
  Session session(fenced());
  session.navigate(web().url("/plain?first"));  // from here on the tab's documents alone are held
  const auto out = web().other_url("/api/json?cors=1&by=proxy-");
  const auto answer = session.navigate(
      page_with("left", "<img src='" + out + "img'><script>" + kLog + "fetch('" + out +
                            "fetch').then((r) => log('status ' + r.status), (e) => log(e.name));</script>"));
  const auto waited = session.ok("browser_wait_for", {{"text", "log: TypeError"}});
  const auto told = answer.text + waited.text + session.snapshot();
  const auto words = web().other_origin() + " is not in --allowed-origins";
  // In one answer, or in two.
  int blocked = 0;
  const std::regex line("- blocked (\\d+) requests?: ([^\n]*)");
  for (std::sregex_iterator at(told.begin(), told.end(), line), end; at != end; ++at) {
    CHECK_THAT(at->str(2), Contains(words));
    blocked += std::stoi(at->str(1));
  }
  CHECK(blocked == 2);
  const auto log = session.ok("browser_network_requests").text;
  for (const char* what : {"img", "fetch"}) {
    CAPTURE(what, log);
    CHECK_THAT(log, Contains("proxy-" + std::string(what)));
    CHECK(web().requests("/api/json?cors=1&by=proxy-" + std::string(what)).empty());
  }
  CHECK_THAT(log, Contains("ERR_BLOCKED_BY_CLIENT") && !Contains("ERR_TUNNEL") && !Contains("ERR_EMPTY_RESPONSE"));
}

TEST_CASE("policy: a page that fetches much has its documents held all the same", "[policy] [nav.policy.origins]") {
  Session session(fenced());
  session.navigate(web().url("/plain?first"));
  const auto out = web().other_url("/api/json?cors=1&by=busy-");
  const auto page = page_with("busy", "<a id=link href='" + web().other_url("/plain?busy") +
                                          "'>out</a><iframe name=inner src='/plain?inner'></iframe><script>" + kLog +
                                          "Promise.all(Array.from({length: 40}, (_, i) => fetch('/api/json?' + i)))"
                                          ".then(() => fetch('" +
                                          out + "fetch')).catch((e) => log(e.name))</script>");
  session.navigate(page);
  CHECK(logged(session) == "log: TypeError");
  const auto answer = session.ok("browser_click", {{"target", "#link"}});
  CHECK_THAT(answer.text, Contains("blocked") && Contains(web().other_origin() + " is not in --allowed-origins"));
  CHECK(session.href() == page);
  const auto framed = session.ok("browser_evaluate", {{"function", "() => { open('" + out + "frame', 'inner') }"}});
  CHECK_THAT(framed.text + session.snapshot(), Contains("blocked 1 request"));
  // A document that comes now is held as well, though what it fetches then passes nobody but the proxy.
  session.navigate(page);
  CHECK(logged(session) == "log: TypeError");
  session.evaluate("location.href = '" + out + "script'");
  CHECK(session.href() == page);
  for (const char* what : {"fetch", "frame", "script"}) {
    CHECK(web().requests("/api/json?cors=1&by=busy-" + std::string(what)).empty());
  }
  CHECK(web().requests("/plain?busy").empty());
}

TEST_CASE("policy: workers of every kind, and the workers they start", "[policy]") {
  Session session(fenced());
  const auto out = [](const std::string& what) { return web().other_url("/api/json?cors=1&by=worker-" + what); };
  const std::string fetches = "fetch(what).then((r) => r.status, (e) => e.name)";
  web().set_handler("/policy/worker.js", [=](const site::Request& request, site::Response& response) {
    response.set_header("Content-Type", "text/javascript");
    const auto kind = request.query_text("kind");
    if (kind == "dedicated" || kind == "nested") {
      response.body = "const what = '" + out(kind) + "';" + fetches + ".then((w) => postMessage('" + kind + " ' + w));";
      if (kind == "dedicated")
        response.body += "new Worker('/policy/worker.js?kind=nested').onmessage = (e) => postMessage(e.data);";
    } else if (kind == "shared") {
      response.body = "onconnect = (c) => { const what = '" + out(kind) + "';" + fetches +
                      ".then((w) => c.ports[0].postMessage('shared ' + w)); };";
    } else {
      response.body = "onmessage = (e) => { const what = '" + out(kind) + "'; e.waitUntil(" + fetches +
                      ".then((w) => e.source.postMessage('service ' + w))); };";
    }
  });
  session.navigate(
      page_with("workers", std::string("<script>") + kLog +
                               "const said = []; const hear = (w) => { said.push(w); if (said.length == 4) "
                               "log(said.sort().join(', ')); };"
                               "new Worker('/policy/worker.js?kind=dedicated').onmessage = (e) => hear(e.data);"
                               "const s = new SharedWorker('/policy/worker.js?kind=shared'); s.port.onmessage = (e) => "
                               "hear(e.data);"
                               "navigator.serviceWorker.onmessage = (e) => hear(e.data);"
                               "navigator.serviceWorker.register('/policy/worker.js?kind=service');"
                               "navigator.serviceWorker.ready.then((r) => r.active.postMessage('go'));</script>"));
  CHECK(logged(session) == "log: dedicated TypeError, nested TypeError, service TypeError, shared TypeError");
  for (const char* what : {"dedicated", "nested", "shared", "service"}) {
    CAPTURE(what);
    CHECK(web().requests("/api/json?cors=1&by=worker-" + std::string(what)).empty());
  }
}

TEST_CASE("policy: popups, with an opener and without", "[policy]") {
  Session session(fenced());
  session.navigate(page_with("popups", "<button id=open onclick=\"window.open('" + web().other_url("/plain?popup") +
                                           "')\">open</button><a id=blank target=_blank href='" +
                                           web().other_url("/plain?noopener") +
                                           "'>blank</a><button id=own onclick=\"window.open('/plain?own-popup')\">own"
                                           "</button>"));
  for (const char* target : {"#open", "#blank"}) session.ok("browser_click", {{"target", target}});
  session.ok("browser_click", {{"target", "#own"}});
  CHECK(web().wait_for_request("/plain?own-popup", kPatience));
  CHECK(web().requests("/plain?popup").empty());
  CHECK(web().requests("/plain?noopener").empty());
}

TEST_CASE("policy: frames of an allowed origin in another process are watched too", "[policy]") {
  // localhost is another site than 127.0.0.1, so its frames have a process of their own. On the blocked port it would
  // be blocked as well, being the same machine [security.machine-names].
  const auto other_site = "http://localhost:" + std::to_string(web().port());
  House house(with_rules({}, {web().other_origin()}));
  Session session(house);
  web().set_page("/policy/inner", std::string("<p id=inner></p><script>fetch('") +
                                      web().other_url("/api/json?cors=1&by=oopif") +
                                      "').then(() => 'fetched', (e) => e.name).then((w) => "
                                      "document.getElementById('inner').textContent = 'inner: ' + w);</script>");
  session.navigate(page_with("outer", "<iframe src='" + other_site + "/policy/inner'></iframe>"));
  session.ok("browser_wait_for", {{"text", "inner: TypeError"}, {"timeout", 20000}});
  CHECK(web().requests("/api/json?cors=1&by=oopif").empty());
  CHECK_THAT(session.error("browser_navigate", {{"url", web().other_url("/plain")}}).section("Error"),
             Contains("--blocked-origins"));
  CHECK_THAT(session.error("browser_navigate", {{"url", web().cross_site_url("/plain")}}).section("Error"),
             Contains("--blocked-origins"));
  check_landed(session, session.navigate(other_site + "/plain"), other_site + "/plain");
  const auto answer = session.error("browser_navigate", {{"url", web().url("/cross-redirect")}});
  CHECK(answer.structured["outcome"] == "blocked");
  CHECK_THAT(answer.section("Error"), Contains("--blocked-origins"));
}

TEST_CASE("policy: a WebSocket finds no host but the allowed ones", "[policy]") {
  Session session(fenced());
  const auto socket = "ws://localhost:" + std::to_string(web().other_port()) + "/api/json?by=socket";
  session.navigate(page_with("socket", std::string("<script>") + kLog + "const s = new WebSocket('" + socket +
                                           "'); s.onerror = () => log('refused'); s.onopen = () => log('open');"
                                           "</script>"));
  CHECK(logged(session) == "log: refused");
  CHECK(web().requests("/api/json?by=socket").empty());
}

TEST_CASE("policy: downloads, back, data: and about:blank", "[policy]") {
  Session session(fenced());
  session.navigate(web().url("/plain?one"));
  session.navigate("data:text/html,<title>D</title><p>data</p>");
  session.navigate("about:blank");
  check_landed(session, session.ok("browser_navigate_back"), "data:text/html,<title>D</title><p>data</p>");
  const auto url = web().url("/redirect?to=" + web().other_origin() + "/download");
  CHECK(session.error("browser_navigate", {{"url", url}}).structured["outcome"] == "blocked");
}
