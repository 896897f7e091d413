#pragma once

#include <optional>
#include <string>

#include "base/concurrency/call_context.h"
#include "browser/tab/tab.h"

// What the page script can't know of its page, and the browser does [why.browser-asked].
namespace bridle {

// Gives the page script the closed shadow roots of the hosts that it has noted, so that it walks, queries and hit-tests
// them like open ones [why.closed-shadow-roots-asked]. True if there were any, so that another look may find more.
bool register_closed_roots(const CallContext& ctx, Tab& tab, const std::string& frame_id);

// Tells the page script what it has asked of a snapshot's elements: of some the role and states that their
// ElementInternals give them, of the others whether scripts listen for clicks on them.
// False: none of it is news, so that the snapshot is right as it is. Throws Aborted, CdpTimeout, DialogOpened, TabGone.
bool answer_questions(const CallContext& ctx, Tab& tab, const std::string& frame_id);

// Whether scripts listen to the wheel at an element or around it, the document's own listeners aside. Throws Aborted,
// CdpTimeout, DialogOpened, TabGone, and PageError where the target names nothing.
bool listens_to_wheel(const CallContext& ctx, Tab& tab, const std::string& frame_id, const std::string& target);

// Whether scripts listen to the wheel at a frame's document or window, or at what is in the middle of its view. Throws
// Aborted, CdpTimeout, DialogOpened, TabGone.
bool page_listens_to_wheel(const CallContext& ctx, Tab& tab, const std::string& frame_id);

// Asks, without waiting, how many listeners scripts have for a release of the mouse at a frame's document and window,
// wherever it goes up; nullopt between two documents. Throws TabGone.
std::optional<PendingReply> ask_release_listeners(Tab& tab, const std::string& frame_id);
// What came of it; 0 where nothing is known.
int release_listeners_of(const std::optional<CdpReply>& reply);

}  // namespace bridle
