// What all tabs of a browser emulate, and the permissions of its contexts: that part of Browser [tool.emulate].
#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "browser/chromium/browser.h"
#include "config/permissions.h"

namespace bridle {

void Browser::begin_emulation() {
  Emulation emulation;
  bool landscape = false;
  if (const auto* device = find_device(options_.device, &landscape))
    emulation.become(*device, landscape, major_version());
  if (options_.emulation) emulation.take(*options_.emulation);
  if (emulation == Emulation{}) return;
  emulation_ = std::make_shared<const Emulation>(std::move(emulation));
  tabs_.emulate(emulation_);
}

// A tab has left a process that its family may share.
void Browser::keep_clocks(const Tab& left) {
  for (const auto& other : tabs_.family_of(left)) {
    if (other.get() != &left) other->keep_clock();
  }
}

std::string Browser::major_version() const {
  const auto slash = version_.find('/');
  const auto begin = slash == std::string::npos ? 0 : slash + 1;
  return version_.substr(begin, version_.find('.', begin) - begin);
}

Browser::Permissions Browser::permissions(const std::string& context_id) const {
  MutexLock lock(mutex_);
  const auto found = permissions_.find(context_id);
  return found == permissions_.end() ? Permissions() : found->second;
}

std::shared_ptr<const BrowserContext> Browser::create_context(const CallContext& ctx, bool isolated) {
  auto context = make_context(ctx, isolated);
  if (!options_.permissions.empty()) {
    const auto command = permissions_command(*context, std::nullopt);
    connection_->post("", command.method, command.params);
  }
  return context;
}

// What a session has set in a profile that it shares doesn't outlive it.
void Browser::drop_permissions(const BrowserContext& context) {
  MutexLock lock(mutex_);
  const bool granted = permissions_.erase(context.id()) > 0;
  lock.unlock();
  if (!granted || context.named_by_events()) return;
  const auto command = permissions_command(context, std::nullopt);
  connection_->post("", command.method, command.params);
}

EmulationCommand Browser::permissions_command(const BrowserContext& context, const Permissions& permissions) const {
  const auto& names = permissions ? *permissions : options_.permissions;
  if (!permissions && names.empty()) return {"Browser.resetPermissions", context.address(Json::object())};
  std::set<std::string> chromium;
  for (const auto& name : names) {
    for (auto& one : chromium_permissions(name)) chromium.insert(std::move(one));
  }
  return {"Browser.grantPermissions", context.address({{"permissions", chromium}})};
}

EmulationCommand Browser::change_permissions(const std::string& context_id, const Permissions& permissions) {
  const auto contexts = tabs_.contexts();
  const auto context =
      std::find_if(contexts.begin(), contexts.end(), [&](const auto& one) { return one->id() == context_id; });
  if (context == contexts.end()) throw CdpClosed("Browser.grantPermissions: the tab's context is gone");
  MutexLock lock(mutex_);
  if (permissions) {
    permissions_[context_id] = *permissions;
  } else {
    permissions_.erase(context_id);
  }
  return permissions_command(**context, permissions);
}

void Browser::set_permissions(const CallContext& ctx, const std::string& context_id, const Permissions& permissions) {
  const auto command = change_permissions(context_id, permissions);
  connection_->call(ctx, "", command.method, command.params);
}

void Browser::post_permissions(const std::string& context_id, const Permissions& permissions) {
  const auto command = change_permissions(context_id, permissions);
  connection_->post("", command.method, command.params);
}

}  // namespace bridle
