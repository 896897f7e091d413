#pragma once

#include <vector>

#include "tools/contract/tool.h"

namespace bridle {

struct BrowserSettings;

// browser_heap: heap snapshots, what is in them, and what keeps it there [tool.heap].
std::vector<ToolSpec> heap_tools(const BrowserSettings& settings);

}  // namespace bridle
