#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/concurrency/deadline.h"
#include "base/concurrency/sync.h"
#include "base/fd.h"

namespace bridle {

// Tells of the files that appear in some folders, by inotify. One thread waits; any thread may call the rest, which
// never blocks.
class FolderWatch {
 public:
  // Throws ToolError when the system has no inotify to give.
  FolderWatch();

  // Throws ToolError when the folder can't be watched. A folder that is removed leaves by itself.
  void add(const std::string& folder);
  // Ends a wait(), the one under way or else the next.
  void wake();

  struct Appeared {
    std::string folder{};  // as add() was given it
    std::string name{};
  };
  // Waits until files appeared, wake() was called, or `until` has come.
  std::vector<Appeared> wait(std::optional<Clock::time_point> until);

 private:
  std::vector<Appeared> read_events();

  Fd events_;
  Fd wake_;
  Mutex mutex_;
  std::map<int, std::string> folders_ GUARDED_BY(mutex_);  // by watch
};

}  // namespace bridle
