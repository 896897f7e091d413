#include "browser/chromium/download_router.h"

#include <algorithm>
#include <utility>

namespace bridle {

void DownloadRouter::keep(const CallContext& ctx, const BrowserContext& context, const std::string& folder) {
  connection_.call(ctx, "", "Browser.setDownloadBehavior",
                   context.address({{"behavior", "allowAndName"}, {"downloadPath", folder}, {"eventsEnabled", true}}));
}

void DownloadRouter::listen(std::shared_ptr<const BrowserContext> context, Listener listener) {
  const auto id = context->id();
  auto member = std::make_shared<const Member>(Member{std::move(context), std::move(listener)});
  MutexLock lock(mutex_);
  members_[id] = std::move(member);
}

void DownloadRouter::unlisten(const std::string& context_id) {
  MutexLock lock(mutex_);
  members_.erase(context_id);
}

void DownloadRouter::close() {
  MutexLock lock(mutex_);
  members_.clear();
}

void DownloadRouter::cancel(const std::string& guid) {
  std::shared_ptr<const Member> member;
  {
    MutexLock lock(mutex_);
    const auto owner = running_.find(guid);
    if (owner == running_.end()) return;
    if (const auto it = members_.find(owner->second); it != members_.end()) member = it->second;
  }
  if (member) connection_.post("", "Browser.cancelDownload", member->context->address({{"guid", guid}}));
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
    MutexLock lock(mutex_);
    if (tab) running_[guid] = tab->info().context_id;
    const auto owner = running_.find(guid);
    if (owner == running_.end()) return;
    if (const auto it = members_.find(owner->second); it != members_.end()) member = it->second;
    if (!begins && params.value("state", "") != "inProgress") running_.erase(owner);
  }
  if (member) member->listener(tab ? tab->id() : std::string(), method, params);
}

}  // namespace bridle
