// What a scope's context has from its start, and who hears of its changes.
#include <utility>

#include "browser/storage/left_origins.h"
#include "tools/scope/browser_scope.h"

namespace bridle {

std::shared_ptr<RouteTable> BrowserScope::make_routes() const {
  return settings_.background != nullptr ? std::make_shared<RouteTable>(settings_.background->timer) : nullptr;
}

// [tool.storage-state.option]
void BrowserScope::begin_with_state(const CallContext& ctx, Browser& browser, const BrowserContext& context) {
  if (!settings_.storage_state || is_isolated()) return;
  std::vector<std::string> refused;
  try {
    refused = load_storage_state(ctx, browser, context, *settings_.storage_state, [](const std::string&) {});
  } catch (const StorageStateError& error) {
    throw LaunchError("The session can't begin with --storage-state: " + std::string(error.what()) + ".");
  }
  MutexLock lock(mutex_);
  for (const auto& words : refused) restart_notes_.push_back("of --storage-state the browser did not take " + words);
}

// [tool.storage-state] Only who may save what origins have stored has it read when they are left.
std::unique_ptr<LeftOrigins> BrowserScope::watch_origins(const std::shared_ptr<Browser>& browser,
                                                         const std::shared_ptr<const BrowserContext>& context) const {
  if (settings_.background == nullptr || is_isolated() || !context->named_by_events() || !has_set("storage"))
    return nullptr;
  return std::make_unique<LeftOrigins>(*settings_.background, browser, context);
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
