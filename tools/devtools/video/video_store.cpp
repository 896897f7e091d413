#include "tools/devtools/video/video_store.h"

#include <algorithm>
#include <utility>

#include "base/errors.h"
#include "base/limits.h"

namespace bridle {
namespace {

constexpr Millis kAtShutdown{2000};

}  // namespace

void VideoStore::close() {
  std::map<std::string, std::shared_ptr<VideoRecording>> all;
  {
    MutexLock lock(mutex_);
    all.swap(recordings_);
  }
  for (const auto& [tab, recording] : all) recording->end();
  const auto ctx = CallContext{}.within(kAtShutdown);
  for (const auto& [tab, recording] : all) recording->await(ctx);
}

void VideoStore::check_room(const std::string& tab_id) {
  std::map<std::string, std::shared_ptr<VideoRecording>> over;  // destroyed outside the lock
  MutexLock lock(mutex_);
  for (auto it = recordings_.begin(); it != recordings_.end();) {
    if (!it->second->has_ended()) {
      ++it;
      continue;
    }
    over.insert(recordings_.extract(it++));
  }
  if (recordings_.contains(tab_id))
    throw ToolError("A video of this tab is being made already: end it with action stop first.");
  if (recordings_.size() >= limits::kVideos)
    throw ToolError("Too many videos are being made at once. Wait until another one has ended.");
}

void VideoStore::add(const std::string& tab_id, std::shared_ptr<VideoRecording> recording) {
  MutexLock lock(mutex_);
  recordings_[tab_id] = std::move(recording);
}

std::shared_ptr<VideoRecording> VideoStore::find(const std::string& tab_id) const {
  MutexLock lock(mutex_);
  const auto found = recordings_.find(tab_id);
  return found == recordings_.end() ? nullptr : found->second;
}

void VideoStore::remove(const std::string& tab_id) {
  std::shared_ptr<VideoRecording> over;
  MutexLock lock(mutex_);
  const auto found = recordings_.find(tab_id);
  if (found == recordings_.end()) return;
  over = std::move(found->second);
  recordings_.erase(found);
}

}  // namespace bridle
