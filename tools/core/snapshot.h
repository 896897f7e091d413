#pragma once

#include <vector>

#include "tools/contract/tool.h"

namespace bridle {

struct BrowserSettings;

// What the page says, as text: browser_snapshot, browser_find.
std::vector<ToolSpec> snapshot_tools(const BrowserSettings& settings);

}  // namespace bridle
