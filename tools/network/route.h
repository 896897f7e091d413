#pragma once

#include <vector>

#include "tools/contract/tool.h"
#include "tools/scope/browser_scope.h"

namespace bridle {

// The set network: what is answered of the pages' requests, or changed (browser_route).
std::vector<ToolSpec> route_tools(const BrowserSettings& settings);
// The names that @playwright/mcp has for it.
void add_route_aliases(Toolbox& toolbox);

}  // namespace bridle
