#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/concurrency/call_context.h"
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
  std::string status_text{};             // the server's words for it; HTTP/2 has none
  std::vector<std::string> redirects{};  // URLs redirected from, in order
  Millis elapsed{0};                     // from the start of the navigation
  WaitUntil reached = WaitUntil::commit;
  int still_loading = 0;      // requests in flight: all of them before load, after it what scripts fetch
  std::string fetching{};     // after load, the URL of the oldest of them
  std::string broke_off{};    // net::ERR_*: a part of the document is all that comes
  std::string pending_url{};  // a navigation that hadn't committed when the wait ended
  std::string note{};         // what else happened: a followed navigation became a download, ...
  std::string loading{};      // what says that the page still shows a stand-in for its content; "": nothing
  bool busy = false;          // the page's main thread didn't answer the final check

  bool ok() const { return outcome == NavigationOutcome::committed || outcome == NavigationOutcome::same_document; }
};

// All of these end the navigation in the browser before they throw Aborted: Page.stopLoading, and a beforeunload dialog
// that the navigation raised is dismissed. They never throw TabGone: a closed tab is an outcome.
NavigationResult navigate(const CallContext& ctx, Tab& tab, const std::string& url, const NavigationOptions& options);
NavigationResult reload(const CallContext& ctx, Tab& tab, const NavigationOptions& options);
// delta -1 back, +1 forward. Throws ToolError when there is no such entry.
NavigationResult go_history(const CallContext& ctx, Tab& tab, int delta, const NavigationOptions& options);
// Waits for a navigation that the page itself has started, then settles. If none is pending, only the final check is
// made.
NavigationResult follow(const CallContext& ctx, Tab& tab, const NavigationOptions& options);

// The final check alone: where the page is now, with title; follows what it has just begun.
NavigationResult read_state(const CallContext& ctx, Tab& tab);

}  // namespace bridle
