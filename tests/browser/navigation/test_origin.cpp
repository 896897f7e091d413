// What a call does on a page that went elsewhere by itself: the wait before it, and the origin that its caller was told
// [nav.guard] [nav.origin].
#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;

TEST_CASE("the first call on a new tab doesn't wait for anything", "[navigation][guard] [nav.guard]") {
  Session session;
  session.navigate("about:blank");  // the browser runs
  const auto tab = session.ok("browser_tabs", {{"action", "new"}}).structured["tab"];
  const auto answer = session.ok("browser_snapshot", {{"tab", tab}});
  CHECK(answer.waited < 2s);
}

TEST_CASE("a page tool waits for a navigation that nobody called for", "[navigation][guard] [nav.guard]") {
  Session session;
  session.navigate(web().url("/plain"));
  const auto url = web().url("/held?key=guard");
  session.tab()->session().post("Page.navigate", {{"url", url}});
  REQUIRE(
      session.tab()->wait(CallContext{}.within(kPatience), [&] { return session.tab()->state().navigation_pending; }));
  REQUIRE(web().wait_for_request("/held?key=guard", kPatience));
  const bool reading = GENERATE(true, false);
  auto running =
      reading ? session.start("browser_snapshot") : session.start("browser_evaluate", {{"function", "location.href"}});
  web().release("guard");
  CHECK_THAT(running->get().text, Contains(url));
}

TEST_CASE("a navigation that hangs: the page isn't shown as what it isn't, and not called restricted",
          "[navigation][guard] [nav.hanging] [nav.guard.words]") {
  Session session;
  session.navigate(web().url("/plain"));
  session.error("browser_navigate", {{"url", web().url("/never?guard")}, {"timeout", 200}});
  const auto answer = session.error("browser_snapshot");
  CHECK(answer.waited < 12s);
  CHECK_THAT(answer.text, Contains("still loading") && !Contains("restricted"));
  CHECK(answer.section("Page").find("/never?guard") == std::string::npos);
  check_landed(session, session.navigate(web().url("/plain?after")), web().url("/plain?after"));
}

// --- whom the caller thinks it talks to

TEST_CASE("a page that went to another origin by itself: acting is refused once, reading never",
          "[navigation][origin] [nav.origin]") {
  Session session;
  session.navigate(web().url("/click-lab"));
  const auto there = web().other_url("/click-lab");
  session.tab()->session().post("Page.navigate", {{"url", there}});
  wait_committed(session, there);
  SECTION("acting: refused, naming both; the next goes through") {
    const auto refused = session.error("browser_click", {{"target", "#counter"}});
    CHECK_THAT(refused.section("Error"), Contains(web().origin()) && Contains(web().other_origin()));
    session.ok("browser_click", {{"target", "#counter"}});
    CHECK(session.text_of("#count") == "1");
  }
  SECTION("a script counts as acting") {
    session.error("browser_evaluate", {{"function", "document.title"}});
    session.ok("browser_evaluate", {{"function", "document.title"}});
  }
  SECTION("reading tells the caller") {
    session.ok("browser_snapshot");
    session.ok("browser_click", {{"target", "#counter"}});
  }
  SECTION("a redirect that was reported counts as told") {
    session.navigate(web().url("/cross-redirect?path=/click-lab"));
    session.ok("browser_click", {{"target", "#counter"}});
  }
}

TEST_CASE("the security origin counts, and an opaque one equals nothing",
          "[navigation][origin] [nav.origin.security]") {
  Session session;
  const auto sandboxed = web().url("/csp-sandbox?allow=allow-scripts");
  const auto goes_to = [&](const std::string& url) {
    session.tab()->session().post("Page.navigate", {{"url", url}});
    wait_committed(session, url);
  };
  SECTION("from a site to a sandboxed page of its own") {
    session.navigate(web().url("/plain"));
    goes_to(sandboxed);
    CHECK_THAT(session.error("browser_click", {{"target", "#button"}}).section("Error"),
               Contains(web().origin()) && Contains("an opaque origin"));
    session.ok("browser_click", {{"target", "#button"}});
  }
  SECTION("from a sandboxed page to another") {
    session.navigate(sandboxed);
    session.ok("browser_click", {{"target", "#button"}});
    session.ok("browser_click", {{"target", "#button"}});  // still the same document
    goes_to(sandboxed + "&other=1");
    CHECK_THAT(session.error("browser_click", {{"target", "#button"}}).section("Error"), Contains("an opaque origin"));
    session.ok("browser_click", {{"target", "#button"}});
  }
}

TEST_CASE("where a redirect leads to what can't be reached, that is named", "[navigation] [nav.outcome.net-error]") {
  Session session;
  const auto from = web().url("/redirect?to=http://nowhere.invalid/there");
  const auto failed = session.error("browser_navigate", {{"url", from}});
  CHECK_THAT(failed.section("Error"), Contains("at http://nowhere.invalid/there, to which it was redirected from ") &&
                                          Contains(web().url("/redirect")));
}
