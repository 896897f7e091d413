#pragma once

#include <string>

#include "base/concurrency/call_context.h"
#include "browser/tab/tab.h"

namespace bridle {

// Whether a caller's condition, a function or an expression, holds now in the main frame's own world. It may look and
// must not change anything: the browser refuses what would [tool.wait-for.function]. One that runs for long is ended by
// the browser. Throws Aborted, DocumentGone, DialogOpened, TabGone, CdpTimeout, and ScriptError with what it threw.
bool condition_holds(const CallContext& ctx, Tab& tab, const std::string& source);

}  // namespace bridle
