#pragma once

#include <functional>

#include "tools/contract/arguments.h"
#include "tools/contract/response.h"
#include "tools/contract/tool.h"
#include "tools/scope/browser_scope.h"

namespace bridle {

// A tool that works on a whole browser context, whether it has tabs yet or not: `body` gets the caller's scope, or the
// isolated one that has the tab which the arguments name. What it throws becomes a result.
ToolResult in_network_scope(ToolContext& ctx, const Arguments& args,
                            const std::function<void(BrowserScope& scope, Response& response)>& body);

}  // namespace bridle
