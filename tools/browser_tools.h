#pragma once

#include <memory>

#include "browser/chromium/hosts.h"
#include "tools/contract/catalogue.h"
#include "tools/contract/tool.h"
#include "tools/scope/browser_scope.h"

namespace bridle {

// The browser's side of the server: the host that starts Chromium on demand, and the tools of README.md's table
// [tool.list]. Outlives the Toolbox's use.
class BrowserTools {
 public:
  // `background` outlives it.
  BrowserTools(BrowserSettings settings, Background& background);
  ~BrowserTools();  // ends the browser

  // Adds the tools, and how a session opens its scope. The catalogue's listeners are told when a client turns a set of
  // tools on.
  void add_to(Toolbox& toolbox, Catalogue& catalogue);
  // Adds the files that pages downloaded. `catalogue` and the server behind it must outlive shutdown(), because they
  // are told of each file that arrives.
  void add_to(Catalogue& catalogue);
  // Acquires the caller's current tab as a page tool does and holds it for as long as the returned handle lives. For
  // test tools that misbehave. Throws what a page tool throws when it acquires its tab.
  std::shared_ptr<void> hold_tab(ToolContext& ctx);
  // Ends the browser and removes its profile; calls that still run fail with a labelled error. Idempotent.
  void shutdown();

 private:
  const BrowserSettings settings_;
  BrowserHosts hosts_;
};

}  // namespace bridle
