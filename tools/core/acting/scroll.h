#pragma once

#include <vector>

#include "tools/contract/tool.h"

namespace bridle {

struct BrowserSettings;

// browser_scroll.
std::vector<ToolSpec> scroll_tools(const BrowserSettings& settings);

}  // namespace bridle
