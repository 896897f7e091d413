#pragma once

#include <vector>

#include "tools/scope/browser_scope.h"

namespace bridle {

std::vector<ToolSpec> audit_tools(const BrowserSettings& settings);  // browser_audit

}  // namespace bridle
