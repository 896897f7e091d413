#pragma once

#include <string>

#include "base/concurrency/call_context.h"
#include "browser/cdp/connection.h"
#include "browser/cdp/pending_reply.h"

namespace bridle {

// Terminates the script that keeps a renderer busy. `behind` is a command that was sent after the script was: once that
// is answered, the script has ended. A termination ends what runs, or what runs next, and where the page has timers
// that may be a script of its own that comes before ours: so one follows the other until `behind` is answered. When
// this returns, none is left over for a later script. `world`: the unique id of any context of the renderer's.
// Waits until `ctx`'s deadline at most. False if the script may still run. Throws as CdpSession::call.
bool terminate_script(const CallContext& ctx, const CdpSession& session, const PendingReply& behind,
                      const std::string& world);

}  // namespace bridle
