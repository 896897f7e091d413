#pragma once

#include "tools/contract/tool.h"

namespace bridle {

struct BrowserSettings;

// Adds browser_batch, which calls the other tools of `toolbox`. Both are kept by reference.
void add_batch_tool(Toolbox& toolbox, const BrowserSettings& settings);

}  // namespace bridle
