#pragma once

#include "tools/contract/tool.h"

namespace bridle {

struct BrowserSettings;
class Catalogue;

// Adds browser_toolset, with which a client turns a set of tools on for its session [tool.sets], and what a call to a
// tool of a set that is off, or to another server's tool that isn't served, is told. All of them outlive the toolbox's
// use.
void add_toolset_tool(Toolbox& toolbox, Catalogue& catalogue, const BrowserSettings& settings);

}  // namespace bridle
