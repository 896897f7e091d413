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
  {
    MutexLock lock(mutex_);
    auto* seen = origin.empty() ? nullptr : entry(context_id, origin);
    if (seen != nullptr) *seen = {.touched = true, .mark = ++marks_};
  }
  tell(context_id);
}

void SeenOrigins::tell(const std::string& context_id) {
  MutexLock lock(watchers_mutex_);
  if (const auto found = watchers_.find(context_id); found != watchers_.end()) found->second();
}

void SeenOrigins::watch(const std::string& context_id, std::function<void()> touched) {
  MutexLock lock(watchers_mutex_);
  if (touched) {
    watchers_[context_id] = std::move(touched);
  } else {
    watchers_.erase(context_id);
  }
}

void SeenOrigins::begin_restoring(const std::string& context_id, const std::string& origin) {
  MutexLock lock(mutex_);
  auto* seen = entry(context_id, origin);
  if (seen == nullptr) return;
  seen->stored = nullptr;
  seen->put_off = false;
  seen->mark = ++marks_;
}

void SeenOrigins::end_restoring(const std::string& context_id, const std::string& origin,
                                std::shared_ptr<const Json> stored) {
  const auto bytes = dump(*stored).size();
  MutexLock lock(mutex_);
  auto* seen = entry(context_id, origin);
  if (seen == nullptr || seen->touched) return;
  seen->stored = std::move(stored);
  seen->bytes = bytes;
}

void SeenOrigins::touch_all(const std::string& context_id) {
  {
    MutexLock lock(mutex_);
    const auto seen = by_context_.find(context_id);
    if (seen == by_context_.end()) return;
    for (auto& [origin, known] : seen->second) known = {.touched = true, .mark = ++marks_};
  }
  tell(context_id);
}

std::vector<SeenOrigins::Unread> SeenOrigins::unread(const std::string& context_id) const {
  MutexLock lock(mutex_);
  std::vector<Unread> all;
  const auto seen = by_context_.find(context_id);
  if (seen == by_context_.end()) return all;
  for (const auto& [origin, known] : seen->second) {
    if (!known.stored && !known.put_off) all.push_back({origin, known.mark});
  }
  return all;
}

void SeenOrigins::end_reading(const std::string& context_id, const Unread& read, std::shared_ptr<const Json> stored) {
  const auto bytes = stored ? dump(*stored).size() : 0;
  MutexLock lock(mutex_);
  const auto seen = by_context_.find(context_id);
  if (seen == by_context_.end()) return;
  const auto found = seen->second.find(read.origin);
  if (found == seen->second.end() || found->second.mark != read.mark) return;
  std::size_t kept = bytes;
  for (const auto& [origin, known] : seen->second) kept += known.stored ? known.bytes : 0;
  found->second.put_off = true;
  if (kept > limits::kStorageKept) return;
  found->second.stored = std::move(stored);
  found->second.bytes = bytes;
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
