// Links to what Chromium doesn't load itself.
#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;

TEST_CASE("other_program: none is started, the answer says so, and the tab takes input as before",
          "[navigation] [nav.outcome.other-program]") {
  Session session;
  web().set_page("/programs", R"html(<!doctype html><title>Programs</title>
<a href="mailto:a@b.test">Mail</a> <a href="tel:123">Call</a> <a href="zoommtg://meet/1">Meet</a>
<a href="zoommtg://meet/2" target="_blank">Meet beside</a>
<button onclick="location.href = 'zoommtg://meet/3'">Join</button>
<button onclick="document.body.append(Object.assign(document.createElement('iframe'), { src: 'zoommtg://meet/4' }))">Frame</button>
<button onclick="this.textContent = 'Counted ' + (window.n = (window.n ?? 0) + 1)">Count</button>)html");
  session.navigate(web().url("/programs"));
  const auto is_free = [&](int count) {
    CHECK_THAT(session.ok("browser_click", {{"target", "role=button >> nth=2"}}).section("Snapshot"),
               Contains("Counted " + std::to_string(count)));
  };
  const std::vector<std::pair<std::string, std::string>> ways{{"link \"Mail\"", "mailto:a@b.test"},
                                                              {"link \"Call\"", "tel:123"},
                                                              {"link \"Meet\"", "zoommtg://meet/1"},
                                                              {"button \"Join\"", "zoommtg://meet/3"}};
  int count = 0;
  for (const auto& [target, url] : ways) {
    CAPTURE(target);
    const auto clicked = session.ok("browser_click", {{"target", target}});
    CHECK_THAT(clicked.section("Page"), Contains("Note: " + url + " is for another program, and none is started"));
    is_free(++count);
  }
  for (const auto* target : {"link \"Meet beside\"", "button \"Frame\""}) {
    CAPTURE(target);
    session.ok("browser_click", {{"target", target}});
    is_free(++count);
  }
  CHECK(session.href() == web().url("/programs"));
}
