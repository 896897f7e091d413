// What a page does that keeps its state in the URL's fragment.
#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;

TEST_CASE("what a page shows after it has set its fragment is in the answer", "[actions] [nav.after-action.timers]") {
  Session session;
  web().set_page("/fragment",
                 R"html(<!doctype html><title>Share</title><style>@keyframes out { to { opacity: 0 } }</style>
<main id="old"><button id="share">Share</button></main><main id="new" hidden><h1>It is shared.</h1></main><script>
document.getElementById('share').onclick = async () => {
  await fetch('/api/slow?ms=100');
  location.hash = '#shared';
  const from = document.getElementById('old');
  from.onanimationend = () => { from.hidden = true; document.getElementById('new').hidden = false; };
  from.style.animation = 'out 300ms';
};
</script>)html");
  session.navigate(web().url("/fragment"));
  const auto answer = session.ok("browser_click", at("#share"));
  CHECK_THAT(answer.section("Page"), Contains("/fragment#shared"));
  CHECK_THAT(answer.section("Snapshot"), Contains("It is shared."));
}
