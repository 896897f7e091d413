// browser_coverage: what of a page's code goes unused [tool.coverage].
#include <atomic>
#include <memory>
#include <string>

#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;

namespace {

// Positions below are those of this text: never() has 30 characters.
constexpr const char* kShared =
    "function first() { return 1 }\nfunction second() { return 2 }\nfunction never() { return 333 }\n";

void set_covered_pages() {
  web().set_page("/coverage/shared.js", kShared);
  web().set_handler("/coverage/a.css", [](const site::Request&, site::Response& response) {
    response.set_header("Content-Type", "text/css");
    response.body = "p { color: red }\n.never { color: blue }\n";
  });
  const auto page = [](const char* called) {
    return std::string(
               "<!doctype html><title>Covered</title><link rel=stylesheet href=/coverage/a.css>"
               "<script src=/coverage/shared.js></script><p>words<button id=call onclick='") +
           called + "()'>Call</button><button id=leave onclick='location.href = \"/coverage/2\"'>Leave</button>";
  };
  web().set_page("/coverage/1", page("first"));
  web().set_page("/coverage/2", page("second"));
}

Json file_of(const Answer& answer, const std::string& end) {
  for (const Json& file : answer.structured["files"])
    if (file["url"].get<std::string>().ends_with(end)) return file;
  return {};
}

Json start(bool reload = false) { return {{"action", "start"}, {"reload", reload}}; }
const Json kStop{{"action", "stop"}};

}  // namespace

TEST_CASE("coverage: unused bytes of scripts and styles, by URL, most first", "[tool.coverage]") {
  set_covered_pages();
  Session session;
  session.navigate(web().url("/coverage/1"));
  session.ok("browser_coverage", start(true));
  session.ok("browser_evaluate", {{"function", "() => first()"}});
  const auto stopped = session.ok("browser_coverage", kStop);
  const auto script = file_of(stopped, "/shared.js");
  CHECK(script["kind"] == "js");
  CHECK(script["total"] == std::string(kShared).size());
  CHECK(script["unused"] == std::string("function second() { return 2 }function never() { return 333 }").size());
  const auto style = file_of(stopped, "/a.css");
  CHECK(style["kind"] == "css");
  CHECK(style["total"] == 40);
  CHECK(style["unused"] == 24);
  CHECK_THAT(stopped.section("Result"), Contains("bytes of scripts unused") &&
                                            Contains("24 of 40 bytes of styles unused (60 %)") &&
                                            Contains("1 document was loaded meanwhile"));
  CHECK(stopped.structured["files"][0]["url"] == web().url("/coverage/shared.js"));
  // Nothing is left over.
  CHECK_FALSE(session.tab()->extras().find("coverage"));
  CHECK_THAT(session.error("browser_coverage", kStop).section("Error"), Contains("No coverage is under way"));
}

TEST_CASE("coverage: what ran before a page left counts, whoever made it leave", "[tool.coverage]") {
  set_covered_pages();
  Session session;
  session.navigate(web().url("/coverage/1"));
  session.ok("browser_coverage", start(true));
  session.ok("browser_click", {{"target", "#call"}});  // first()
  session.ok("browser_click", {{"target", "#leave"}});
  wait_committed(session, web().url("/coverage/2"));
  session.ok("browser_click", {{"target", "#call"}});     // second()
  session.navigate(web().cross_site_url("/coverage/1"));  // in another process
  const auto stopped = session.ok("browser_coverage", kStop);
  CHECK_THAT(stopped.section("Result"), Contains("3 documents were loaded meanwhile"));
  int files = 0;
  for (const Json& file : stopped.structured["files"]) {
    if (!file["url"].get<std::string>().ends_with("/shared.js")) continue;
    ++files;
    const bool left = file["url"] == web().url("/coverage/shared.js");
    CHECK(file["unused"] == std::string(left ? "function never() { return 333 }"
                                             : "function first() { return 1 }function second() { return 2 }"
                                               "function never() { return 333 }")
                                .size());
  }
  CHECK(files == 2);
}

TEST_CASE("coverage: one at a time in a tab, two tabs apart, gone with the tab", "[tool.coverage]") {
  set_covered_pages();
  Session one;
  Session two;
  one.navigate(web().url("/coverage/1"));
  two.navigate(web().url("/coverage/2"));
  one.ok("browser_coverage", start(true));
  CHECK_THAT(one.error("browser_coverage", start()).section("Error"), Contains("under way in this tab already"));
  two.ok("browser_coverage", start(true));
  one.evaluate("() => first()");
  two.evaluate("() => { second(); never() }");
  CHECK(file_of(one.ok("browser_coverage", kStop), "/shared.js")["unused"] == 61);
  CHECK(file_of(two.ok("browser_coverage", kStop), "/shared.js")["unused"] == 29);
  one.ok("browser_coverage", start());
  const auto tab = one.tab();
  const std::weak_ptr<TabExtra> extra = tab->extras().find("coverage");
  one.ok("browser_close");
  CHECK(eventually([&] { return extra.expired(); }));
  CHECK_THAT(one.error("browser_coverage", {{"action", "stop"}, {"reload", true}}).text,
             Contains("reload goes with action start"));
}

TEST_CASE("coverage: an abort while the page is reloaded ends it", "[tool.coverage] [cancel.browser]") {
  Session session;
  std::atomic<int> asked{0};
  web().set_handler("/coverage/hangs", [&](const site::Request&, site::Response& response) {
    if (asked++ > 0) response.hold();
    response.html("<!doctype html><title>Once</title>");
  });
  session.navigate(web().url("/coverage/hangs"));
  auto running = session.start("browser_coverage", start(true));
  REQUIRE(web().wait_for_request("/coverage/hangs", kPatience, 2));
  running->abort_and_get();
  CHECK_FALSE(session.tab()->extras().find("coverage"));
  session.ok("browser_coverage", start());
  CHECK(session.ok("browser_coverage", kStop).structured["files"].is_array());
  web().set_page("/coverage/hangs", "");
}

TEST_CASE("coverage: an abort while a busy page is asked leaves it under way", "[tool.coverage] [cancel.browser]") {
  set_covered_pages();
  Session session;
  session.navigate(web().url("/coverage/1"));
  session.ok("browser_coverage", start(true));
  session.evaluate("() => { setTimeout(() => { const end = Date.now() + 3000; while (Date.now() < end); }, 50) }");
  wait_answered(session);
  auto running = session.start("browser_coverage", kStop);
  running->abort_and_get();
  CHECK(session.tab()->extras().find("coverage"));
  CHECK(file_of(session.ok("browser_coverage", kStop), "/shared.js")["total"] == std::string(kShared).size());
}
