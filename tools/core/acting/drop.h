#pragma once

#include <vector>

#include "tools/contract/tool.h"

namespace bridle {

struct BrowserSettings;

std::vector<ToolSpec> drop_tools(const BrowserSettings& settings);

}  // namespace bridle
