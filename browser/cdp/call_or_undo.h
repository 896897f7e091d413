#pragma once

#include <functional>
#include <string_view>

#include "base/concurrency/call_context.h"
#include "browser/cdp/connection.h"

namespace bridle {

// A command to the browser that makes something there, and its result. A caller that leaves before the reply (abort,
// time) must not leave the thing behind: the reply, whenever it comes, is handed to `undo` instead, on the reader
// thread or the caller's. The command is sent even if the signal has fired already, so a caller that may still turn
// back checks the signal first. `seen` gets the reply first and exactly once, on the reader thread, even if nobody
// waits for it any more. Any thread; throws Aborted, CdpTimeout, CdpClosed, CdpError [cancel.browser].
Json call_or_undo(CdpConnection& connection, const CallContext& ctx, std::string_view method, const Json& params,
                  const std::function<void(const Json& result)>& undo,
                  const std::function<void(const CdpReply& reply)>& seen = nullptr);

}  // namespace bridle
