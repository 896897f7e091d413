// What the store's own thread does: it alone looks at the disk.
#include <spdlog/spdlog.h>

#include <algorithm>
#include <set>
#include <system_error>

#include "base/concurrency/thread.h"
#include "base/errors.h"
#include "base/text/random.h"
#include "tools/files/downloads/downloads.h"
#include "tools/files/file_system.h"
#include "tools/files/foreign_file.h"

namespace fs = std::filesystem;

namespace bridle {
namespace {

constexpr std::string_view kPartialSuffix = ".crdownload";  // Chromium's, of a file that isn't whole
constexpr std::uintmax_t kDiskSlack = 4 * 1024 * 1024;      // a disk with less than this is full

std::string partial_name(const std::string& guid) { return guid + std::string(kPartialSuffix); }

}  // namespace

void DownloadStore::work_loop(const std::stop_token& stop, const std::shared_ptr<DownloadStaging>& staging) {
  name_thread("bridle-files");
  for (;;) {
    while (do_chore()) {
    }
    if (stop.stop_requested()) return;  // what is whole has been moved
    std::optional<Clock::time_point> due;
    {
      const MutexLock lock(mutex_);
      for (const auto& [file, when] : strays_) due = due ? std::min(*due, when) : when;
    }
    for (const auto& [folder, name] : staging->watch().wait(due)) {
      const bool partial = name.ends_with(kPartialSuffix);
      expect_file({folder, partial ? name.substr(0, name.size() - kPartialSuffix.size()) : name});
    }
    staging->remove_left();
  }
}

// A file has appeared. The browser's word on it comes within milliseconds, if it comes.
void DownloadStore::expect_file(const FileName& file) {
  const MutexLock lock(mutex_);
  strays_.emplace(file, Clock::now() + limits::kUnknownDownload);
}

// Does one thing that has to be done; false when there is nothing.
bool DownloadStore::do_chore() {
  MutexLock lock(mutex_);
  const auto take = [](std::deque<std::string>& queue) {
    auto guid = std::move(queue.front());
    queue.pop_front();
    return guid;
  };
  if (!to_move_.empty()) {
    const auto guid = take(to_move_);
    lock.unlock();
    finish(guid);
    return true;
  }
  if (!broken_.empty()) {
    const auto guid = take(broken_);
    lock.unlock();
    end_broken(guid);
    return true;
  }
  if (std::exchange(measure_, false)) {
    lock.unlock();
    measure();
    return true;
  }
  const auto now = Clock::now();
  const auto stray = std::find_if(strays_.begin(), strays_.end(), [now](const auto& one) { return one.second <= now; });
  if (stray == strays_.end()) return false;
  const auto file = stray->first;
  strays_.erase(stray);
  lock.unlock();
  remove_stray(file);
  return true;
}

// Moves or copies a whole file to a name of its own in its session's folder, which it returns. Sets its size as it is
// there.
std::string DownloadStore::keep_file(Download& download) const {
  const auto from = fs::path(download.folder) / download.guid;
  const auto to = download.files->reserve(download.name);
  std::error_code ec;
  try {
    if (download.writer) {
      download.received = take_file(from, *download.writer, to, output_->limits().download);
    } else {
      fs::rename(from, to, ec);
      if (ec) throw ToolError(file_error(ec.value()));
      fs::permissions(to, fs::perms::owner_read | fs::perms::owner_write, ec);
    }
  } catch (const ToolError&) {
    fs::remove(to, ec);
    throw;
  }
  return to.string();
}

// Puts a whole file into its session's folder.
void DownloadStore::finish(const std::string& guid) {
  Download download;
  fs::path from;
  std::string refusal;
  std::error_code ec;
  {
    MutexLock lock(mutex_);
    const auto it = entries_.find(guid);
    if (it == entries_.end()) return;
    from = fs::path(it->second.download.folder) / guid;
    lock.unlock();
    const auto size = fs::file_size(from, ec);
    if (!ec) output_->make_room(size);
    const auto whole_bytes = output_->used();
    lock.lock();
    whole_bytes_ = whole_bytes;
    const auto again = entries_.find(guid);
    if (again == entries_.end()) return;
    // A fast one can be whole before its progress was told.
    if (!ec) again->second.download.received = again->second.download.total = size;
    refusal = over_limit_locked(again->second);
    download = again->second.download;
  }
  std::string path;
  std::string error;
  if (refusal.empty()) {
    try {
      path = keep_file(download);
    } catch (const std::exception& failure) {
      error = failure.what();
    }
  }
  if (path.empty()) fs::remove(from, ec);
  if (!error.empty()) spdlog::warn("a download could not be kept: {}", error);
  MutexLock lock(mutex_);
  const auto it = entries_.find(guid);
  if (it == entries_.end()) return;
  auto& kept = it->second.download;
  kept.path = path;
  kept.received = download.received;
  if (!path.empty()) {
    session_bytes_[kept.files.get()] += kept.received;
    whole_bytes_ += kept.received;
  }
  const auto state = !refusal.empty() ? State::refused : path.empty() ? State::failed : State::done;
  end_locked(it->second, state, refusal.empty() ? error : refusal);
  const Download ended = kept;
  lock.unlock();
  if (on_kept && ended.state == State::done) on_kept(ended);
}

// The browser gave one up, and doesn't say why. It removes the file before it says so, or not at all.
void DownloadStore::end_broken(const std::string& guid) {
  MutexLock lock(mutex_);
  const auto it = entries_.find(guid);
  if (it == entries_.end() || it->second.download.over()) return;
  const fs::path folder = it->second.download.folder;
  const auto most_received = it->second.most_received;
  lock.unlock();
  std::error_code ec;
  const auto free = free_bytes(folder);
  const bool still_there = fs::exists(folder / partial_name(guid), ec);
  const auto free_before = still_there ? free : free - std::min<std::uintmax_t>(free, most_received);
  const bool full = free_before < kDiskSlack;
  lock.lock();
  const auto again = entries_.find(guid);
  if (again == entries_.end() || again->second.download.over()) return;
  strays_[{folder.string(), guid}] = Clock::now();
  end_locked(again->second, full ? State::failed : State::cancelled,
             full ? "disk full: " + in_bytes(free) + " are free on the disk of " + output_->path().string() : "");
}

// How much there is, and which downloads that is too much for.
void DownloadStore::measure() {
  std::set<std::shared_ptr<SessionFiles>> sessions;
  std::string folder;
  std::uintmax_t coming = 0;
  {
    const MutexLock lock(mutex_);
    for (const auto& [guid, entry] : entries_) {
      if (entry.download.over()) continue;
      folder = entry.download.folder;
      coming += std::max(entry.download.received, entry.download.total);
      if (entry.download.files) sessions.insert(entry.download.files);
    }
  }
  if (sessions.empty()) return;
  std::map<const SessionFiles*, std::uintmax_t> session_bytes;
  for (const auto& files : sessions) session_bytes[files.get()] = files->used();
  output_->make_room(coming);
  const auto whole_bytes = output_->used();
  const auto free = std::min(free_bytes(folder), free_bytes(output_->path()));
  Cancels cancels;
  {
    const MutexLock lock(mutex_);
    session_bytes_ = std::move(session_bytes);
    whole_bytes_ = whole_bytes;
    for (auto& [guid, entry] : entries_) {
      auto& download = entry.download;
      if (download.over() || entry.whole) continue;
      auto why = over_limit_locked(entry);
      if (why.empty() && download.total > download.received && download.total - download.received > free) {
        why = "disk full: it has " + in_bytes(download.total) + ", and " + in_bytes(free) +
              " are free on the disk of " + output_->path().string();
      }
      if (!why.empty()) refuse_locked(entry, std::move(why), cancels);
    }
  }
  cancel_all(cancels);
}

// Of a frame or a tab that is gone by the time its download begins, the browser tells nobody [why.downloads-watched].
// Such a download is ended, and so is what is left of those that are over.
void DownloadStore::remove_stray(const FileName& file) {
  const auto& [folder, guid] = file;
  std::shared_ptr<DownloadRoom> room;
  bool unknown = false;
  {
    const MutexLock lock(mutex_);
    const auto entry = entries_.find(guid);
    if (entry != entries_.end() && !entry->second.download.over()) return;
    unknown = entry == entries_.end();
    const auto rooms = rooms_.find(folder);
    for (std::size_t i = 0; rooms != rooms_.end() && !room && i < rooms->second.size(); ++i)
      room = rooms->second[i].lock();
  }
  if (room && room->cancel) room->cancel(guid);
  std::error_code ec;
  const bool partial = fs::remove(fs::path(folder) / partial_name(guid), ec);
  const bool whole = fs::remove(fs::path(folder) / guid, ec);
  // A folder that several sessions share doesn't tell whose it was.
  if (!unknown || !room || !room->place.lease || (!partial && !whole)) return;
  spdlog::debug("a download of no tab was ended");
  const MutexLock lock(mutex_);
  Download told{.guid = guid, .name = "(unnamed)"};
  told.owner = room->owner;
  told.owner_address = room->owner_address;
  told.listed = room->listed;
  told.state = State::refused;
  told.error = "the frame or tab that began it was gone before it began, so nobody can tell whose it is";
  if (is_flood_locked(told)) return;
  entries_[guid] = {.number = ++begun_, .download = std::move(told)};
  changed_.notify_all();
}

}  // namespace bridle
