// The routes of a scope: who hears of their changes.
#include "tools/scope/browser_scope.h"

namespace bridle {

std::shared_ptr<RouteTable> BrowserScope::make_routes() const {
  return settings_.timer != nullptr ? std::make_shared<RouteTable>(*settings_.timer) : nullptr;
}

const std::shared_ptr<RouteTable>& BrowserScope::routes() {
  if (routes_) {
    routes_->on_change([weak = weak_from_this()] {
      if (const auto self = weak.lock()) self->update_routes();
    });
  }
  return routes_;
}

// Any thread.
void BrowserScope::update_routes() {
  MutexLock lock(mutex_);
  const auto tabs = tabs_.all();
  const auto browser = browser_;
  lock.unlock();
  for (const auto& tab : tabs) tab->update_routes();
  if (browser) browser->update_worker_routes(*routes_);
}

// The browser reads its commands in order.
void BrowserScope::await_posted(const CallContext& ctx) const {
  MutexLock lock(mutex_);
  const auto browser = browser_;
  lock.unlock();
  if (browser && browser->alive()) browser->connection().call(ctx, "", "Browser.getVersion", Json::object());
}

}  // namespace bridle
