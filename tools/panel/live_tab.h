#pragma once

#include "tools/contract/tool.h"

namespace bridle {

// Lets the toolbox show tabs to a person at the control panel, and take their input [panel.view] [panel.input].
void add_live_tabs(Toolbox& toolbox);

}  // namespace bridle
