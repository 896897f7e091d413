#include "browser/chromium/download_router.h"

#include <algorithm>
#include <utility>

namespace bridle {

void DownloadRouter::keep(const CallContext& ctx, const BrowserContext& context, const std::string& folder) {
  Json behavior{{"behavior", folder.empty() ? "deny" : "allowAndName"}, {"eventsEnabled", true}};
  if (!folder.empty()) behavior["downloadPath"] = folder;
  connection_->call(ctx, "", "Browser.setDownloadBehavior", context.address(std::move(behavior)));
}

void DownloadRouter::listen(std::shared_ptr<const BrowserContext> context, Listener listener) {
  const auto id = context->id();
  auto member = std::make_shared<const Member>(Member{std::move(context), std::move(listener)});
  MutexLock lock(mutex_);
  members_[id] = std::move(member);
}

void DownloadRouter::unlisten(const std::string& context_id) {
  std::shared_ptr<const Member> member;
  std::vector<std::string> running;
  {
    const MutexLock lock(mutex_);
    const auto it = members_.find(context_id);
    if (it == members_.end()) return;
    member = std::move(it->second);
    members_.erase(it);
    for (const auto& [guid, owner] : running_) {
      if (owner == member) running.push_back(guid);
    }
  }
  for (const auto& guid : running) canceller(member->context)(guid);
}

void DownloadRouter::close() {
  decltype(members_) members;  // destroyed outside the lock
  decltype(running_) running;
  const MutexLock lock(mutex_);
  members.swap(members_);
  running.swap(running_);
}

void DownloadRouter::cancel(const std::string& guid) {
  std::shared_ptr<const Member> member;
  {
    const MutexLock lock(mutex_);
    const auto owner = running_.find(guid);
    if (owner == running_.end()) return;
    member = owner->second;
  }
  canceller(member->context)(guid);
}

std::function<void(const std::string&)> DownloadRouter::canceller(std::shared_ptr<const BrowserContext> context) const {
  return [connection = connection_, context = std::move(context)](const std::string& guid) {
    connection->post("", "Browser.cancelDownload", context->address({{"guid", guid}}));
  };
}

// A link to a new tab that turns out to be a download leaves no tab: what opened it is told instead.
std::shared_ptr<Tab> DownloadRouter::tab_that_began(const std::string& frame_id) const {
  for (const auto& tab : tabs_.all()) {
    if (!tab->has_frame(frame_id)) continue;
    const auto& opener = tab->info().opener_id;
    const auto opened_by = tab->state().url.empty() && !opener.empty() ? tabs_.find(opener) : nullptr;
    return opened_by ? opened_by : tab;
  }
  return nullptr;
}

void DownloadRouter::on_event(std::string_view method, const Json& params) {
  const auto guid = params.value("guid", "");
  const bool begins = method == "Browser.downloadWillBegin";
  const auto tab = begins ? tab_that_began(params.value("frameId", "")) : nullptr;
  std::shared_ptr<const Member> member;
  {
    const MutexLock lock(mutex_);
    if (tab) {
      const auto owner = members_.find(tab->info().context_id);
      if (owner != members_.end()) running_[guid] = owner->second;
    }
    const auto running = running_.find(guid);
    if (running == running_.end()) return;
    member = running->second;
    if (!begins && params.value("state", "") != "inProgress") running_.erase(running);
  }
  member->listener(tab ? tab->id() : std::string(), method, params);
}

}  // namespace bridle
