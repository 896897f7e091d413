#pragma once

#include <vector>

#include "tools/contract/tool.h"

namespace bridle {

struct BrowserSettings;
struct NavigationOptions;
struct NavigationResult;
class PageCall;

// browser_navigate, browser_navigate_back, browser_navigate_forward, browser_reload. `settings` outlive the tools.
std::vector<ToolSpec> navigation_tools(const BrowserSettings& settings);

// Tells of the page that a navigation has come to, and what it shows, as browser_navigate does.
void tell_page(PageCall& call, const NavigationResult& page, const NavigationOptions& options);

}  // namespace bridle
