#pragma once

#include "base/concurrency/call_context.h"
#include "browser/tab/tab.h"

namespace bridle {

// Sends Page.stopLoading until it takes effect, at most until `shield`'s deadline [why.stop-loading-repeated]: at the
// moment of the commit the command can fall between the old document and the new one, and a navigation that is only
// requested isn't there yet to be stopped. For clean-ups.
void stop_loading(const CallContext& shield, Tab& tab);

}  // namespace bridle
