#pragma once

#include <vector>

#include "tools/contract/tool.h"

namespace bridle {

struct BrowserSettings;

// browser_console_messages.
std::vector<ToolSpec> console_tools(const BrowserSettings& settings);

}  // namespace bridle
