#include "base/temp_folder.h"

#include <fcntl.h>
#include <spdlog/spdlog.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
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

}  // namespace

std::string temp_directory() {
  std::error_code ec;
  const auto dir = fs::absolute(fs::temp_directory_path(ec), ec);
  return ec ? "/tmp" : dir.string();
}

// The lock file gets its name when it is locked: one that the sweep of another bridle finds, and can lock, is never
// that of a folder that is just being made.
TempFolder::TempFolder(const std::string& prefix) {
  path_ = (fs::path(temp_directory()) / (prefix + std::to_string(::getpid()) + "-XXXXXX")).string();
  if (::mkdtemp(path_.data()) == nullptr)
    throw std::system_error(errno, std::generic_category(), "cannot make the folder " + path_);
  const std::string lock = path_ + "/" + kLockName;
  const std::string unlocked = lock + ".new";
  lock_.reset(::open(unlocked.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (lock_.get() >= 0 && ::flock(lock_.get(), LOCK_EX | LOCK_NB) == 0 && ::rename(unlocked.c_str(), lock.c_str()) == 0)
    return;
  const int error = errno;
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
