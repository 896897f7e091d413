#include "tools/files/partial_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <string>

#include "base/errors.h"
#include "tools/files/file_system.h"

namespace fs = std::filesystem;

namespace bridle {
namespace {

constexpr int kNumbersTried = 1000;

[[noreturn]] void fail_to_write(const fs::path& path, int error) {
  throw ToolError(quoted_path(path.string()) + " can't be written: " + file_error(error) + ".");
}

}  // namespace

fs::path claim_name(const fs::path& wanted) {
  const auto folder = wanted.parent_path();
  const auto stem = wanted.stem().string();
  const auto extension = wanted.extension().string();
  for (int number = 0; number < kNumbersTried; ++number) {
    const auto path = number == 0 ? wanted : folder / (stem + " (" + std::to_string(number) + ")" + extension);
    const Fd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (fd) return path;
    if (errno != EEXIST) fail_to_write(path, errno);
  }
  throw ToolError("The folder " + folder.string() + " holds " + std::to_string(kNumbersTried) + " files named like " +
                  quoted_path(wanted.filename().string()) + ". Give another name, or remove some.");
}

PartialFile::PartialFile(const fs::path& wanted) : wanted_(wanted) {
  static std::atomic<unsigned> next{0};
  path_ = wanted.parent_path() / (".bridle-" + std::to_string(::getpid()) + "-" + std::to_string(next++) + ".part");
  fd_.reset(::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!fd_) fail_to_write(wanted_, errno);
}

PartialFile::~PartialFile() {
  if (!path_.empty()) ::unlink(path_.c_str());
}

void PartialFile::write(const CallContext& ctx, std::string_view content) {
  constexpr std::size_t kSlice = 1024 * 1024;  // between two looks at the signal
  while (!content.empty()) {
    ctx.signal.throw_if_aborted();
    const auto written = ::write(fd_.get(), content.data(), std::min(content.size(), kSlice));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_to_write(wanted_, errno);
    content.remove_prefix(static_cast<std::size_t>(written));
  }
}

fs::path PartialFile::keep() {
  if (::close(fd_.release()) != 0) fail_to_write(wanted_, errno);
  auto name = claim_name(wanted_);
  if (::rename(path_.c_str(), name.c_str()) != 0) {
    const int error = errno;
    ::unlink(name.c_str());
    fail_to_write(wanted_, error);
  }
  path_.clear();
  return name;
}

void append_to_file(const fs::path& file, std::string_view text) {
  const Fd fd(::open(file.c_str(), O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC));
  if (!fd) fail_to_write(file, errno);
  while (!text.empty()) {
    const auto written = ::write(fd.get(), text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_to_write(file, errno);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace bridle
