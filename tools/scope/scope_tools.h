#pragma once

#include <memory>
#include <vector>

#include "base/concurrency/call_context.h"
#include "browser/tab/tab.h"
#include "tools/contract/tool.h"

namespace bridle {

class BrowserScope;

// Tools that come and go with the pages that a client has open: see tools/webmcp. Any thread.
class ScopeTools {
 public:
  virtual ~ScopeTools() = default;
  // A call works on the tab: from now on its page's tools count. Throws Aborted and what Tab::call throws.
  virtual void watch(const CallContext& ctx, BrowserScope& scope, const std::shared_ptr<Tab>& tab) = 0;
  // Never waits.
  virtual std::vector<std::shared_ptr<const ToolSpec>> tools_of(const BrowserScope& scope) const = 0;
};

}  // namespace bridle
