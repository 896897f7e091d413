#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "browser/page/navigation.h"

// What a page says of itself: where it is, its title, and whether it is still loading what it shows.
namespace bridle {

// read_state() where the page has just said where it is, in the answer to another function: nullopt where there is more
// to wait for.
std::optional<NavigationResult> state_as_told(Tab& tab, const std::string& url, const std::string& title);
// Asks pages, all at once, for the titles that they have now, as a script may have set them since they have settled.
// The title of a page that doesn't answer soon stays as it was. Throws Aborted.
void refresh_titles(const CallContext& ctx, const std::vector<std::shared_ptr<Tab>>& tabs);
struct StandIn {
  std::string words{};  // what the page still shows of it; "" nothing
  bool waited = false;  // there was one, so what the page was before is worth another look
  bool idle = false;    // the page has asked for callbacks when it is idle
};
// Waits until the page shows no stand-in for its content any more (a busy region, a spinner, an empty root while
// requests are under way, an element that a script under way may define), `limit` at most [nav.stand-in]. A page that
// leads on meanwhile counts as waited for. `blank`: how long one is waited for that shows nothing and fetches nothing.
// Throws Aborted.
StandIn wait_loaded(const CallContext& ctx, Tab& tab, Millis limit, bool fetching, const std::string& frame_id = {},
                    Millis blank = Millis(0));
// Waits until the page has done what it does when it is idle, `limit` at most. Throws Aborted.
void wait_until_idle(const CallContext& ctx, Tab& tab, Millis limit);

// Waits until what the page's scripts have fetched since the mark (TabState::requests) has come and nothing new was
// asked for in limits::kActionQuiet, and until it is drawn, limits::kTimersWaitedFor at most; until `late` at most
// [nav.fetches]. True: there was something to wait for. A page that leads on meanwhile counts as waited for. Throws
// Aborted.
bool wait_fetched(const CallContext& ctx, Tab& tab, int requests, Deadline late);

// wait_fetched() and wait_loaded(), for a page that shows nothing too, and both again where the page has begun to fetch
// something meanwhile, as the scripts do that draw all of it. Throws Aborted.
StandIn wait_content(const CallContext& ctx, Tab& tab, int requests, Deadline late);

// Waits until what slides to another place, appears or goes has come to rest, limits::kLateEffects at most
// [tool.wait-for.rest]. The ms that are left of it then. Throws Aborted.
double wait_until_still(const CallContext& ctx, Tab& tab);

// Waits until the page's body changes, for kTimersWaitedFor at most, and for the frames after that. False: it hasn't.
// Throws Aborted.
bool wait_until_changed(const CallContext& ctx, Tab& tab);
// Where the page is now, its title, and whether it still loads: as it may have come to something while it was read.
// Throws Aborted.
void tell_anew(const CallContext& ctx, Tab& tab, NavigationResult& result);
// What the page has under way at the end of a navigation whose requests began after the mark.
void tell_requests(const Tab& tab, int requests, NavigationResult& result);

}  // namespace bridle
