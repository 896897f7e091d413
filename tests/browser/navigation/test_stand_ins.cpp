// What a page shows while it loads is waited for, and told where it stays [nav.stand-in].
#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;

TEST_CASE("a view that is still loading is waited for: by a navigation, and by a click",
          "[navigation] [nav.stand-in]") {
  Session session;
  const auto opened = session.navigate(web().url("/spa/items"));
  CHECK_THAT(opened.section("Snapshot"), Contains("heading \"Items\"") && !Contains("Loading"));
  CHECK_THAT(opened.section("Page"), Contains("SPA: Items") && !Contains("Pending"));
  session.navigate(web().url("/spa"));
  const auto clicked = session.ok("browser_click", {{"target", "text=Items"}});
  CHECK_THAT(clicked.section("Snapshot"), Contains("heading \"Items\"") && !Contains("Loading"));
}

TEST_CASE("a stand-in that stays is told each time", "[navigation] [nav.stand-in]") {
  Session session;
  const auto opened = session.navigate("data:text/html,<main>Loading...</main><button>Press</button>");
  const std::string pending = "Pending: the page says that it is still loading: \"Loading...\"";
  CHECK_THAT(opened.section("Page"), Contains(pending));
  CHECK_THAT(opened.section("Snapshot"), Contains("Press"));
  session.evaluate(
      "document.querySelector('button').onclick = () => document.querySelector('button').after('pressed')");
  const auto clicked = session.ok("browser_click", {{"target", "button"}});
  CHECK_THAT(clicked.section("Page"), Contains(pending));
  CHECK_THAT(clicked.section("Snapshot"), Contains("pressed"));
  session.evaluate("document.querySelector('main').textContent = 'Here'");
  CHECK_THAT(session.ok("browser_click", {{"target", "button"}}).section("Page"), !Contains("Pending"));
}

TEST_CASE("a stand-in is waited for in the frame that was acted in, and beside one that stays",
          "[navigation] [nav.stand-in]") {
  const std::string page =
      "<!doctype html><div role=progressbar aria-label=Endless>.</div><button id=b>Save</button><p id=out></p><script>"
      "b.onclick = () => { out.innerHTML = '<i role=progressbar>Saving</i>'; const end = performance.now() + 450;"
      "const channel = new MessageChannel(); channel.port1.onmessage = () => performance.now() < end ? "
      "channel.port2.postMessage(0) : out.textContent = 'Saved'; channel.port2.postMessage(0); };</script>";
  web().set_page("/saves", page);
  web().set_page("/frame-saves", "<!doctype html><iframe id=f src=/saves width=600 height=300></iframe>");
  for (const char* path : {"/saves", "/frame-saves"}) {
    CAPTURE(path);
    Session session;
    const auto text = session.navigate(web().url(path)).text;
    const auto line = text.substr(text.find("button \"Save\" [ref=") + 19);
    const auto answer = session.ok("browser_click", at(line.substr(0, line.find(']'))));
    CHECK_THAT(answer.section("Snapshot"), Contains("Saved") && !Contains("Saving"));
  }
}

TEST_CASE("a document whose end does not come: said, and what has come is shown", "[navigate] [nav.verdict]") {
  Session session;
  const auto answer = session.navigate(web().url("/never-body?told"));
  CHECK_THAT(answer.section("Page"), Contains("Settled: commit in") && Contains("still arriving"));
  CHECK(!answer.section("Snapshot").empty());
}

// A slow machine may not come to it in time: then it is said.
TEST_CASE("a list that is drawn by what is fetched after load is shown, or what it waits for is said",
          "[navigation] [nav.fetches]") {
  Session session;
  web().set_page("/late-list",
                 "<!doctype html><h1>Packages</h1><p>Local ones</p><a href='#x'>more</a><ul></ul><script>"
                 "addEventListener('load', () => fetch('/api/items?ms=150').then((r) => r.json()).then(() => {"
                 "document.querySelector('ul').innerHTML = '<li>lodash</li>' }))</script>");
  const auto answer = session.navigate(web().url("/late-list"));
  const bool shown = answer.section("Snapshot").find("lodash") != std::string::npos;
  const bool said =
      answer.section("Page").find("Pending: the page still waits for " + web().url("/api/items")) != std::string::npos;
  INFO(answer.text);
  CHECK((shown || said));
}

// As where a kit has much to set up before it asks what it is to show.
TEST_CASE("a page that shows nothing is waited for until it has begun, and then what it fetches",
          "[navigation] [nav.fetches]") {
  Session session;
  web().set_page("/begins-late",
                 "<!doctype html><main></main><script>const end = performance.now() + 150; const channel = new "
                 "MessageChannel(); channel.port1.onmessage = () => performance.now() < end ? "
                 "channel.port2.postMessage(0) : fetch('/api/items?ms=20').then((r) => r.json()).then(() => {"
                 "document.querySelector('main').innerHTML = '<h1>Sign in</h1>' }); channel.port2.postMessage(0);"
                 "</script>");
  CHECK_THAT(session.navigate(web().url("/begins-late")).section("Snapshot"), Contains("Sign in"));
  web().set_page("/stays-blank", "<!doctype html><main></main><script></script>");
  const auto blank = session.navigate(web().url("/stays-blank"));
  CHECK_THAT(blank.section("Page"), !Contains("Pending") && !Contains("still loading"));
}

// The end of its script is told to the worker, not to the page.
TEST_CASE("a page with a worker is not said to wait for the worker's script", "[navigation] [nav.fetches]") {
  Session session;
  web().set_page("/has-worker",
                 "<!doctype html><h1>Sums</h1><script>const source = new Blob(['postMessage(1)']);"
                 "const worker = new Worker(URL.createObjectURL(source))</script>");
  CHECK_THAT(session.navigate(web().url("/has-worker")).section("Page"),
             !Contains("Pending") && !Contains("still loading"));
}

TEST_CASE("what a page still fetches after its load is said", "[navigation] [nav.verdict] [nav.fetches]") {
  Session session;
  web().set_page("/fetches", "<!doctype html><h1>List</h1><ul></ul><script>fetch('/api/items?ms=5000')</script>");
  const auto answer = session.navigate(web().url("/fetches"));
  CHECK_THAT(answer.section("Page"), Contains("Settled: load in") && Contains("; still loading: 1 request\n"));
  CHECK_THAT(answer.section("Page"), Contains("Pending: the page still waits for " + web().url("/api/items?ms=5000")));
  CHECK_THAT(session.navigate(web().url("/plain")).section("Page"), !Contains("still loading"));
}

// As pages do that save or report something when they are left.
TEST_CASE("what a page has sent as it was left is none of the next page's requests", "[navigation] [nav.fetches]") {
  Session session;
  web().set_page("/reports",
                 "<!doctype html><h1>Reports</h1><script>const send = (of) => fetch('/never?' + of, {method: 'POST', "
                 "keepalive: true}); addEventListener('beforeunload', () => { send('beforeunload');"
                 "const plain = new XMLHttpRequest(); plain.open('POST', '/never?plain'); plain.send(); });"
                 "addEventListener('pagehide', () => send('pagehide'))</script>");
  session.navigate(web().url("/reports"));
  const auto next = session.navigate(web().url("/plain?next"));
  CHECK_THAT(next.section("Page"), !Contains("Pending") && !Contains("still loading"));
  session.navigate(web().url("/reports"));
  CHECK_THAT(session.navigate(web().cross_site_url("/plain?site")).section("Page"),
             !Contains("Pending") && !Contains("still loading"));
}

TEST_CASE("what the page says is under way is told with its end where that comes soon", "[nav.after-action]") {
  Session session;
  web().set_page("/sends",
                 "<!doctype html><button>Send</button><p id=out></p><script>let times = 0;"
                 "document.querySelector('button').onclick = () => { out.textContent = 'Sending document…';"
                 "const job = new Worker(URL.createObjectURL(new Blob(["
                 "'onmessage = async ({data}) => { await fetch(data); postMessage(1) }'])));"
                 "job.onmessage = () => { out.textContent = 'Sent.'; document.title = 'All done'; };"
                 "job.postMessage(location.origin + '/held?key=' + location.search); };</script>");
  int attempt = 0;
  const auto send = [&] {
    const auto key = "sends" + std::to_string(++attempt);
    session.navigate(web().url("/sends?" + key));
    const auto refs = page_stats(session).refs;
    auto click = session.start("browser_click", at("button"));
    // The line that says so has a ref once it has been told.
    REQUIRE(eventually([&] { return page_stats(session).refs > refs; }));
    web().release("?" + key);
    return click->get();
  };
  const auto answer = in_time(send, [](const Answer& told) { return told.says("Sent."); });
  CHECK_THAT(answer.section("Snapshot"), Contains("Sent."));
  CHECK_THAT(answer.section("Page"), Contains("Title: All done"));
}

TEST_CASE("a document that breaks off is told as one, and its end is not waited for",
          "[navigation] [nav.verdict] [nav.stand-in]") {
  Session session;
  web().set_handler("/broken", [](const site::Request&, site::Response& response) {
    response.set_header("Content-Type", "text/html");
    response.begin(1000);
    response.write("<!doctype html><title>Broken</title><h1>A part</h1>");
    response.hold("broken");
    response.reset();
  });
  session.navigate(web().url("/plain"));
  const auto going = session.start("browser_navigate", {{"url", web().url("/broken")}});
  REQUIRE(eventually([&] { return session.tab()->state().url == web().url("/broken"); }));
  web().release("broken");
  const auto opened = going->get();
  CHECK_THAT(opened.section("Page"), Contains("the document broke off (net::ERR_") && !Contains("still arriving"));
  CHECK_THAT(opened.section("Snapshot"), Contains("A part"));
}

TEST_CASE("a page that only says that it goes on to another one is followed to that", "[navigation] [nav.passing]") {
  const std::string form = "<!doctype html><title>Login</title><form action=/passing><button>Login</button></form>";
  web().set_page("/login", form);
  web().set_page("/passing",
                 "<!doctype html><title>Moment</title><h1>Logging In</h1><script>"
                 "setTimeout(() => location.replace('/console'), 300)</script>");
  web().set_page("/console", "<!doctype html><title>Console</title><h1>Console</h1><a href=/login>Log out</a>");
  Session session;
  session.navigate(web().url("/login"));
  const auto answer = session.ok("browser_click", {{"target", "Login"}});
  CHECK_THAT(answer.section("Page"), Contains("Page Title: Console") && Contains("/console"));
  CHECK_THAT(answer.section("Snapshot"), Contains("link \"Log out\"") && !Contains("Logging In"));
}
