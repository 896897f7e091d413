#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/concurrency/sync.h"
#include "base/fd.h"
#include "base/limits.h"

namespace bridle {

// How much bridle keeps for its callers, in bytes [tool.files.limits]. 0: nothing.
struct OutputLimits {
  std::uintmax_t download = limits::kDownload;      // one download (--max-download)
  std::uintmax_t session = limits::kSessionOutput;  // one session's folder (--output-max-session)
  std::uintmax_t whole = limits::kOutput;           // all of the output folder (--output-max-size)
};

// The only folder that files are written to (--output-dir), and what is shared besides (--allowed-upload-dirs). Each
// session has a folder of its own in it, a SessionFiles; nothing but those is put here. Nothing is created before the
// first write. Any thread; its members never change.
class OutputFolder {
 public:
  // `folder` "": the default, ${XDG_CACHE_HOME:-~/.cache}/bridle/output. Relative folders count from the process's
  // working directory as it is now.
  explicit OutputFolder(const std::string& folder = {}, const std::vector<std::string>& upload_folders = {},
                        OutputLimits limits = {});

  // As it was given, absolute; it need not exist yet.
  const std::filesystem::path& path() const { return folder_; }
  // The folder itself, absolute, its symlinks resolved; created with mode 0700 when it isn't there. Throws ToolError.
  std::filesystem::path ensure() const;
  // --allowed-upload-dirs, absolute.
  const std::vector<std::filesystem::path>& upload_folders() const { return upload_folders_; }
  const OutputLimits& limits() const { return limits_; }
  // Removes files of sessions that have ended, those of the oldest session first, until `bytes` more fit within
  // limits().whole, if they can [tool.files.oldest]. Nothing of a living session is touched, of another bridle's
  // neither: it holds a lock on its folder.
  void make_room(std::uintmax_t bytes) const EXCLUDES(mutex_);
  // The bytes of all files in it, but for downloads that are still under way. Walks the folder.
  std::uintmax_t used() const;

 private:
  const std::filesystem::path folder_;
  const std::vector<std::filesystem::path> upload_folders_;
  const OutputLimits limits_;
  mutable Mutex mutex_;  // one removes at a time
};

// A hold on a session's folder, for as long as the session lives; nobody then removes what is in it. Empty when the
// folder isn't there (any more).
Fd hold_session_folder(const std::filesystem::path& folder);

// The folders that downloads arrive in lie in the output folder; this begins their names, then comes the pid of the
// bridle that they belong to.
inline constexpr const char* kStagingPrefix = ".bridle-downloads-";

}  // namespace bridle
