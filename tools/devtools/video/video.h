#pragma once

#include <vector>

#include "tools/scope/browser_scope.h"

namespace bridle {

std::vector<ToolSpec> video_tools(const BrowserSettings& settings);  // browser_video
void add_video_aliases(Toolbox& toolbox);

}  // namespace bridle
