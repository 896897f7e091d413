#pragma once

#include <vector>

#include "tools/contract/tool.h"

namespace bridle {

struct BrowserSettings;

// browser_wait_for.
std::vector<ToolSpec> wait_tools(const BrowserSettings& settings);

}  // namespace bridle
