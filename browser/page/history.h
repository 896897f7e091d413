#pragma once

#include "base/concurrency/call_context.h"
#include "base/text/json.h"
#include "browser/tab/tab.h"

namespace bridle {

// The id of the entry that lies `delta` steps from the current one in the tab's session history, as
// Page.navigateToHistoryEntry takes it. Answered while a navigation is pending. Throws ToolError where there is no such
// entry, CdpError and Aborted.
Json history_entry(const CallContext& ctx, Tab& tab, int delta);

}  // namespace bridle
