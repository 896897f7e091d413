#pragma once

#include <vector>

#include "tools/contract/tool.h"

namespace bridle {

struct BrowserSettings;

// browser_coverage: which of a page's scripts and styles go unused [tool.coverage].
std::vector<ToolSpec> coverage_tools(const BrowserSettings& settings);

}  // namespace bridle
