#include "tools/devtools/spool.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>

#include "base/errors.h"
#include "tools/files/file_system.h"

namespace bridle {
namespace {

constexpr std::size_t kSpoolBuffer = 1024 * 1024;

[[noreturn]] void fail_to_spool(int error) {
  throw ToolError("What the browser sends can't be put away meanwhile: " + file_error(error) + ".");
}

}  // namespace

Spool::Spool(const std::filesystem::path& folder) {
  static std::atomic<unsigned> next{0};
  const auto path = folder / (".bridle-" + std::to_string(::getpid()) + "-" + std::to_string(next++) + ".spool");
  fd_.reset(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!fd_) fail_to_spool(errno);
  ::unlink(path.c_str());
}

void Spool::append(const CallContext& ctx, std::string_view text) {
  const auto size = static_cast<std::uint32_t>(text.size());
  std::array<char, sizeof size> head{};
  std::memcpy(head.data(), &size, sizeof size);
  buffer_.append(head.data(), head.size());
  buffer_ += text;
  bytes_ += head.size() + text.size();
  if (buffer_.size() >= kSpoolBuffer) flush(ctx);
}

void Spool::flush(const CallContext& ctx) {
  std::string_view rest = buffer_;
  while (!rest.empty()) {
    ctx.signal.throw_if_aborted();
    const auto written = ::write(fd_.get(), rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_to_spool(errno);
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  buffer_.clear();
}

void Spool::each(const CallContext& ctx, const std::function<void(std::string_view text)>& use) {
  flush(ctx);
  if (::lseek(fd_.get(), 0, SEEK_SET) != 0) fail_to_spool(errno);
  std::string held;
  std::size_t at = 0;
  // Makes `count` bytes at `at` available; false at the end.
  const auto fill = [&](std::size_t count) {
    while (held.size() - at < count) {
      ctx.signal.throw_if_aborted();
      held.erase(0, at);
      at = 0;
      const auto old = held.size();
      held.resize(old + kSpoolBuffer);
      const auto got = ::read(fd_.get(), held.data() + old, kSpoolBuffer);
      held.resize(old + static_cast<std::size_t>(got > 0 ? got : 0));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) fail_to_spool(errno);
      if (got == 0) return false;
    }
    return true;
  };
  std::uint32_t size = 0;
  while (fill(sizeof size)) {
    std::memcpy(&size, held.data() + at, sizeof size);
    if (!fill(sizeof size + size)) break;
    use(std::string_view(held).substr(at + sizeof size, size));
    at += sizeof size + size;
  }
  if (::lseek(fd_.get(), 0, SEEK_END) < 0) fail_to_spool(errno);
}

}  // namespace bridle
