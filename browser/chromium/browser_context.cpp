#include "browser/chromium/browser_context.h"

#include <atomic>

namespace bridle {
namespace {

std::atomic<long> next_part{1};

// No id of Chromium's contexts looks like this: those are 32 hex digits.
std::string name_of_part() { return "owner-" + std::to_string(next_part++); }

}  // namespace

Json OwnContext::address(Json params) const {
  params["browserContextId"] = id();
  return params;
}

void OwnContext::dispose(CdpConnection& connection, const std::vector<std::shared_ptr<Tab>>& /*tabs*/) const {
  connection.post("", "Target.disposeBrowserContext", {{"browserContextId", id()}});
}

SharedContext::SharedContext() : BrowserContext(name_of_part()) {}

void SharedContext::dispose(CdpConnection& /*connection*/, const std::vector<std::shared_ptr<Tab>>& tabs) const {
  for (const auto& tab : tabs) tab->close();
}

AttachedContext::AttachedContext() : BrowserContext(name_of_part()) {}

void AttachedContext::dispose(CdpConnection& connection, const std::vector<std::shared_ptr<Tab>>& tabs) const {
  for (const auto& tab : tabs) {
    if (tab->info().foreign) {
      connection.post("", "Target.detachFromTarget", {{"sessionId", tab->session().id()}});
    } else {
      tab->close();
    }
  }
}

}  // namespace bridle
