#include "base/temp_folder.h"

#include <fcntl.h>
#include <spdlog/spdlog.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace bridle {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLockName = "bridle.lock";

// Chromium's last children may still write while we remove: try until nothing is left.
void remove_tree(const std::string& path) {
  std::error_code ec;
  for (int round = 0; round < 50; ++round) {
    fs::remove_all(path, ec);
    if (!fs::exists(path, ec)) return;
  }
  spdlog::warn("the folder {} could not be removed: {}", path, ec.message());
}

// Each one that is lost to a sweep costs a new one, and a bridle sweeps once, when it starts.
constexpr int kAttempts = 20;

// Whether the file of this descriptor still has a name.
bool has_name(int fd) {
  struct stat status;
  return ::fstat(fd, &status) == 0 && status.st_nlink > 0;
}

}  // namespace

std::string temp_directory() {
  std::error_code ec;
  const auto dir = fs::absolute(fs::temp_directory_path(ec), ec);
  return ec ? "/tmp" : dir.string();
}

// Between the making of the lock file and its locking, the sweep of a bridle that starts at the same time may lock it
// and take the folder for one that a killed bridle left. That folder is the sweep's then, and another one is made.
TempFolder::TempFolder(const std::string& prefix) {
  const std::string pattern = (fs::path(temp_directory()) / (prefix + std::to_string(::getpid()) + "-XXXXXX")).string();
  int error = ENOENT;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    path_ = pattern;
    if (::mkdtemp(path_.data()) == nullptr)
      throw std::system_error(errno, std::generic_category(), "cannot make the folder " + pattern);
    lock_.reset(::open((path_ + "/" + kLockName).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    if (lock_.get() < 0) {
      error = errno;
      break;
    }
    if (::flock(lock_.get(), LOCK_EX | LOCK_NB) == 0) {
      if (has_name(lock_.get())) return;
    } else if (error = errno; error != EWOULDBLOCK) {
      break;
    }
  }
  remove_tree(path_);
  throw std::system_error(error, std::generic_category(), "cannot lock the folder " + path_);
}

TempFolder::~TempFolder() { remove_tree(path_); }

int TempFolder::sweep(const std::string& prefix, const std::function<void(const std::string& folder)>& before) {
  int removed = 0;
  std::error_code ec;
  for (const auto& entry : fs::directory_iterator(temp_directory(), ec)) {
    const auto name = entry.path().filename().string();
    if (!name.starts_with(prefix)) continue;
    // An unlocked folder without a lock file belongs to a bridle that is just making it, or died doing so. The folder
    // may be another user's, who can put anything there: O_NONBLOCK, so that nothing is waited for.
    const std::string lock_path = (entry.path() / kLockName).string();
    const Fd lock(::open(lock_path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    if (lock.get() < 0 || ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) continue;
    if (before) before(entry.path().string());
    remove_tree(entry.path().string());
    ++removed;
  }
  return removed;
}

}  // namespace bridle
