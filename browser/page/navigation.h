#pragma once

#include <string>
#include <vector>

#include "base/call_context.h"
#include "browser/tab/tab.h"
#include "browser/tab/url_settle.h"

// What every tool that can change the document uses to learn the truth about where the page ended up [nav.settle].
namespace bridle {

struct NavigationOptions {
  Millis timeout = limits::kNavigationTimeout;  // to the commit
  WaitUntil until = WaitUntil::load;
  std::string expect_origin{};  // "" any
};

struct NavigationResult {
  NavigationOutcome outcome = NavigationOutcome::committed;
  std::string detail{};  // net::ERR_*, the other URL of a superseded one, ...
  std::string url{};     // the page's URL now
  std::string title{};
  int status = 0;                        // HTTP status of the final hop; 0 without one
  std::vector<std::string> redirects{};  // URLs redirected from, in order
  Millis elapsed{0};                     // from the start of the navigation
  WaitUntil reached = WaitUntil::commit;
  int still_loading = 0;      // requests in flight
  std::string pending_url{};  // a navigation that hadn't committed when the wait ended
  std::string note{};         // what else happened: a followed navigation became a download, ...
  long elements = 0;          // in the document, without its frames; 0: unknown
  bool busy = false;          // the page's main thread didn't answer the final check

  bool ok() const { return outcome == NavigationOutcome::committed || outcome == NavigationOutcome::same_document; }
};

// All of these throw Aborted after ending the navigation in the browser (Page.stopLoading; a beforeunload dialog that
// it raised is dismissed), TabGone never: that is an outcome.
NavigationResult navigate(const CallContext& ctx, Tab& tab, const std::string& url, const NavigationOptions& options);
NavigationResult reload(const CallContext& ctx, Tab& tab, const NavigationOptions& options);
// delta -1 back, +1 forward. Throws ToolError when there is no such entry.
NavigationResult go_history(const CallContext& ctx, Tab& tab, int delta, const NavigationOptions& options);
// Waits for what the page has started itself, then settles; without anything pending it only makes the final check.
NavigationResult follow(const CallContext& ctx, Tab& tab, const NavigationOptions& options);

// The final check alone: where the page is now, with title; follows what it has just begun.
NavigationResult look(const CallContext& ctx, Tab& tab);
// Page.stopLoading until it took: at the moment of the commit it can fall between the old document and the new one, and
// a navigation that is only requested isn't there yet to be stopped. For clean-ups: until `shield`'s deadline at most.
void stop_loading(const CallContext& shield, Tab& tab);

}  // namespace bridle
