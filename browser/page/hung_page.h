#pragma once

#include "base/concurrency/call_context.h"
#include "browser/tab/tab.h"

namespace bridle {

// Before another document is asked for: ends the renderer of a page whose main thread doesn't answer within 4 s, as a
// script or a synchronous request of its own holds it [nav.hung]. Tabs that share the renderer crash with it; they hang
// as well. True: the tab is crashed now, and the next navigation revives it. Costs a page that answers one round trip.
// Throws Aborted.
bool end_hung_page(const CallContext& ctx, Tab& tab);

}  // namespace bridle
