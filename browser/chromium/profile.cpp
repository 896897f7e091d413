#include "browser/chromium/profile.h"

#include <fcntl.h>
#include <spdlog/spdlog.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "browser/cdp/launch_error.h"

namespace bridle {
namespace {

namespace fs = std::filesystem;

constexpr const char* kProfilePrefix = "bridle-profile-";
constexpr const char* kLockName = "bridle.lock";

fs::path temp_dir() {
  std::error_code ec;
  auto dir = fs::temp_directory_path(ec);
  return ec ? fs::path("/tmp") : dir;
}

// Chromium's last children may still write while we remove: try until nothing is left.
void remove_tree(const std::string& path) {
  std::error_code ec;
  for (int round = 0; round < 50; ++round) {
    fs::remove_all(path, ec);
    if (!fs::exists(path, ec)) return;
  }
  spdlog::warn("profile folder {} could not be removed: {}", path, ec.message());
}

bool runs(pid_t pid) {
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  if (!std::getline(stat, line)) return false;
  const auto state = line.rfind(") ");
  return state == std::string::npos || state + 2 >= line.size() || line[state + 2] != 'Z';
}

// Chromium marks a profile by a link named SingletonLock to `HOST-PID`. Started on one that is in use it would open a
// window in the other browser, and exit as if all were well.
void check_free(const std::string& profile) {
  std::error_code ec;
  const auto mark = fs::read_symlink(fs::path(profile) / "SingletonLock", ec).string();
  if (ec) return;
  const auto dash = mark.rfind('-');
  std::array<char, 256> host{};
  ::gethostname(host.data(), host.size() - 1);
  const bool here = dash != std::string::npos && mark.substr(0, dash) == host.data();
  const int pid = dash == std::string::npos ? 0 : std::atoi(mark.c_str() + dash + 1);
  if (here && !runs(pid)) return;  // left behind
  throw LaunchError("The profile folder " + profile + " is in use by another browser (" +
                    (here ? "process " + std::to_string(pid) : "on " + mark) +
                    "). Close that one, or name another folder with --user-data-dir.");
}

}  // namespace

ProfileDir::ProfileDir() {
  std::string pattern = (temp_dir() / (kProfilePrefix + std::to_string(::getpid()) + "-XXXXXX")).string();
  if (::mkdtemp(pattern.data()) == nullptr) {
    throw LaunchError("cannot make a profile folder " + pattern + ": " + std::strerror(errno));
  }
  path_ = pattern;
  lock_.reset(::open((path_ + "/" + kLockName).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (lock_.get() < 0 || ::flock(lock_.get(), LOCK_EX | LOCK_NB) != 0) {
    const std::string why = std::strerror(errno);
    remove_tree(path_);
    throw LaunchError("cannot lock the profile folder " + path_ + ": " + why);
  }
}

ProfileDir::~ProfileDir() { remove_tree(path_); }

int ProfileDir::sweep() {
  int removed = 0;
  std::error_code ec;
  for (const auto& entry : fs::directory_iterator(temp_dir(), ec)) {
    const auto name = entry.path().filename().string();
    if (!name.starts_with(kProfilePrefix)) continue;
    // An unlocked folder without a lock file belongs to a bridle that is just making it, or died doing so.
    const std::string lock_path = (entry.path() / kLockName).string();
    const Fd lock(::open(lock_path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW));
    if (lock.get() < 0 || ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) continue;
    remove_tree(entry.path().string());
    ++removed;
  }
  return removed;
}

std::string kept_profile(const std::string& given) {
  std::error_code ec;
  const auto profile = fs::absolute(given, ec);
  if (!ec) fs::create_directories(profile, ec);
  if (ec || !fs::is_directory(profile) || ::access(profile.c_str(), W_OK | X_OK) != 0) {
    throw LaunchError("The profile folder " + given + " can't be used: " + (ec ? ec.message() : "it can't be written") +
                      ". Name another one with --user-data-dir.");
  }
  check_free(profile.string());
  return profile.string();
}

}  // namespace bridle
