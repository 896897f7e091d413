#include "tools/files/downloads/folder_watch.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <limits>

#include "base/errors.h"

namespace bridle {
namespace {

// Rounded up, so that what is due at `until` is due after the wait.
int milliseconds_until(std::optional<Clock::time_point> until) {
  if (!until) return -1;
  const auto left = std::chrono::ceil<Millis>(*until - Clock::now()).count();
  return static_cast<int>(std::clamp<long long>(left, 0, std::numeric_limits<int>::max()));
}

}  // namespace

FolderWatch::FolderWatch()
    : events_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)), wake_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  if (!events_ || !wake_) {
    throw ToolError(std::string("Downloads can't be watched: ") + std::strerror(errno) +
                    ". The system's limit fs.inotify.max_user_instances may be too low.");
  }
}

void FolderWatch::add(const std::string& folder) {
  const MutexLock lock(mutex_);
  const int watch = ::inotify_add_watch(events_.get(), folder.c_str(), IN_CREATE | IN_MOVED_TO | IN_ONLYDIR);
  if (watch < 0) {
    throw ToolError("The folder " + folder + " can't be watched: " + std::strerror(errno) +
                    ". The system's limit fs.inotify.max_user_watches may be too low.");
  }
  folders_[watch] = folder;
}

void FolderWatch::wake() {
  const std::uint64_t one = 1;
  // It only fails when the counter is full, and then the waiter has been woken already.
  [[maybe_unused]] const auto written = ::write(wake_.get(), &one, sizeof one);
}

std::vector<FolderWatch::Appeared> FolderWatch::wait(std::optional<Clock::time_point> until) {
  std::array<pollfd, 2> fds{{{events_.get(), POLLIN, 0}, {wake_.get(), POLLIN, 0}}};
  ::poll(fds.data(), fds.size(), milliseconds_until(until));
  std::uint64_t count = 0;
  [[maybe_unused]] const auto got = ::read(wake_.get(), &count, sizeof count);
  return read_events();
}

std::vector<FolderWatch::Appeared> FolderWatch::read_events() {
  std::vector<Appeared> appeared;
  alignas(inotify_event) std::array<char, 16 * 1024> buffer;
  for (ssize_t size = 0; (size = ::read(events_.get(), buffer.data(), buffer.size())) > 0;) {
    const MutexLock lock(mutex_);
    for (std::size_t at = 0; at < static_cast<std::size_t>(size);) {
      const auto* const event = reinterpret_cast<const inotify_event*>(buffer.data() + at);
      at += sizeof(inotify_event) + event->len;
      const auto folder = folders_.find(event->wd);
      if (folder == folders_.end()) continue;
      if ((event->mask & IN_IGNORED) != 0) {
        folders_.erase(folder);
      } else if (event->len > 0) {
        appeared.push_back({folder->second, event->name});
      }
    }
  }
  return appeared;
}

}  // namespace bridle
