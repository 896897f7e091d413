#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/concurrency/sync.h"
#include "tools/contract/tool.h"
#include "tools/files/session_files.h"

namespace bridle {

// A session's calls with their results, as Markdown in its folder (--save-session), the pictures that it was sent, and
// what its pages wrote to their consoles [tool.save-session]. What can't be written is logged, and the call goes on.
// Any thread.
class SessionRecord {
 public:
  explicit SessionRecord(std::shared_ptr<SessionFiles> files) : files_(std::move(files)) {}
  // Tells in the result where its pictures are kept.
  void add(const std::string& tool, const Json& arguments, ToolResult& result) EXCLUDES(mutex_);

  struct ConsoleLine {
    int index = 0;  // rises from line to line of a tab
    std::string document{};
    std::string text{};
  };
  // Keeps those of a tab that it hasn't yet, each document's in a file of its own.
  void add_console(const std::string& tab, const std::vector<ConsoleLine>& lines) EXCLUDES(mutex_);

 private:
  struct Console {
    int last = 0;  // the index of the newest line that is kept
    std::string document{};
    std::filesystem::path file{};
  };
  const std::shared_ptr<SessionFiles> files_;
  Mutex mutex_;
  std::filesystem::path file_ GUARDED_BY(mutex_);               // empty: not begun
  std::map<std::string, Console> consoles_ GUARDED_BY(mutex_);  // by tab
};

// What --image-responses makes of a result: `omit` takes its pictures away and says so, `only` leaves nothing beside
// them.
void shape_pictures(ToolResult& result, const std::string& mode);

}  // namespace bridle
