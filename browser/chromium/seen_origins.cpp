#include "browser/chromium/seen_origins.h"

#include "base/limits.h"

namespace bridle {

void SeenOrigins::add(const std::string& context_id, const std::string& origin) {
  MutexLock lock(mutex_);
  auto& seen = by_context_[context_id];
  if (seen.size() >= limits::kSeenOrigins && !seen.contains(origin)) {
    overflowed_ = true;
    return;
  }
  seen.insert(origin);
}

void SeenOrigins::forget(const std::string& context_id) {
  MutexLock lock(mutex_);
  by_context_.erase(context_id);
}

std::vector<std::string> SeenOrigins::of(const std::string& context_id) const {
  MutexLock lock(mutex_);
  const auto found = by_context_.find(context_id);
  if (found == by_context_.end()) return {};
  return {found->second.begin(), found->second.end()};
}

std::vector<std::string> SeenOrigins::of_all() const {
  MutexLock lock(mutex_);
  std::set<std::string> all;
  for (const auto& [context, seen] : by_context_) all.insert(seen.begin(), seen.end());
  return {all.begin(), all.end()};
}

bool SeenOrigins::overflowed() const {
  MutexLock lock(mutex_);
  return overflowed_;
}

}  // namespace bridle
