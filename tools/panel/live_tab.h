#pragma once

#include "tools/contract/tool.h"

namespace bridle {

class DownloadStore;

// Lets the toolbox show tabs and downloads to a person at the control panel, and take their input [panel.view]
// [panel.input] [panel.downloads].
void add_live_tabs(Toolbox& toolbox, const std::shared_ptr<DownloadStore>& downloads);

}  // namespace bridle
