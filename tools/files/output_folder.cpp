#include "tools/files/output_folder.h"

#include <pwd.h>
#include <unistd.h>

#include <cstdlib>
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

}  // namespace

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

std::uintmax_t OutputFolder::used() const { return bytes_below(folder_, kStagingPrefix); }

}  // namespace bridle
