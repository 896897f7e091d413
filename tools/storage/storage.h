#pragma once

#include <vector>

#include "tools/contract/tool.h"

namespace bridle {

struct BrowserSettings;

// browser_cookies, browser_storage, browser_storage_state.
std::vector<ToolSpec> storage_tools(const BrowserSettings& settings);
std::vector<ToolSpec> storage_state_tools(const BrowserSettings& settings);
// The names that another server has for their actions [tool.accepted-names]. After the tools themselves.
void add_storage_aliases(Toolbox& toolbox);

}  // namespace bridle
