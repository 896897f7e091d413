#pragma once

#include <vector>

#include "tools/contract/tool.h"
#include "tools/scope/browser_scope.h"

namespace bridle {

// The set network: whether the pages have a network at all (browser_network_state_set).
std::vector<ToolSpec> network_state_tools(const BrowserSettings& settings);

}  // namespace bridle
