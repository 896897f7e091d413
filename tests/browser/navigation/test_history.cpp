// History: back, forward, reload [nav.history].
#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;

TEST_CASE("back, forward and reload", "[navigation] [nav.history]") {
  Session session;
  const auto a = web().url("/plain?title=A");
  const auto b = web().url("/plain?title=B");
  session.navigate(a);
  session.navigate(b);
  check_landed(session, session.ok("browser_navigate_back"), a);
  check_landed(session, session.ok("browser_navigate_forward"), b);
  const auto before = web().requests("/plain?title=B").size();
  check_landed(session, session.ok("browser_reload"), b);
  CHECK(web().requests("/plain?title=B").size() == before + 1);
  const auto end = session.error("browser_navigate_forward");
  CHECK_THAT(end.section("Error"), Contains("forward"));
  CHECK(session.href() == b);
  session.ok("browser_navigate_back");
  session.call("browser_navigate_back");  // may reach about:blank
  CHECK_THAT(session.error("browser_navigate_back").section("Error"), Contains("no page to go back to"));
}

TEST_CASE("history over fragments and pushState is within the document", "[navigation] [nav.history]") {
  Session session;
  session.navigate(web().url("/push-state"));
  session.ok("browser_click", {{"target", "#push"}});
  CHECK(session.href() == web().url("/push-state/pushed?n=1"));
  check_landed(session, session.ok("browser_navigate_back"), web().url("/push-state"), {}, "same_document");
  CHECK(session.text_of("#pops") == "1");
  check_landed(session, session.ok("browser_navigate_forward"), web().url("/push-state/pushed?n=1"), {},
               "same_document");
}

TEST_CASE("what the page shows a little later of where it is within the document is in the answer",
          "[navigation] [nav.history]") {
  Session session;
  web().set_page("/views",
                 "<!doctype html><title>Views</title><a href='#a'>A</a><main></main><script>"
                 "onhashchange = () => setTimeout(() => { document.querySelector('main').textContent = 'View ' "
                 "+ (location.hash || 'home') }, 100)</script>");
  session.navigate(web().url("/views"));
  CHECK_THAT(session.ok("browser_click", {{"target", "link \"A\""}}).section("Snapshot"), Contains("View #a"));
  CHECK_THAT(session.ok("browser_navigate_back").section("Snapshot"), Contains("View home"));
  CHECK_THAT(session.ok("browser_navigate_forward").section("Snapshot"), Contains("View #a"));
  CHECK_THAT(session.ok("browser_navigate", {{"url", web().url("/views#b")}}).section("Snapshot"), Contains("View #b"));
}

TEST_CASE("back from an error page", "[navigation] [nav.history]") {
  Session session;
  session.navigate(web().url("/plain?title=Good"));
  session.error("browser_navigate", {{"url", web().url("/empty-500")}});
  check_landed(session, session.ok("browser_navigate_back"), web().url("/plain?title=Good"));
}

TEST_CASE("a reload that never answers times out and is no hang", "[navigation] [nav.outcome.timeout]") {
  Session session;
  std::atomic<int> visits{0};
  web().set_handler("/once", [&](const site::Request&, site::Response& response) {
    response.set_header("Cache-Control", "no-store");
    if (++visits > 1 && !response.hold()) return;
    response.html("<title>Once</title><p>once</p>");
  });
  session.navigate(web().url("/once"));
  const auto answer = session.error("browser_reload", {{"timeout", 300}});
  CHECK(answer.structured["outcome"] == "timeout");
  CHECK_THAT(answer.section("Error"), Contains("browser_reload: navigation did not commit"));
  session.scope().close_all({});
  CHECK(web().wait_for_open_connections("/once", 0, kPatience));
}
