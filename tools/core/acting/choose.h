#pragma once

#include <string>
#include <vector>

#include "tools/scope/page_call.h"

namespace bridle {

// Chooses, by trusted clicks, in a combobox or listbox that a page has made of other elements, so that the options of
// these values or labels are chosen and no others [tool.select.made]; after begin_action. What was done, in words.
// Throws ToolError with why not, with the list that it opened closed again; Aborted, DialogOpened, TabGone.
std::string choose(PageCall& call, const ReadyElement& element, const std::vector<std::string>& values);

}  // namespace bridle
