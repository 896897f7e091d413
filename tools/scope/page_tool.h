#pragma once

#include <functional>
#include <string>

#include "tools/contract/arguments.h"
#include "tools/contract/tool.h"
#include "tools/scope/page_call.h"

namespace bridle {

using PageHandler = std::function<void(PageCall& call, const Arguments& args)>;
// The handler of a page tool around `body`: acquires the tab, turns what the browser layer throws into words for the
// reader, notes what a cancelled call had done.
ToolHandler page_tool(std::string name, PageToolOptions options, PageHandler body);
// Runs `body`, turning what the browser layer throws into a result. Aborted and unexpected exceptions pass through.
ToolResult with_browser_errors(const std::function<ToolResult()>& body);

}  // namespace bridle
