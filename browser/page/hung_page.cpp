#include "browser/page/hung_page.h"

#include <spdlog/spdlog.h>

namespace bridle {
namespace {

constexpr Millis kHangs{4000};  // no answer for so long
constexpr Millis kEnds{2000};   // a bound: it takes some 150 ms

}  // namespace

// The document that is asked for would wait for the renderer to let it in, where it is of the same site. From then on
// Page.crash and Page.stopLoading do nothing, and navigations elsewhere queue up behind it: it is too late once it was
// sent.
bool end_hung_page(const CallContext& ctx, Tab& tab) {
  // A dialog, and a navigation that waits already, are no hanging page.
  if (tab.state().interrupted()) return false;
  const auto probe = tab.send("Runtime.evaluate", {{"expression", "0"}});
  const bool answers = tab.wait(ctx.within(kHangs), [&] { return probe.has_come() || tab.state().interrupted(); }) ||
                       ctx.deadline.expired();
  if (answers) return false;
  spdlog::info("{}: the page does not answer; its renderer is ended before it is left", tab.label());
  const auto crash = tab.send("Page.crash", Json::object());
  return tab.wait(ctx.within(kEnds), [&] { return tab.state().blocked(); }) && tab.state().crashed;
}

}  // namespace bridle
