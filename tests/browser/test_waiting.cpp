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
  CHECK(answer.structured["waitedMs"].get<long>() < 5000);
  CHECK_THAT(answer.section("Result"), Contains("It has come."));
  CHECK(session.ok("browser_wait_for", {{"text", "It has come."}}).took < 1s);  // there already
}

TEST_CASE("text that goes", "[waiting]") {
  Session session;
  session.navigate(web().url("/plain"));
  later(session, 300, "document.querySelector('#text').remove()");
  const auto answer = session.ok("browser_wait_for", {{"textGone", "A plain page."}});
  CHECK(answer.structured["satisfied"] == true);
  CHECK(session.evaluate("document.querySelector('#text')").is_null());
  CHECK(session.ok("browser_wait_for", {{"textGone", "never was there"}}).took < 1s);
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
  later(session, 0, "location.href = '/slow?ms=500'");
  CHECK(session.ok("browser_wait_for", {{"text", "It came in the end."}}).structured["satisfied"] == true);
}

TEST_CASE("a time", "[waiting]") {
  Session session;
  session.navigate(web().url("/plain"));
  const auto answer = session.ok("browser_wait_for", {{"time", 0.3}});
  CHECK(answer.took >= 300ms);
  CHECK(answer.took < 2s);
  CHECK(answer.structured["waitedMs"].get<long>() >= 300);
}

TEST_CASE("what doesn't come is an error that says how long it waited", "[waiting] [tool.wait-for]") {
  Session session;
  session.navigate(web().url("/plain"));
  for (const Json& what : {Json{{"text", "nowhere"}}, Json{{"textGone", "A plain page."}}, Json{{"url", "nowhere"}}}) {
    Json args = what;
    args["timeout"] = 300;
    const auto answer = session.error("browser_wait_for", args);
    CHECK(answer.took >= 300ms);
    CHECK(answer.took < 2500ms);
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
