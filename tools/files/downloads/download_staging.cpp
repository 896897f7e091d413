#include "tools/files/downloads/download_staging.h"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <utility>
#include <vector>

#include "base/errors.h"
#include "tools/files/file_system.h"

namespace fs = std::filesystem;

namespace bridle {
namespace {

// Removes what killed bridles left behind.
void sweep(const fs::path& output) {
  std::error_code ec;
  for (const auto& entry : fs::directory_iterator(output, ec)) {
    const auto name = entry.path().filename().string();
    if (!name.starts_with(kStagingPrefix)) continue;
    const int pid = std::atoi(name.c_str() + std::strlen(kStagingPrefix));
    if (pid > 0 && ::kill(pid, 0) != 0 && errno == ESRCH) fs::remove_all(entry.path(), ec);
  }
}

fs::path make_staging(const OutputFolder& output) {
  const auto folder = output.ensure();
  sweep(folder);
  std::string pattern = (folder / (kStagingPrefix + std::to_string(::getpid()) + "-XXXXXX")).string();
  if (::mkdtemp(pattern.data()) == nullptr)
    throw ToolError("Downloads can't be kept in " + folder.string() + ": " + file_error(errno) + ".");
  return pattern;
}

}  // namespace

struct DownloadStaging::Left {
  FolderWatch watch{};
  Mutex mutex{};
  std::vector<std::string> folders GUARDED_BY(mutex){};
};

DownloadStaging::DownloadStaging(const OutputFolder& output)
    : folder_(make_staging(output)), left_(std::make_shared<Left>()) {}

DownloadStaging::~DownloadStaging() {
  std::error_code ec;
  fs::remove_all(folder_, ec);
}

// Others may pass through a folder of ours to reach their own, but not look around in it.
fs::path DownloadStaging::base_for(const OsUser& writer) {
  const auto pass = [](const fs::path& folder) {
    if (::chmod(folder.c_str(), 0711) != 0) throw ToolError(folder.string() + ": " + file_error(errno));
  };
  if (outside_) return outside_->path();
  make_folders(folder_);
  pass(folder_);
  if (try_as(writer, {{folder_.string(), X_OK}}, false).obstacle == Obstacle::none) return folder_;
  try {
    outside_.emplace(kDownloadsPrefix);
  } catch (const std::system_error& error) {
    throw ToolError(std::string("Downloads can't be kept: ") + error.what() + ".");
  }
  pass(outside_->path());
  return outside_->path();
}

DownloadStaging::Place DownloadStaging::open(bool shared, const std::optional<OsUser>& writer) {
  std::string folder;
  {
    const MutexLock lock(mutex_);
    const auto base = writer ? base_for(*writer) : folder_;
    const auto suffix = writer ? "-" + std::to_string(writer->uid) : std::string();
    folder = (base / ((shared ? "shared" : std::to_string(++opened_)) + suffix)).string();
  }
  make_folders(folder);  // the hidden folder too, if somebody has removed it
  if (writer) {
    if (const int error = give_to(folder, *writer); error != 0)
      throw ToolError("Downloads can't be kept in " + folder + ": " + file_error(error) + ".");
  }
  left_->watch.add(folder);
  if (shared) return {.folder = std::move(folder), .writer = writer};
  // Of something, so that a lease can be told from none.
  std::shared_ptr<void> lease(left_.get(), [left = left_, folder](void*) {
    {
      const MutexLock lock(left->mutex);
      left->folders.push_back(folder);
    }
    left->watch.wake();
  });
  return {.folder = std::move(folder), .lease = std::move(lease), .writer = writer};
}

void DownloadStaging::remove_left() {
  std::vector<std::string> folders;
  {
    const MutexLock lock(left_->mutex);
    folders.swap(left_->folders);
  }
  std::error_code ec;
  for (const auto& folder : folders) fs::remove_all(folder, ec);
}

FolderWatch& DownloadStaging::watch() { return left_->watch; }

}  // namespace bridle
