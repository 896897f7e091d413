#pragma once

#include <vector>

#include "tools/contract/tool.h"

namespace bridle {

struct BrowserSettings;

// browser_evaluate.
std::vector<ToolSpec> script_tools(const BrowserSettings& settings);

}  // namespace bridle
