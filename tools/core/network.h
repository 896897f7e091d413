#pragma once

#include <vector>

#include "tools/contract/tool.h"

namespace bridle {

struct BrowserSettings;

// The log of the page's requests: browser_network_requests, browser_network_request.
std::vector<ToolSpec> network_tools(const BrowserSettings& settings);

}  // namespace bridle
