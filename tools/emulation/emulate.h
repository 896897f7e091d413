#pragma once

#include <vector>

#include "tools/contract/tool.h"

namespace bridle {

struct BrowserSettings;

// browser_emulate [tool.emulate]. What its arguments mean is in emulation_arguments.h, what it says in
// emulation_words.h; what the browser is told is in browser/emulation.
std::vector<ToolSpec> emulation_tools(const BrowserSettings& settings);
// The name of @playwright/mcp.
void add_emulation_aliases(Toolbox& toolbox);

}  // namespace bridle
