#include "browser/chromium/profile.h"

#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace bridle {
namespace {

namespace fs = std::filesystem;

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

ProfileDir::ProfileDir(const std::optional<OsUser>& owner) {
  try {
    folder_.emplace(kProfilePrefix);
  } catch (const std::system_error& error) {
    throw LaunchError(std::string("No profile for the browser: ") + error.what());
  }
  if (!owner) return;
  if (const int error = give_to(path(), *owner); error != 0)
    throw LaunchError("The profile folder " + path() + " can't be given to user " + std::to_string(owner->uid) + ": " +
                      std::strerror(error));
}

int ProfileDir::sweep() { return TempFolder::sweep(kProfilePrefix) + TempFolder::sweep(kHomePrefix); }

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
