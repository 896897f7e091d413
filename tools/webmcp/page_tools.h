#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/concurrency/sync.h"
#include "tools/contract/catalogue.h"
#include "tools/scope/scope_tools.h"
#include "tools/webmcp/tab_tools.h"

namespace bridle {

// The set webmcp [tool.webmcp]: what pages register (document.modelContext) as tools of the client that has them open.
// A page's words and schema are its own and are trusted in nothing.
class PageTools : public ScopeTools {
 public:
  // The catalogue's listeners are told when a client's tools change; it outlives the browser.
  void tell(const Catalogue& catalogue) { catalogue_ = &catalogue; }

  void watch(const CallContext& ctx, BrowserScope& scope, const std::shared_ptr<Tab>& tab) override;
  std::vector<std::shared_ptr<const ToolSpec>> tools_of(const BrowserScope& scope) const override;

 private:
  std::shared_ptr<TabTools> find(const std::string& tab_id) const;

  const Catalogue* catalogue_ = nullptr;  // set before the first call
  mutable Mutex mutex_;
  std::map<std::string, std::shared_ptr<TabTools>> tabs_ GUARDED_BY(mutex_);
};

}  // namespace bridle
