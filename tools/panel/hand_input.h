#pragma once

#include <vector>

#include "base/text/json.h"
#include "browser/tab/tab.h"

namespace bridle {

// The commands that give a page the input of a person at the panel, in order [panel.input]. Throws ToolError on what is
// no such event. Pure.
std::vector<Tab::Command> input_commands(const Json& events);

}  // namespace bridle
