#pragma once

#include <vector>

#include "tools/contract/tool.h"

namespace bridle {

struct BrowserSettings;
class BrowserScope;
class SessionRecord;

// browser_console_messages.
std::vector<ToolSpec> console_tools(const BrowserSettings& settings);

// Keeps in the record what the session's pages have written since it was called last, of the level of
// --console-level and above [tool.save-session].
void record_console(const BrowserScope& scope, const BrowserSettings& settings, SessionRecord& record);

}  // namespace bridle
