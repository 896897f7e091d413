// What comes while the mouse rests on something.
#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;

// [nav.after-action.timers]
TEST_CASE("what the browser itself shows for who rests on a button is in the answer", "[nav.after-action.timers]") {
  Session session;
  web().set_page("/interest",
                 "<!doctype html><title>Interest</title><button interestfor=hint>Fees</button><button>Pay</button>"
                 "<div id=hint popover=hint>No fees below 10 euros</div>");
  session.navigate(web().url("/interest"));
  CHECK_THAT(session.ok("browser_hover", {{"target", "button \"Fees\""}}).section("Snapshot"),
             Contains("No fees below 10 euros"));
}

TEST_CASE("a tooltip that comes late is in the answer to the hover", "[nav.after-action.timers]") {
  Session session;
  web().set_page(
      "/tooltip",
      "<!doctype html><title>Tooltip</title><button onmouseenter=\"setTimeout(() => tip.hidden = false, 400)\">"
      "Bin</button><p id=tip role=tooltip hidden>Delete for good</p>");
  // The wait is a bound: of a machine that was busy all along another answer is asked for.
  const auto answer = in_time(
      [&] {
        session.navigate(web().url("/tooltip"));
        return session.ok("browser_hover", {{"target", "button \"Bin\""}});
      },
      [](const Answer& told) { return told.says("Delete for good"); });
  CHECK_THAT(answer.section("Snapshot"), Contains("Delete for good"));
  CHECK_THAT(answer.section("Page"), !Contains("Pending"));
}
