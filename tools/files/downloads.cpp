#include "tools/files/downloads.h"

#include <signal.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/errors.h"
#include "base/log.h"
#include "base/random.h"
#include "base/thread.h"

namespace bridle {
namespace {

namespace fs = std::filesystem;

constexpr const char* kStagingPrefix = ".bridle-downloads-";  // then the pid of its owner
constexpr std::size_t kRemembered = 500;
constexpr std::size_t kIdBytes = 16;

// Removes what killed bridles left behind.
void sweep(const fs::path& folder) {
  std::error_code ec;
  for (const auto& entry : fs::directory_iterator(folder, ec)) {
    const auto name = entry.path().filename().string();
    if (!name.starts_with(kStagingPrefix)) continue;
    const int pid = std::atoi(name.c_str() + std::strlen(kStagingPrefix));
    if (pid > 0 && ::kill(pid, 0) != 0 && errno == ESRCH) fs::remove_all(entry.path(), ec);
  }
}

}  // namespace

void DownloadStore::close() {
  std::jthread mover;
  std::string staging;
  {
    MutexLock lock(mutex_);
    mover = std::move(mover_);
    staging = staging_;
  }
  mover.request_stop();
  changed_.notify_all();
  if (mover.joinable()) mover.join();
  std::error_code ec;
  if (!staging.empty()) fs::remove_all(staging, ec);
}

std::string DownloadStore::staging() {
  MutexLock lock(mutex_);
  std::error_code ec;
  if (!staging_.empty() && fs::is_directory(staging_, ec)) return staging_;
  const auto folder = files_->ensure();
  sweep(folder);
  std::string pattern = (folder / (kStagingPrefix + std::to_string(::getpid()) + "-XXXXXX")).string();
  if (::mkdtemp(pattern.data()) == nullptr) {
    throw ToolError("Downloads can't be kept in " + folder.string() + ": " + std::strerror(errno) + ".");
  }
  staging_ = pattern;
  return staging_;
}

void DownloadStore::began(Download download) {
  MutexLock lock(mutex_);
  if (!mover_.joinable()) mover_ = std::jthread([this](const std::stop_token& stop) { move_loop(stop); });
  auto guid = download.guid;
  download.id = random_token(kIdBytes);
  entries_[std::move(guid)] = {.number = ++begun_, .download = std::move(download)};
  forget_oldest_locked();
  changed_.notify_all();
}

void DownloadStore::forget_oldest_locked() {
  while (entries_.size() > kRemembered) {
    entries_.erase(std::min_element(entries_.begin(), entries_.end(),
                                    [](const auto& a, const auto& b) { return a.second.number < b.second.number; }));
  }
}

void DownloadStore::progress(const std::string& guid, const std::string& state, double received, double total) {
  MutexLock lock(mutex_);
  const auto it = entries_.find(guid);
  if (it == entries_.end() || it->second.whole || it->second.download.over()) return;
  auto& download = it->second.download;
  download.received = received > 0 ? static_cast<std::uint64_t>(received) : 0;
  download.total = total > 0 ? static_cast<std::uint64_t>(total) : 0;
  if (state == "canceled") download.state = State::cancelled;
  if (state == "completed") {
    it->second.whole = true;
    to_move_.push_back(guid);
  }
  changed_.notify_all();
}

void DownloadStore::move_loop(const std::stop_token& stop) {
  name_thread("bridle-files");
  for (;;) {
    std::string guid;
    {
      MutexLock lock(mutex_);
      changed_.wait(lock, stop, [&]() REQUIRES(mutex_) { return !to_move_.empty(); });
      if (to_move_.empty()) return;  // what is whole is moved, even at the end
      guid = std::move(to_move_.front());
      to_move_.pop_front();
    }
    finish(guid);
  }
}

void DownloadStore::finish(const std::string& guid) {
  std::string name;
  fs::path from;
  {
    MutexLock lock(mutex_);
    const auto it = entries_.find(guid);
    if (it == entries_.end()) return;
    name = it->second.download.name;
    from = fs::path(staging_) / guid;
  }
  std::string path;
  std::string error;
  std::uint64_t size = 0;
  try {
    const auto to = files_->reserve(name);
    std::error_code ec;
    fs::rename(from, to, ec);
    if (ec) {
      error = ec.message();
      fs::remove(to, ec);
    } else {
      fs::permissions(to, fs::perms::owner_read | fs::perms::owner_write, ec);
      size = fs::file_size(to, ec);
      path = to.string();
    }
  } catch (const std::exception& failure) {
    error = failure.what();
  }
  if (!error.empty()) spdlog::warn("a download could not be kept: {}", error);
  MutexLock lock(mutex_);
  const auto it = entries_.find(guid);
  if (it == entries_.end()) return;
  auto& download = it->second.download;
  download.state = error.empty() ? State::done : State::failed;
  download.path = path;
  download.error = error;
  if (error.empty()) download.received = size;
  changed_.notify_all();
  const Download ended = download;
  lock.unlock();
  if (on_kept && ended.state == State::done) on_kept(ended);
}

std::vector<DownloadStore::Download> DownloadStore::kept(const ToolScope* owner) const {
  std::map<std::uint64_t, Download> by_age;
  MutexLock lock(mutex_);
  for (const auto& [guid, entry] : entries_) {
    if (entry.download.state == State::done && entry.download.is_for(owner)) by_age[entry.number] = entry.download;
  }
  lock.unlock();
  std::vector<Download> found;
  found.reserve(by_age.size());
  for (auto& [number, download] : by_age) found.push_back(std::move(download));
  return found;
}

std::optional<DownloadStore::Download> DownloadStore::find(const std::string& id, const ToolScope* owner) const {
  MutexLock lock(mutex_);
  for (const auto& [guid, entry] : entries_) {
    if (entry.download.id == id && entry.download.state == State::done && entry.download.is_for(owner))
      return entry.download;
  }
  return std::nullopt;
}

std::vector<DownloadStore::Download> DownloadStore::take_news(const std::string& tab) {
  std::vector<Download> news;
  MutexLock lock(mutex_);
  for (auto& [guid, entry] : entries_) {
    if (entry.download.tab != tab || entry.told) continue;
    entry.told = entry.download.over();
    news.push_back(entry.download);
  }
  return news;
}

std::vector<DownloadStore::Download> DownloadStore::running(const std::string& tab) const {
  std::vector<Download> found;
  MutexLock lock(mutex_);
  for (const auto& [guid, entry] : entries_) {
    if (entry.download.tab == tab && !entry.download.over()) found.push_back(entry.download);
  }
  return found;
}

std::uint64_t DownloadStore::mark() const {
  MutexLock lock(mutex_);
  return begun_;
}

std::optional<DownloadStore::Download> DownloadStore::await_newest(const CallContext& ctx, const std::string& tab,
                                                                   std::uint64_t mark) {
  std::optional<Download> found;
  MutexLock lock(mutex_);
  const bool over = wait_until(ctx, changed_, lock, [&]() REQUIRES(mutex_) {
    std::uint64_t newest = mark;
    for (const auto& [guid, entry] : entries_) {
      if (entry.download.tab != tab || entry.number <= newest) continue;
      newest = entry.number;
      found = entry.download;
    }
    return found && found->over();
  });
  if (over) entries_[found->guid].told = true;
  return found;
}

std::string describe(const DownloadStore::Download& download) {
  const auto bytes = [](std::uint64_t count) { return std::to_string(count) + (count == 1 ? " byte" : " bytes"); };
  switch (download.state) {
    case DownloadStore::State::done:
      return "kept as " + download.path + " (" + bytes(download.received) + ")";
    case DownloadStore::State::cancelled:
      return "cancelled; no file was kept";
    case DownloadStore::State::failed:
      return "lost: it could not be kept (" + loggable(download.error, 300) + ")";
    case DownloadStore::State::running:
      break;
  }
  return "still under way, " +
         (download.total > 0 ? std::to_string(download.received) + " of " + bytes(download.total)
                             : bytes(download.received)) +
         " so far";
}

}  // namespace bridle
