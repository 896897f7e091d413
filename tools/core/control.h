#pragma once

#include <vector>

#include "tools/contract/tool.h"

namespace bridle {

struct BrowserSettings;

// The calls themselves: browser_status, browser_stop.
std::vector<ToolSpec> control_tools(const BrowserSettings& settings);

}  // namespace bridle
