#pragma once

#include <vector>

#include "tools/scope/browser_scope.h"

namespace bridle {

std::vector<ToolSpec> video_tools(const BrowserSettings& settings);  // browser_video
void add_video_aliases(Toolbox& toolbox);
// Begins a video of the call's tab, the first time that there is a call on it [tool.save-video]. The result tells of
// it, and why there is none. Throws Aborted, and what Tab::call throws.
void film_tab(PageCall& call);

}  // namespace bridle
