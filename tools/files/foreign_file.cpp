#include "tools/files/foreign_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <string>
#include <vector>

#include "base/errors.h"
#include "base/fd.h"
#include "tools/files/file_system.h"

namespace fs = std::filesystem;

namespace bridle {
namespace {

// Removes a file that was begun, unless it is kept.
class BegunFile {
 public:
  BegunFile(fs::path path, mode_t mode) : path_(std::move(path)) {
    fd_.reset(::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
    if (!fd_) throw ToolError(file_error(errno));
  }
  ~BegunFile() {
    if (!kept_) ::unlink(path_.c_str());
  }
  BegunFile(const BegunFile&) = delete;
  BegunFile& operator=(const BegunFile&) = delete;

  int fd() const { return fd_.get(); }
  const fs::path& path() const { return path_; }
  void keep() { kept_ = true; }

 private:
  const fs::path path_;
  Fd fd_;
  bool kept_ = false;
};

void write_all(int to, const char* data, std::size_t size) {
  while (size > 0) {
    const auto written = ::write(to, data, size);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw ToolError(file_error(errno));
    data += written;
    size -= static_cast<std::size_t>(written);
  }
}

// Copies at most `limit` bytes; returns how many there were.
std::uintmax_t copy_bytes(const CallContext& ctx, int from, int to, std::uintmax_t limit) {
  std::vector<char> buffer(256 * 1024);
  std::uintmax_t sum = 0;
  while (sum < limit) {
    ctx.signal.throw_if_aborted();
    const auto wanted = static_cast<std::size_t>(std::min<std::uintmax_t>(buffer.size(), limit - sum));
    const auto got = ::read(from, buffer.data(), wanted);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw ToolError(file_error(errno));
    if (got == 0) break;
    write_all(to, buffer.data(), static_cast<std::size_t>(got));
    sum += static_cast<std::uintmax_t>(got);
  }
  return sum;
}

// O_NONBLOCK: nobody may ever write to what turns out to be a pipe.
Fd open_to_read(const fs::path& path) {
  Fd fd(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!fd) throw ToolError(errno == ELOOP ? "it is a link" : file_error(errno));
  return fd;
}

}  // namespace

std::uintmax_t take_file(const fs::path& from, const OsUser& writer, const fs::path& to, std::uintmax_t limit) {
  const Fd source = open_to_read(from);
  struct stat info {};
  if (::fstat(source.get(), &info) != 0) throw ToolError(file_error(errno));
  if (!S_ISREG(info.st_mode)) throw ToolError("it is no regular file");
  if (info.st_nlink != 1) throw ToolError("it has another name, too");
  if (info.st_uid != writer.uid) throw ToolError("it isn't the browser's own");
  const auto size = static_cast<std::uintmax_t>(info.st_size);
  if (size > limit) throw ToolError("it has more than " + in_bytes(limit));
  static std::atomic<unsigned> next{0};
  BegunFile part(to.parent_path() / (".bridle-" + std::to_string(::getpid()) + "-taken-" + std::to_string(next++)),
                 0600);
  const auto copied = copy_bytes({}, source.get(), part.fd(), size);
  if (::rename(part.path().c_str(), to.c_str()) != 0) throw ToolError(file_error(errno));
  part.keep();
  std::error_code ignored;
  fs::remove(from, ignored);
  return copied;
}

void copy_for(const CallContext& ctx, const fs::path& from, const OsUser& reader, const fs::path& to) {
  const Fd source = open_to_read(from);
  struct stat info {};
  if (::fstat(source.get(), &info) != 0) throw ToolError(file_error(errno));
  if (!S_ISREG(info.st_mode)) throw ToolError("it is no regular file");
  BegunFile copy(to, 0600);
  copy_bytes(ctx, source.get(), copy.fd(), static_cast<std::uintmax_t>(info.st_size));
  // The page sees when the file was changed last.
  const std::array<timespec, 2> times{info.st_atim, info.st_mtim};
  ::futimens(copy.fd(), times.data());
  if (::fchown(copy.fd(), ::geteuid(), reader.gid) != 0 || ::fchmod(copy.fd(), 0640) != 0)
    throw ToolError(file_error(errno));
  copy.keep();
}

}  // namespace bridle
