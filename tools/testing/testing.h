#pragma once

#include <vector>

#include "tools/contract/tool.h"

namespace bridle {

struct BrowserSettings;

// browser_verify, browser_generate_locator, browser_export_test.
std::vector<ToolSpec> testing_tools(const BrowserSettings& settings);
std::vector<ToolSpec> generating_tools(const BrowserSettings& settings);
// The names that another server has for its checks [tool.accepted-names]. After the tool itself.
void add_testing_aliases(Toolbox& toolbox);

}  // namespace bridle
