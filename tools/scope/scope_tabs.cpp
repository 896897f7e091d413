#include <utility>

#include "base/text/log.h"
#include "base/text/secrets.h"
#include "tools/scope/browser_scope.h"

// Which tabs a scope takes: of a browser that somebody else started (--cdp-endpoint) [tool.attach], and in the place of
// one that its page has closed.
namespace bridle {
namespace {

std::string name_of(const ForeignTarget& target) { return "other-" + target.target_id.substr(0, 8); }

}  // namespace

std::vector<BrowserScope::ForeignTab> BrowserScope::foreign_tabs(const CallContext& ctx) {
  std::vector<ForeignTab> found;
  if (host_->options().cdp_endpoint.empty() || is_isolated()) return found;
  for (auto& other : ensure_context(ctx).browser->foreign_tabs(ctx)) {
    found.push_back({name_of(other), std::move(other.title), std::move(other.url)});
  }
  return found;
}

std::shared_ptr<Tab> BrowserScope::attach_foreign(const CallContext& ctx, const std::string& id) {
  if (!id.starts_with("other-") || host_->options().cdp_endpoint.empty()) return nullptr;
  const auto [browser, context] = ensure_context(ctx);
  for (const auto& other : browser->foreign_tabs(ctx)) {
    if (name_of(other) != id) continue;
    settings_.policy.check(other.url);
    auto tab = browser->attach_tab(ctx, *context, other.target_id);
    MutexLock lock(mutex_);
    tabs_.mark_told(tab->id());
    return tab;
  }
  return nullptr;
}

std::shared_ptr<Tab> BrowserScope::take_front(const CallContext& ctx) {
  if (host_->options().cdp_endpoint.empty() || is_isolated()) return nullptr;
  {
    MutexLock lock(mutex_);
    if (std::exchange(offered_front_, true)) return nullptr;
  }
  const auto [browser, context] = ensure_context(ctx);
  const auto front = browser->front_tab(ctx);
  if (!front) return nullptr;
  std::shared_ptr<Tab> tab;
  try {
    settings_.policy.check(front->url);
    tab = browser->attach_tab(ctx, *context, front->target_id);
  } catch (const ToolError&) {
    return nullptr;  // no page that may be driven
  } catch (const CdpError&) {
    return nullptr;  // it has gone meanwhile
  }
  MutexLock lock(mutex_);
  front_id_ = tab->id();
  tabs_.mark_told(tab->id());
  tabs_.note(tab->id(), "the tab that is in front in the browser (" + loggable(shown_url(front->url), 300) +
                            ") is the current one now: " + tab->id() +
                            ". It is never closed; browser_tabs new opens one of your own");
  return tab;
}

bool BrowserScope::let_go(const CallContext& ctx, const std::shared_ptr<Tab>& tab) {
  std::shared_ptr<Browser> browser;
  {
    MutexLock lock(mutex_);
    if (tab->id() != front_id_) return false;
    browser = browser_;
  }
  if (!browser || !browser->alive()) return false;
  browser->let_go(ctx, *tab);
  MutexLock lock(mutex_);
  tabs_.remove(*tab);
  return true;
}

std::shared_ptr<Tab> BrowserScope::opener_of(const Tab& popup) const {
  MutexLock lock(mutex_);
  return tabs_.opener_of(popup);
}

std::shared_ptr<Tab> BrowserScope::take_place_of(const Tab& closed) {
  MutexLock lock(mutex_);
  return tabs_.take_place_of(closed);
}

}  // namespace bridle
