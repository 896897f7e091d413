#pragma once

#include <vector>

#include "tools/scope/browser_scope.h"

namespace bridle {

std::vector<ToolSpec> highlight_tools(const BrowserSettings& settings);  // browser_highlight
void add_highlight_aliases(Toolbox& toolbox);

}  // namespace bridle
