#pragma once

#include <vector>

#include "tools/contract/tool.h"

namespace bridle {

struct BrowserSettings;

// browser_trace: a trace file that DevTools opens, and what it says [tool.trace].
std::vector<ToolSpec> trace_tools(const BrowserSettings& settings);
// browser_start_tracing, browser_stop_tracing.
void add_trace_aliases(Toolbox& toolbox);

}  // namespace bridle
