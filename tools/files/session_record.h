#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "base/concurrency/sync.h"
#include "tools/contract/tool.h"
#include "tools/files/session_files.h"

namespace bridle {

// A session's calls with their results, as Markdown in its folder (--save-session), and the pictures that it was sent
// [tool.save-session]. What can't be written is logged, and the call goes on. Any thread.
class SessionRecord {
 public:
  explicit SessionRecord(std::shared_ptr<SessionFiles> files) : files_(std::move(files)) {}
  void add(const std::string& tool, const Json& arguments, const ToolResult& result) EXCLUDES(mutex_);

 private:
  const std::shared_ptr<SessionFiles> files_;
  Mutex mutex_;
  std::filesystem::path file_ GUARDED_BY(mutex_);  // empty: not begun
};

// What --image-responses makes of a result: `omit` takes its pictures away and says so, `only` leaves nothing beside
// them.
void shape_pictures(ToolResult& result, const std::string& mode);

}  // namespace bridle
