#pragma once

#include <vector>

#include "tools/contract/tool.h"

namespace bridle {

struct BrowserSettings;

// Fields and their values: browser_type, browser_fill_form, browser_select_option, browser_file_upload.
std::vector<ToolSpec> form_tools(const BrowserSettings& settings);

}  // namespace bridle
