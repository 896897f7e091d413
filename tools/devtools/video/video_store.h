#pragma once

#include <map>
#include <memory>
#include <string>

#include "base/concurrency/sync.h"
#include "tools/devtools/video/recording.h"

namespace bridle {

// The videos that are being made, one a tab. Any thread.
class VideoStore {
 public:
  ~VideoStore() { close(); }
  // Call after the browser's end: waits a moment for the files of those that it has ended, and discards the others.
  void close();

  // Makes room for one more, of a tab that has none. Throws ToolError.
  void check_room(const std::string& tab_id);
  void add(const std::string& tab_id, std::shared_ptr<VideoRecording> recording);
  std::shared_ptr<VideoRecording> find(const std::string& tab_id) const;  // nullptr: none
  void remove(const std::string& tab_id);

 private:
  mutable Mutex mutex_;
  std::map<std::string, std::shared_ptr<VideoRecording>> recordings_ GUARDED_BY(mutex_);
};

}  // namespace bridle
