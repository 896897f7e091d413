#pragma once

#include <vector>

#include "tools/contract/tool.h"

namespace bridle {

struct BrowserSettings;

// browser_take_screenshot.
std::vector<ToolSpec> screenshot_tools(const BrowserSettings& settings);

}  // namespace bridle
