#pragma once

#include <vector>

#include "tools/scope/browser_scope.h"

namespace bridle {

std::vector<ToolSpec> css_tools(const BrowserSettings& settings);  // browser_css

}  // namespace bridle
