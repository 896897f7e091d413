#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "base/concurrency/sync.h"
#include "base/os_user.h"
#include "base/temp_folder.h"
#include "tools/files/downloads/folder_watch.h"
#include "tools/files/output_folder.h"

namespace bridle {

// Where downloads arrive that lie outside of the output folder; this begins the name, in the temporary directory.
inline constexpr const char* kDownloadsPrefix = "bridle-downloads-";

// The hidden folder of this process in the output folder, with a folder for each browser context to write downloads
// into, all of them watched. A browser that is another user and can't reach the output folder has its folders in the
// temporary directory [security.root.files]. Any thread.
class DownloadStaging {
 public:
  // Makes the hidden folder, and removes those that killed bridles left. Throws ToolError.
  explicit DownloadStaging(const OutputFolder& output);
  ~DownloadStaging();  // removes it with all that is in it
  DownloadStaging(const DownloadStaging&) = delete;
  DownloadStaging& operator=(const DownloadStaging&) = delete;

  // A folder for one context. It may be removed when the lease has gone. `shared`: one folder for all who ask for it,
  // without a lease. `writer`: the user that the browser is, if it isn't ours; the folder is that one's. Throws
  // ToolError.
  struct Place {
    std::string folder{};
    std::shared_ptr<void> lease{};
    std::optional<OsUser> writer{};
  };
  Place open(bool shared, const std::optional<OsUser>& writer = std::nullopt);
  // Removes the folders whose lease has gone, which also ends a wait of the watch.
  void remove_left();
  FolderWatch& watch();

 private:
  struct Left;
  std::filesystem::path base_for(const OsUser& writer) REQUIRES(mutex_);

  const std::filesystem::path folder_;
  const std::shared_ptr<Left> left_;  // shared with the leases
  Mutex mutex_;
  std::uint64_t opened_ GUARDED_BY(mutex_) = 0;
  std::optional<TempFolder> outside_ GUARDED_BY(mutex_);  // made for the first writer that can't reach folder_
};

}  // namespace bridle
