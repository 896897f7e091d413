#include "tools/files/output_folder.h"

#include <fcntl.h>
#include <pwd.h>
#include <spdlog/spdlog.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <system_error>

#include "base/errors.h"
#include "tools/files/file_system.h"

namespace fs = std::filesystem;

namespace bridle {
namespace {

// The XDG Base Directory Specification: a relative XDG_CACHE_HOME is to be ignored.
fs::path cache_home() {
  if (const char* named = std::getenv("XDG_CACHE_HOME"); named != nullptr && named[0] == '/') return named;
  if (const char* home = std::getenv("HOME"); home != nullptr && home[0] == '/') return fs::path(home) / ".cache";
  if (const passwd* user = ::getpwuid(::getuid()); user != nullptr && user->pw_dir != nullptr)
    return fs::path(user->pw_dir) / ".cache";
  return fs::temp_directory_path() / ("bridle-" + std::to_string(::getuid()));
}

fs::path absolute_folder(const std::string& folder) {
  return (folder.empty() ? cache_home() / "bridle" / "output" : fs::absolute(folder)).lexically_normal();
}

// "20261122-161003-Zk3...", as SessionFiles names its folders: nothing else is ever removed.
bool is_session_folder(std::string_view name) {
  constexpr std::size_t kStamp = 16;
  constexpr std::size_t kSecret = 16;
  if (name.size() != kStamp + kSecret || name[8] != '-' || name[15] != '-') return false;
  const auto stamp = name.substr(0, kStamp);
  return std::all_of(stamp.begin(), stamp.end(), [](char c) { return c == '-' || (c >= '0' && c <= '9'); });
}

struct OldFile {
  fs::path path;
  std::uintmax_t size = 0;
  fs::file_time_type written;
};

std::vector<OldFile> oldest_first(const fs::path& folder) {
  std::vector<OldFile> files;
  std::error_code error;
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    std::error_code gone;
    if (at->symlink_status(gone).type() != fs::file_type::regular) continue;
    files.push_back({at->path(), at->file_size(gone), at->last_write_time(gone)});
  }
  std::sort(files.begin(), files.end(), [](const OldFile& a, const OldFile& b) { return a.written < b.written; });
  return files;
}

// Whether the folder is nobody's: then it is ours while `held` lives.
bool take_ended_session(const fs::path& folder, Fd& held) {
  held.reset(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat info {};
  return held && ::fstat(held.get(), &info) == 0 && info.st_uid == ::geteuid() &&
         ::flock(held.get(), LOCK_EX | LOCK_NB) == 0;
}

// From the deepest up; rmdir() leaves what holds something.
void remove_empty_folders(const fs::path& folder) {
  std::vector<fs::path> folders{folder};
  std::error_code error;
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    std::error_code gone;
    if (at->symlink_status(gone).type() == fs::file_type::directory) folders.push_back(at->path());
  }
  for (auto one = folders.rbegin(); one != folders.rend(); ++one) ::rmdir(one->c_str());
}

}  // namespace

Fd hold_session_folder(const fs::path& folder) {
  Fd held(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat info {};
  // Who removes it holds it alone for a moment, and then it is gone.
  if (!held || ::flock(held.get(), LOCK_SH) != 0 || ::fstat(held.get(), &info) != 0 || info.st_nlink == 0) return Fd();
  return held;
}

OutputFolder::OutputFolder(const std::string& folder, const std::vector<std::string>& upload_folders,
                           OutputLimits limits)
    : folder_(absolute_folder(folder)),
      upload_folders_([&] {
        std::vector<fs::path> paths;
        for (const auto& path : upload_folders) {
          if (!path.empty()) paths.push_back(fs::absolute(path).lexically_normal());
        }
        return paths;
      }()),
      limits_(limits) {}

fs::path OutputFolder::ensure() const {
  make_folders(folder_);
  std::error_code error;
  auto path = fs::canonical(folder_, error);
  if (error || !fs::is_directory(path, error))
    throw ToolError("The output folder " + quoted_path(folder_.string()) +
                    " is no folder. Start bridle with another --output-dir.");
  return path;
}

void OutputFolder::make_room(std::uintmax_t bytes) const {
  if (bytes > limits_.whole || used() + bytes <= limits_.whole) return;
  const MutexLock lock(mutex_);
  auto there = used();
  std::vector<fs::path> sessions;
  std::error_code error;
  for (fs::directory_iterator at(folder_, error); !error && at != fs::directory_iterator(); at.increment(error)) {
    if (is_session_folder(at->path().filename().string())) sessions.push_back(at->path());
  }
  std::sort(sessions.begin(), sessions.end());  // their names begin with their time
  std::size_t removed = 0;
  for (const auto& session : sessions) {
    if (there + bytes <= limits_.whole) break;
    Fd held;
    if (!take_ended_session(session, held)) continue;
    for (const auto& file : oldest_first(session)) {
      if (there + bytes <= limits_.whole) break;
      if (!fs::remove(file.path, error)) continue;
      there -= std::min(there, file.size);
      ++removed;
    }
    remove_empty_folders(session);
  }
  if (removed > 0) {
    spdlog::info("--output-max-size: removed {} file{} of sessions that have ended", removed, removed == 1 ? "" : "s");
  }
}

std::uintmax_t OutputFolder::used() const { return bytes_below(folder_, kStagingPrefix); }

}  // namespace bridle
