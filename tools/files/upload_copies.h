#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/concurrency/call_context.h"
#include "base/concurrency/sync.h"
#include "base/os_user.h"
#include "base/temp_folder.h"

namespace bridle {

// What the name of the folder with a session's copies begins with, in the temporary directory.
inline constexpr const char* kUploadsPrefix = "bridle-uploads-";

// Copies of files that a session uploads, for a browser that is another user and can't read them where they lie
// [security.root.files]. They stay until this object's end, as the page reads them when it likes. Any thread.
class UploadCopies {
 public:
  // The files, under the same names: themselves where `reader` can read all of them, else copies that nobody but
  // `reader` and root can read. Throws ToolError, Aborted, and leaves no copy then.
  std::vector<std::filesystem::path> readable(const CallContext& ctx, const std::vector<std::filesystem::path>& files,
                                              const OsUser& reader);

 private:
  std::filesystem::path make_folder(const OsUser& reader);

  Mutex mutex_;
  std::optional<TempFolder> folder_ GUARDED_BY(mutex_);  // made by the first copy
  std::uint64_t made_ GUARDED_BY(mutex_) = 0;
};

}  // namespace bridle
