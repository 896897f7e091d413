#pragma once

#include <string>

#include "base/concurrency/call_context.h"
#include "browser/tab/tab.h"

namespace bridle {

struct ScriptResult {
  Json value{};        // null when it has no JSON form
  std::string text{};  // readable, for every kind of value: undefined, NaN, 10n, <div id="x">, ...
};

// Runs a caller's script in the main frame's own world, pinned to the document that is there now. `source` is a
// function, `() => ...` or `(element) => ...`, a bare expression, or statements. It is given an AbortSignal as
// `signal` and as `this.signal`. `element` is a target's element ("" none), resolved in `element_frame`.
//
// The result is what the script returned, whatever the page has made of its built-ins: bridle itself uses none of them
// [tool.evaluate.unforgeable]. What the script's own code calls is the page's, of course.
//
// On an abort, or after `limit`, the signal in the page is aborted and a script that still runs is terminated. A
// promise that the script awaits can't be ended from outside, so it is left alone. Throws Aborted, CdpTimeout (after
// `limit`), ScriptError, DocumentGone, DialogOpened, TabGone, and ToolError where an object was returned that can't be
// read, as the page is on its way to another document.
ScriptResult run_script(const CallContext& ctx, Tab& tab, const std::string& source, const std::string& element,
                        const std::string& element_frame, Millis limit);

}  // namespace bridle
