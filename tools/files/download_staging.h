#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "base/sync.h"
#include "tools/files/folder_watch.h"
#include "tools/files/output_folder.h"

namespace bridle {

// The hidden folder of this process in the output folder, with a folder for each browser context to write downloads
// into, all of them watched. Any thread.
class DownloadStaging {
 public:
  // Makes the hidden folder, and removes those that killed bridles left. Throws ToolError.
  explicit DownloadStaging(const OutputFolder& output);
  ~DownloadStaging();  // removes it with all that is in it
  DownloadStaging(const DownloadStaging&) = delete;
  DownloadStaging& operator=(const DownloadStaging&) = delete;

  // A folder for one context. It may be removed when the lease has gone. `shared`: one folder for all who ask for it,
  // without a lease. Throws ToolError.
  struct Place {
    std::string folder{};
    std::shared_ptr<void> lease{};
  };
  Place open(bool shared);
  // Removes the folders whose lease has gone, which also ends a wait of the watch.
  void remove_left();
  FolderWatch& watch();

 private:
  struct Left;

  const std::filesystem::path folder_;
  const std::shared_ptr<Left> left_;  // shared with the leases
  Mutex mutex_;
  std::uint64_t opened_ GUARDED_BY(mutex_) = 0;
};

}  // namespace bridle
