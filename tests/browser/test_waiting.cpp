// browser_wait_for (spec/tools, "Decisions" 11).
#include "tests/browser/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;

namespace {

// Runs a script of the page's own after a while.
void later(Session& session, int ms, const std::string& script) {
  session.evaluate("() => { setTimeout(() => { " + script + " }, " + std::to_string(ms) + ") }");
}

}  // namespace

TEST_CASE("text that comes", "[waiting]") {
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

TEST_CASE("what doesn't come is an error that says how long it waited", "[waiting]") {
  Session session;
  session.navigate(web().url("/plain"));
  for (const Json& what : {Json{{"text", "nowhere"}}, Json{{"textGone", "A plain page."}}, Json{{"url", "nowhere"}}}) {
    Json args = what;
    args["timeout"] = 300;
    const auto answer = session.error("browser_wait_for", args);
    CHECK(answer.took >= 300ms);
    CHECK(answer.took < 2500ms);
    CHECK_THAT(answer.section("Error"),
               Catch::Matches("[\\s\\S]*waited \\d+ ms[\\s\\S]*") && Contains(what.begin().value().get<std::string>()));
  }
  CHECK_THAT(session.error("browser_wait_for").section("Error"), Contains("text") && Contains("url"));
}

TEST_CASE("in frames, of the same site and of another", "[waiting][frames]") {
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

TEST_CASE("a wait is reported as progress", "[waiting]") {
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
