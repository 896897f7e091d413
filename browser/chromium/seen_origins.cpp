#include "browser/chromium/seen_origins.h"

#include <set>
#include <utility>

#include "base/limits.h"

namespace bridle {

SeenOrigins::Seen* SeenOrigins::entry(const std::string& context_id, const std::string& origin) {
  auto& seen = by_context_[context_id];
  if (seen.size() < limits::kSeenOrigins || seen.contains(origin)) return &seen[origin];
  overflowed_ = true;
  return nullptr;
}

void SeenOrigins::add(const std::string& context_id, const std::string& origin) {
  MutexLock lock(mutex_);
  if (auto* seen = entry(context_id, origin)) *seen = {.touched = true};
}

void SeenOrigins::begin_restoring(const std::string& context_id, const std::string& origin) {
  MutexLock lock(mutex_);
  if (auto* seen = entry(context_id, origin)) seen->stored = nullptr;
}

void SeenOrigins::end_restoring(const std::string& context_id, const std::string& origin,
                                std::shared_ptr<const Json> stored) {
  MutexLock lock(mutex_);
  if (auto* seen = entry(context_id, origin); seen != nullptr && !seen->touched) seen->stored = std::move(stored);
}

void SeenOrigins::touch_all(const std::string& context_id) {
  MutexLock lock(mutex_);
  const auto seen = by_context_.find(context_id);
  if (seen == by_context_.end()) return;
  for (auto& [origin, known] : seen->second) known = {.touched = true};
}

std::shared_ptr<const Json> SeenOrigins::stored(const std::string& context_id, const std::string& origin) const {
  MutexLock lock(mutex_);
  const auto seen = by_context_.find(context_id);
  if (seen == by_context_.end()) return nullptr;
  const auto found = seen->second.find(origin);
  return found == seen->second.end() ? nullptr : found->second.stored;
}

void SeenOrigins::forget(const std::string& context_id) {
  MutexLock lock(mutex_);
  by_context_.erase(context_id);
}

std::vector<std::string> SeenOrigins::of(const std::string& context_id) const {
  MutexLock lock(mutex_);
  std::vector<std::string> all;
  const auto found = by_context_.find(context_id);
  if (found == by_context_.end()) return all;
  for (const auto& [origin, known] : found->second) all.push_back(origin);
  return all;
}

std::vector<std::string> SeenOrigins::of_all() const {
  MutexLock lock(mutex_);
  std::set<std::string> all;
  for (const auto& [context, seen] : by_context_)
    for (const auto& [origin, known] : seen) all.insert(origin);
  return {all.begin(), all.end()};
}

bool SeenOrigins::overflowed() const {
  MutexLock lock(mutex_);
  return overflowed_;
}

}  // namespace bridle
