#pragma once

#include <vector>

#include "tools/contract/tool.h"
#include "tools/scope/browser_scope.h"

namespace bridle {

// The set network: what the pages request, recorded into a HAR file (browser_har).
std::vector<ToolSpec> har_tools(const BrowserSettings& settings);

}  // namespace bridle
