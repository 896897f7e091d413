#pragma once

#include <functional>
#include <memory>

#include "tools/contract/catalogue.h"
#include "tools/contract/tool.h"

namespace bridle {

// Takes the caller's tab as a page tool does, and holds it for as long as the returned handle lives.
using TakeTab = std::function<std::shared_ptr<void>(ToolContext&)>;

// What another program than bridle itself changes about the served tools; bridle-testing is the only one.
struct Extension {
  bool browser_tools = true;  // false: the tools, resources and prompts of the browser are left out
  // Called once, before the server starts, with what the server will serve; both live until it has ended. May be empty.
  std::function<void(Toolbox&, Catalogue&, TakeTab)> add{};
};

// All of the program: parses the command line and the environment, wires browser, tools and server together, and runs
// the command until it has ended or a signal ends it. Returns the exit code. Call it once, from main, before any other
// thread has started.
int run_bridle(int argc, char** argv, const Extension& extension = {});

}  // namespace bridle
