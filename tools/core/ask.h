#pragma once

#include <vector>

#include "tools/contract/tool.h"

namespace bridle {

struct BrowserSettings;

// Questions to the person behind the client: ask_user.
std::vector<ToolSpec> ask_tools(const BrowserSettings& settings);

}  // namespace bridle
