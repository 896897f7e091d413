#include "tools/files/downloads/download_grants.h"

#include <utility>

namespace bridle {
namespace {

constexpr std::size_t kGrantsKept = 64;  // beyond, those that are over are forgotten

}  // namespace

void DownloadGrants::put(const std::string& tab, std::shared_ptr<Grant> grant) {
  if (grants_.size() >= kGrantsKept) {
    const auto now = Clock::now();
    std::erase_if(grants_, [now](const auto& entry) { return entry.second->until <= now; });
  }
  grants_[tab] = std::move(grant);
}

void DownloadGrants::begin_action(const std::string& tab) {
  auto grant = std::make_shared<Grant>();
  const MutexLock lock(mutex_);
  newest_ = grant;
  put(tab, std::move(grant));
}

void DownloadGrants::end_action(const std::string& tab) {
  const MutexLock lock(mutex_);
  const auto it = grants_.find(tab);
  if (it != grants_.end() && !it->second->navigation) it->second->until = Clock::now() + limits::kDownloadGrace;
}

void DownloadGrants::begin_navigation(const std::string& tab, std::uint64_t commits) {
  auto grant = std::make_shared<Grant>();
  grant->left = 1;
  grant->navigation = true;
  grant->commits = commits;
  const MutexLock lock(mutex_);
  put(tab, std::move(grant));
}

void DownloadGrants::end_navigation(const std::string& tab, bool still_loading) {
  const MutexLock lock(mutex_);
  const auto it = grants_.find(tab);
  if (it == grants_.end() || !it->second->navigation) return;
  if (still_loading) {
    it->second->until = Clock::now() + limits::kDownloadGrace;
  } else {
    grants_.erase(it);
  }
}

void DownloadGrants::tab_opened(const std::string& tab) {
  const MutexLock lock(mutex_);
  if (newest_ && newest_->until > Clock::now()) put(tab, newest_);
}

// [why.downloads-begun-by-actions]
bool DownloadGrants::take(const std::string& tab, std::uint64_t commits) {
  const MutexLock lock(mutex_);
  const auto it = grants_.find(tab);
  if (it == grants_.end()) return false;
  auto& grant = *it->second;
  if (grant.left == 0 || grant.until <= Clock::now() || (grant.navigation && grant.commits != commits)) return false;
  --grant.left;
  return true;
}

}  // namespace bridle
