#pragma once

#include <vector>

#include "tools/contract/tool.h"

namespace bridle {

struct BrowserSettings;

// Tabs and what belongs to a whole one: browser_tabs, browser_handle_dialog, browser_resize, browser_close. `settings`
// outlive the tools.
std::vector<ToolSpec> tab_tools(const BrowserSettings& settings);

}  // namespace bridle
