#pragma once

#include <vector>

#include "tools/contract/tool.h"

namespace bridle {

struct BrowserSettings;

// browser_mouse.
std::vector<ToolSpec> vision_tools(const BrowserSettings& settings);
// The names that another server has for its actions [tool.accepted-names]. After the tool itself.
void add_vision_aliases(Toolbox& toolbox);

}  // namespace bridle
