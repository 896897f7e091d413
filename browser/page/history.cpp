#include "browser/page/history.h"

#include <string>

#include "base/errors.h"

namespace bridle {
namespace {

constexpr Millis kHandsOver{2000};  // a bound: it takes a few ms
constexpr Millis kAsksAgain{20};

// While one document's renderer hands over to another's, as to an error page's, the browser refuses: it is asked again
// then.
Json read_history(const CallContext& ctx, Tab& tab) {
  const auto handed_over = Deadline::after(kHandsOver);
  for (;;) {
    const auto commit = tab.state().commit_seq;
    try {
      return tab.session().call(ctx, "Page.getNavigationHistory");
    } catch (const CdpError& error) {
      if (handed_over.expired() || error.message().find("Not attached to an active page") == std::string::npos) throw;
    }
    tab.wait(ctx.within(kAsksAgain), [&] { return tab.state().commit_seq != commit || tab.state().blocked(); });
  }
}

}  // namespace

Json history_entry(const CallContext& ctx, Tab& tab, int delta) {
  const Json history = read_history(ctx, tab);
  const int index = history.value("currentIndex", 0) + delta;
  const auto& entries = history.at("entries");
  if (index < 0 || index >= static_cast<int>(entries.size())) {
    throw ToolError(
        delta < 0 ? "There is no page to go back to: this is the first one of the tab's history. Use browser_navigate."
                  : "There is no page to go forward to: this is the last one of the tab's history.");
  }
  return entries.at(static_cast<std::size_t>(index)).at("id");
}

}  // namespace bridle
