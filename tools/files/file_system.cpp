#include "tools/files/file_system.h"

#include <spdlog/fmt/fmt.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <limits>
#include <system_error>

#include "base/errors.h"
#include "base/text/log.h"

namespace fs = std::filesystem;

namespace bridle {

bool is_below(const fs::path& path, const fs::path& folder) {
  const auto [at, ignored] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  // "/a/b/" ends with an empty part.
  return at == folder.end() || (at->empty() && std::next(at) == folder.end());
}

void make_folders(const fs::path& folder) {
  if (folder.empty() || ::mkdir(folder.c_str(), 0700) == 0) return;
  if (errno == ENOENT && folder.has_parent_path() && folder.parent_path() != folder) {
    make_folders(folder.parent_path());
    if (::mkdir(folder.c_str(), 0700) == 0) return;
  }
  const int error = errno;
  std::error_code ignored;
  if (error == EEXIST && fs::is_directory(folder, ignored)) return;
  throw ToolError("The folder " + quoted_path(folder.string()) + " can't be made: " +
                  file_error(error == EEXIST ? ENOTDIR : error) + ". Start bridle with another --output-dir.");
}

std::uintmax_t bytes_below(const fs::path& folder, const std::string& skip) {
  std::uintmax_t sum = 0;
  std::error_code error;
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error);
  for (const fs::recursive_directory_iterator end; !error && at != end; at.increment(error)) {
    if (at.depth() == 0 && !skip.empty() && at->path().filename().string().starts_with(skip)) {
      at.disable_recursion_pending();
      continue;
    }
    std::error_code gone;
    const bool counts = !at->is_symlink(gone) && at->is_regular_file(gone);
    const auto size = counts ? at->file_size(gone) : 0;
    if (!gone) sum += size;
  }
  return sum;
}

std::uintmax_t free_bytes(const fs::path& path) {
  std::error_code error;
  auto existing = path;
  while (!fs::exists(existing, error) && existing.has_relative_path()) existing = existing.parent_path();
  const auto space = fs::space(existing, error);
  return error ? std::numeric_limits<std::uintmax_t>::max() : space.available;
}

std::string quoted_path(const std::string& path) { return "\"" + loggable(path, 300) + "\""; }

std::string file_error(int error) {
  const std::string words = std::strerror(error);
  if (error == ENOSPC) return "disk full (" + words + ")";
  if (error == EDQUOT) return "disk full for this user (" + words + ")";
  return words;
}

std::string in_bytes(std::uintmax_t count) {
  constexpr std::uintmax_t kMiB = 1024 * 1024;
  constexpr std::uintmax_t kGiB = 1024 * kMiB;
  if (count < kMiB) return std::to_string(count) + (count == 1 ? " byte" : " bytes");
  const bool giga = count >= kGiB;
  const double value = static_cast<double>(count) / static_cast<double>(giga ? kGiB : kMiB);
  auto digits = fmt::format("{:.1f}", value);
  if (digits.ends_with(".0")) digits.resize(digits.size() - 2);
  return digits + (giga ? " GiB" : " MiB");
}

}  // namespace bridle
