// Small truths: what a result says of titles, URLs, counts and sources.
#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;

namespace {

void set_title_late(Session& session, const std::string& title) {
  session.tab()->call({}, "Runtime.evaluate", {{"expression", "document.title = '" + title + "'"}});
}

}  // namespace

TEST_CASE("a title that a script has set since is told everywhere", "[titles] [nav.popup]") {
  Session session;
  session.navigate(web().url("/plain?title=Old"));
  set_title_late(session, "One");
  CHECK_THAT(session.ok("browser_tabs", {{"action", "list"}}).section("Open tabs"), Contains("[One]"));
  set_title_late(session, "Two");
  CHECK_THAT(session.ok("browser_wait_for", {{"time", 0}}).section("Page"), Contains("- Page Title: Two"));
  set_title_late(session, "Three");
  CHECK(session.ok("browser_tabs", {{"action", "list"}}).structured["tabs"][0]["title"] == "Three");
}

TEST_CASE("a popup is told with its title and its whole URL", "[titles] [nav.popup]") {
  Session session;
  web().set_page("/opens", "<button onclick=\"window.open('/plain?title=Popped')\">open</button>");
  session.navigate(web().url("/opens"));
  const auto events = session.ok("browser_click", {{"target", "text=open"}}).section("Events");
  CHECK_THAT(events, Contains("\"Popped\" (" + web().url("/plain?title=Popped") + ")"));
}

TEST_CASE("a fresh tab is at about:blank, wherever it is told", "[titles] [tool.sections]") {
  Session session;
  const auto waited = session.ok("browser_wait_for", {{"time", 0}});
  CHECK_THAT(waited.section("Page"), Contains("- Page URL: about:blank"));
  CHECK_THAT(session.ok("browser_tabs", {{"action", "list"}}).section("Open tabs"), Contains("(about:blank)"));
  CHECK_THAT(session.error("browser_snapshot", {{"tab", "t0"}}).section("Error"), Contains("(about:blank)"));
  CHECK_THAT(session.error("browser_wait_for", {{"url", "nowhere"}, {"timeout", 10}}).section("Error"),
             Contains("The page is at about:blank."));
}

TEST_CASE("one of a kind is told in the singular", "[counts] [tool.logs]") {
  Session session;
  web().set_page("/one-error", "<script>console.error('one')</script><p>one</p>");
  session.navigate(web().url("/one-error"));
  CHECK_THAT(session.ok("browser_console_messages").section("Result"),
             Contains("1 message of this page: 1 error, 0 warnings"));
  CHECK_THAT(session.error("browser_tabs", {{"action", "select"}, {"index", 7}}).section("Error"),
             Contains("there is 1 tab, counted from 0"));
  CHECK_THAT(session.error("browser_click", {{"target", "#f0"}}).section("Error"),
             Contains("#f0") && !Contains(". (waited"));
}

TEST_CASE("what a page warns of at each step is told of the first step", "[console] [tool.logs]") {
  Session session;
  const std::string warn = "console.warn('no longer supported'); console.warn('use another');";
  web().set_page("/warns", "<button onclick=\"" + warn + "\">go</button><button onclick=\"" + warn +
                               " console.warn('too long')\">more</button>");
  session.navigate(web().url("/warns"));
  CHECK_THAT(session.ok("browser_click", {{"target", "text=go"}}).section("Events"),
             Contains("2 new console warnings:") && Contains("no longer supported"));
  CHECK_THAT(session.ok("browser_click", {{"target", "text=go"}}).section("Events"),
             Contains("2 new console warnings, as told before") && !Contains("no longer supported"));
  CHECK_THAT(session.ok("browser_click", {{"target", "text=more"}}).section("Events"),
             Contains("3 new console warnings, 2 of them as told before:") && Contains("too long") &&
                 !Contains("use another"));
}

TEST_CASE("what each page of a site complains of is told of the first", "[console] [tool.logs]") {
  Session session;
  const auto script = "<script src=/errors.js></script>";
  web().set_page("/errors.js", "console.error('no font'); console.error('no icon')");
  web().set_page("/first", script + std::string("<p>one"));
  web().set_page("/second", script + std::string("<p>two<script>console.error('its own')</script>"));
  web().set_page("/third", script + std::string("<button onclick=\"console.error('again')\">go</button>"));
  CHECK_THAT(session.navigate(web().url("/first")).section("Events"),
             Contains("2 new console errors:") && Contains("no font") && Contains("no icon"));
  const auto second = session.navigate(web().url("/second")).section("Events");
  CHECK_THAT(second, Contains("3 new console errors, 2 of them as on an earlier page:") && Contains("its own"));
  CHECK_THAT(second, !Contains("no font"));
  CHECK_THAT(session.navigate(web().url("/third")).section("Events"),
             Contains("2 new console errors, as on an earlier page") && !Contains("no font"));
  // What a page says again is told again, as an action may have done it.
  for (int times = 0; times < 2; ++times)
    CHECK_THAT(session.ok("browser_click", {{"target", "text=go"}}).section("Events"),
               Contains("1 new console error:") && Contains("again"));
}

TEST_CASE("new errors and warnings after an action are told with their source", "[console] [tool.logs]") {
  Session session;
  web().set_page(
      "/complains",
      "<button onclick=\"complain()\">go</button>\n<script>\nfunction complain() {\n console.error('wrong');\n "
      "console.warn('beware');\n console.log('quiet');\n}\n</script>");
  session.navigate(web().url("/complains"));
  const auto events = session.ok("browser_click", {{"target", "text=go"}}).section("Events");
  const auto at = " @ " + web().url("/complains") + ":";
  CHECK_THAT(events, Contains("1 new console error:") && Contains("\"wrong\"" + at + "4"));
  CHECK_THAT(events, Contains("1 new console warning:") && Contains("\"beware\"" + at + "5") && !Contains("quiet"));
  // What the network reports has a URL and no line.
  web().set_page("/complains", "<button onclick=\"fetch('/api/status/500')\">go</button>");
  session.navigate(web().url("/complains"));
  session.ok("browser_click", {{"target", "text=go"}});
  std::string told;
  CHECK(eventually([&] {
    told = session.ok("browser_console_messages").section("Result");
    return told.find("/api/status/500") != std::string::npos;
  }));
  CHECK_THAT(told, Contains("@ " + web().url("/api/status/500")) && !Contains("/api/status/500:"));
}

TEST_CASE("a PDF is told as one, its viewer's own requests aren't, and they keep nothing waiting after it",
          "[seeing] [tool.snapshot.pdf]") {
  Session session;
  web().set_handler("/sheet.pdf", [](const site::Request&, site::Response& response) {
    response.set_header("Content-Type", "application/pdf");
    response.body =
        "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj "
        "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj\ntrailer<</Size 4/Root 1 0 R>>\n%%EOF";
  });
  const auto opened = session.navigate(web().url("/sheet.pdf")).section("Snapshot");
  CHECK_THAT(opened, Contains("a PDF") && Contains("browser_take_screenshot"));
  const auto requests = session.ok("browser_network_requests", {{"static", true}}).section("Result");
  CHECK_THAT(requests, Contains("/sheet.pdf") && !Contains("chrome"));
  session.navigate(web().url("/plain"));
  CHECK_THAT(session.error("browser_click", {{"target", "button \"None\""}}).section("Error"),
             Contains("Nothing on the page matches") && !Contains("waited"));
}

TEST_CASE("the frames of a frameset are told as frames are, and worked", "[seeing] [tool.snapshot]") {
  Session session;
  web().set_page("/frameset", R"html(<!doctype html><title>Set</title><frameset cols="30%,70%">
<frame src="/frameset/menu"><frameset rows="50%,50%"><frame src="/plain?text=First" name="main"><frame src="/plain?text=Last"></frameset></frameset>)html");
  web().set_page("/frameset/menu", "<a href='/plain?text=Second' target='main'>Show</a>");
  const auto opened = session.navigate(web().url("/frameset")).section("Snapshot");
  CHECK_THAT(opened, Contains("link \"Show\"") && Contains("First") && Contains("Last"));
  const auto clicked = session.ok("browser_click", {{"target", "link \"Show\""}}).section("Snapshot");
  CHECK_THAT(clicked, Contains("Second") && !Contains("Last"));
}

TEST_CASE("a drawing that is a page of its own is worked by its text", "[seeing] [tool.target]") {
  Session session;
  web().set_handler("/map.svg", [](const site::Request&, site::Response& response) {
    response.set_header("Content-Type", "image/svg+xml");
    response.body = R"svg(<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200">
<a href="/plain?text=North"><text x="10" y="50">Go north</text></a></svg>)svg";
  });
  session.navigate(web().url("/map.svg"));
  session.ok("browser_wait_for", {{"text", "Go north"}});
  CHECK_THAT(session.ok("browser_click", {{"target", "text=Go north"}}).section("Snapshot"), Contains("North"));
}
