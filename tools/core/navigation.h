#pragma once

#include <vector>

#include "tools/contract/tool.h"

namespace bridle {

struct BrowserSettings;

// browser_navigate, browser_navigate_back, browser_navigate_forward, browser_reload. `settings` outlive the tools.
std::vector<ToolSpec> navigation_tools(const BrowserSettings& settings);

}  // namespace bridle
