#pragma once

#include <vector>

#include "tools/contract/tool.h"

namespace bridle {

struct BrowserSettings;

// The set `config`: what bridle was started with, for who looks for the cause of what it does [tool.config].
std::vector<ToolSpec> config_tools(const BrowserSettings& settings);

}  // namespace bridle
