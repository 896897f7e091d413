// Pages whose main thread hangs in what they do themselves, and how they are left [nav.hung].
#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;

namespace {

// Opens a page and has it hang for good, by a script or by a request that is never answered. Nobody waits for what
// makes it hang; that it does is known by its request.
void hang(Session& session, const std::string& by = "fetch(url); for (;;) {}") {
  static int times = 0;
  const std::string sign = "/never?hangs" + std::to_string(++times);
  web().set_page("/hanging", "<!doctype html><title>Hanging</title>");
  session.navigate(web().url("/hanging"));
  const auto unanswered =
      session.tab()->send("Runtime.evaluate", {{"expression", "{ const url = '" + sign + "'; " + by + " }"}});
  REQUIRE(web().wait_for_request(sign, kPatience));
}

}  // namespace

TEST_CASE("a page that hangs is left for another one of its site", "[hung] [nav.hung]") {
  Session session;
  SECTION("in a script") { hang(session); }
  SECTION("in a request") {
    hang(session, "const request = new XMLHttpRequest(); request.open('GET', url, false); request.send();");
  }
  const auto answer = session.ok("browser_navigate", {{"url", web().url("/plain?next")}});
  CHECK(answer.structured["url"] == web().url("/plain?next"));
  CHECK_THAT(answer.section("Page"), Contains("did not answer any more"));
  CHECK_THAT(session.ok("browser_navigate", {{"url", web().url("/plain?again")}}).text, !Contains("did not answer"));
}

TEST_CASE("a page that hangs is loaded again, and left by a step back", "[hung] [nav.hung]") {
  Session session;
  session.navigate(web().url("/plain?first"));
  hang(session);
  const auto reloaded = session.ok("browser_reload");
  CHECK(reloaded.structured["url"] == web().url("/hanging"));
  CHECK_THAT(reloaded.section("Page"), Contains("did not answer any more"));
  CHECK(session.evaluate("() => document.title") == "Hanging");
  hang(session);
  CHECK_THAT(session.ok("browser_navigate_back").section("Page"), Contains("did not answer any more"));
  CHECK(session.evaluate("() => document.readyState") == "complete");
}

TEST_CASE("to leave a page that hangs can be cancelled", "[hung] [cancel.at-once]") {
  Session session;
  hang(session);
  auto leaving = session.start("browser_navigate", {{"url", web().url("/plain?cancelled")}});
  leaving->abort_and_get();
  CHECK(session.ok("browser_navigate", {{"url", web().url("/plain?after")}}).structured["url"] ==
        web().url("/plain?after"));
}

// As of a large application that builds what was asked for, in a task behind the click's: its main thread is held until
// the test lets it go.
TEST_CASE("what an action brings about is shown though the page is busy with it", "[hung] [tool.snapshot]") {
  Session session;
  web().set_page("/builds",
                 "<!doctype html><title>Builds</title><button id=go>Build</button><p id=out></p><script>let times = 0;"
                 "go.onclick = () => postMessage('build'); onmessage = () => { const request = new XMLHttpRequest();"
                 "request.open('GET', `/never?builds=${++times}`, false); request.send();"
                 "out.textContent = `Built ${times}`; };</script>");
  session.navigate(web().url("/builds"));
  auto waited_for = session.start("browser_click", at("#go"));
  REQUIRE(web().wait_for_request("/never?builds=1", kPatience));
  REQUIRE(
      eventually([&] { return session.browser()->pending_commands() > 0; }));  // the page is asked, and can't answer
  web().release("/never?builds=1");
  CHECK_THAT(waited_for->get().section("Snapshot"), Contains("Built 1"));

  CHECK_THAT(session.ok("browser_click", at("#go")).section("Snapshot"),
             Contains("the page did not answer for 3 s") && Contains("browser_snapshot"));
  web().release("/never?builds=2");
  CHECK_THAT(session.ok("browser_wait_for", {{"text", "Built 2"}}).text, !Contains("did not answer"));
  CHECK_THAT(session.snapshot(), Contains("Built 2"));
}
