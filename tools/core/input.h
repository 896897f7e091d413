#pragma once

#include <vector>

#include "tools/contract/tool.h"

namespace bridle {

struct BrowserSettings;

// The mouse and the keyboard: browser_click, browser_hover, browser_drag, browser_press_key.
std::vector<ToolSpec> input_tools(const BrowserSettings& settings);

}  // namespace bridle
