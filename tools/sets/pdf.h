#pragma once

#include <vector>

#include "tools/contract/tool.h"

namespace bridle {

struct BrowserSettings;

// browser_pdf_save.
std::vector<ToolSpec> pdf_tools(const BrowserSettings& settings);

}  // namespace bridle
