#pragma once

#include <string>

#include "base/concurrency/call_context.h"
#include "browser/tab/tab.h"

namespace bridle {

// Where the browser asks by a window of its own for the name and the password that a server wants (HTTP
// authentication), the request waits and the page gets no input; without a person nobody answers [why.auth-prompt].
// Looks whether that is so, where a request has had no answer for a while, and ends it then: what the page is loading
// is stopped. Returns the request's URL, or "". For who has the tab's turn, and not for browsers with a person. Throws
// Aborted, CdpError, TabGone.
std::string close_auth_prompt(const CallContext& ctx, Tab& tab);

}  // namespace bridle
