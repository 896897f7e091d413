#include "tools/files/downloads/downloads.h"

#include <algorithm>

#include "base/errors.h"
#include "base/text/log.h"
#include "base/text/random.h"
#include "tools/files/file_system.h"

namespace bridle {
namespace {

constexpr std::size_t kRememberedOfOwner = 100;
constexpr std::size_t kRefusalsTold = 3;  // of one tab in one result; the others are counted
constexpr std::size_t kTabsCounted = 1000;
constexpr std::size_t kIdBytes = 16;

std::uint64_t whole_number(double value) { return value > 0 ? static_cast<std::uint64_t>(value) : 0; }

// What a download takes, as far as is known.
std::uint64_t bytes_of(const DownloadStore::Download& download) { return std::max(download.received, download.total); }

}  // namespace

void DownloadStore::close() {
  std::jthread worker;
  std::shared_ptr<DownloadStaging> staging;
  {
    const MutexLock lock(mutex_);
    closed_ = true;
    worker = std::move(worker_);
    staging = std::move(staging_);
  }
  worker.request_stop();
  if (staging) staging->watch().wake();
  if (worker.joinable()) worker.join();
}

std::shared_ptr<DownloadRoom> DownloadStore::open(DownloadRoom room, bool shared) {
  const MutexLock opening(opening_);
  std::shared_ptr<DownloadStaging> staging;
  {
    const MutexLock lock(mutex_);
    staging = staging_;
  }
  const bool first = staging == nullptr;
  if (first) staging = std::make_shared<DownloadStaging>(*output_);
  room.place = staging->open(shared, room.writer);
  auto opened = std::make_shared<DownloadRoom>(std::move(room));
  const MutexLock lock(mutex_);
  if (closed_) throw ToolError("Downloads are no longer kept: bridle is ending.");
  std::erase_if(rooms_, [](const auto& entry) { return entry.second.empty(); });
  for (auto& [folder, rooms] : rooms_) std::erase_if(rooms, [](const auto& weak) { return weak.expired(); });
  rooms_[opened->place.folder].push_back(opened);
  if (first) {
    staging_ = staging;
    worker_ = std::jthread([this, staging](const std::stop_token& stop) { work_loop(stop, staging); });
  }
  return opened;
}

void DownloadStore::wake_locked() {
  if (staging_) staging_->watch().wake();
}

void DownloadStore::cancel_all(const Cancels& cancels) {
  for (const auto& [room, guid] : cancels) {
    if (room && room->cancel) room->cancel(guid);
  }
}

void DownloadStore::began(const std::shared_ptr<DownloadRoom>& room, Download download, std::string refusal) {
  // It is a file's name, too, and the browser may be in hostile hands.
  if (download.guid.empty() || download.guid.front() == '.' || download.guid.find('/') != std::string::npos) return;
  Cancels cancels;
  {
    const MutexLock lock(mutex_);
    download.owner = room->owner;
    download.owner_address = room->owner_address;
    download.listed = room->listed;
    download.files = room->files;
    download.folder = room->place.folder;
    download.writer = room->writer;
    download.id = random_token(kIdBytes);
    if (refusal.empty()) refusal = too_many_locked(download.owner_address);
    if (!refusal.empty() && is_flood_locked(download)) {
      if (refused_.size() >= kTabsCounted) refused_.clear();
      ++refused_[download.tab];
      cancels.emplace_back(room, download.guid);
    } else {
      const auto guid = download.guid;
      const auto* const owner = download.owner_address;
      auto& entry = entries_[guid] = {.number = ++begun_, .download = std::move(download), .room = room};
      if (!refusal.empty()) refuse_locked(entry, std::move(refusal), cancels);
      measure_ = true;
      forget_oldest_locked(owner);
    }
    wake_locked();
    changed_.notify_all();
  }
  cancel_all(cancels);
}

std::string DownloadStore::too_many_locked(const ToolScope* owner) const {
  const auto running = std::count_if(entries_.begin(), entries_.end(), [owner](const auto& entry) {
    return entry.second.download.owner_address == owner && !entry.second.download.over();
  });
  if (static_cast<std::size_t>(running) < limits::kDownloadsAtOnce) return {};
  return std::to_string(limits::kDownloadsAtOnce) +
         " downloads of this session run already, and that is as many as may run at once. Try again when one has ended";
}

bool DownloadStore::is_flood_locked(const Download& download) const {
  return static_cast<std::size_t>(std::count_if(entries_.begin(), entries_.end(), [&](const auto& entry) {
           const auto& other = entry.second.download;
           return other.state == State::refused && !entry.second.told && other.tab == download.tab &&
                  other.owner_address == download.owner_address;
         })) >= kRefusalsTold;
}

void DownloadStore::forget_oldest_locked(const ToolScope* owner) {
  std::erase_if(entries_, [](const auto& entry) {
    const auto& download = entry.second.download;
    return download.over() && download.owner_address != nullptr && download.owner.expired();
  });
  std::vector<std::pair<std::uint64_t, std::string>> over;  // of this owner, by age
  for (const auto& [guid, entry] : entries_) {
    if (entry.download.owner_address == owner && entry.download.over()) over.emplace_back(entry.number, guid);
  }
  if (over.size() <= kRememberedOfOwner) return;
  std::sort(over.begin(), over.end());
  over.resize(over.size() - kRememberedOfOwner);
  for (const auto& [number, guid] : over) entries_.erase(guid);
}

std::string DownloadStore::over_limit_locked(const Entry& entry) const {
  const auto& limits = output_->limits();
  const auto& download = entry.download;
  const std::uintmax_t size = bytes_of(download);
  const auto more_than = [](std::uintmax_t limit, const std::string& what, const char* option) {
    return what + " may have " + in_bytes(limit) + " (" + option + "), and with this one there would be more";
  };
  if (size > limits.download || limits.download == 0) {
    return "one download may have " + in_bytes(limits.download) + " (--max-download), and it has " +
           (download.total > 0 ? in_bytes(size) : "more");
  }
  std::uintmax_t of_session = size;
  std::uintmax_t of_all = size;
  for (const auto& [guid, other] : entries_) {
    if (other.number >= entry.number || other.download.over()) continue;  // who came first may stay
    of_all += bytes_of(other.download);
    if (other.download.files == download.files) of_session += bytes_of(other.download);
  }
  const auto measured = session_bytes_.find(download.files.get());
  if (measured != session_bytes_.end()) of_session += measured->second;
  if (of_session > limits.session) {
    return more_than(limits.session, "this session's files (" + download.files->path().string() + ")",
                     "--output-max-session");
  }
  if (of_all + whole_bytes_ > limits.whole)
    return more_than(limits.whole, "the output folder (" + output_->path().string() + ")", "--output-max-size");
  return {};
}

// The browser removes the file when it has cancelled; the store's thread looks whether it has.
void DownloadStore::refuse_locked(Entry& entry, std::string why, Cancels& cancels) {
  cancels.emplace_back(entry.room.lock(), entry.download.guid);
  strays_[{entry.download.folder, entry.download.guid}] = Clock::now() + limits::kUnknownDownload;
  end_locked(entry, State::refused, std::move(why));
}

void DownloadStore::end_locked(Entry& entry, State state, std::string error) {
  entry.download.state = state;
  entry.download.error = std::move(error);
  wake_locked();
  changed_.notify_all();
}

void DownloadStore::progress(const std::string& guid, const std::string& state, double received, double total) {
  Cancels cancels;
  {
    const MutexLock lock(mutex_);
    const auto it = entries_.find(guid);
    if (it == entries_.end() || it->second.whole) return;
    auto& entry = it->second;
    auto& download = entry.download;
    if (download.over()) {
      if (state != "inProgress") strays_[{download.folder, guid}] = Clock::now();
      return wake_locked();
    }
    if (state == "canceled") {
      broken_.push_back(guid);
      return wake_locked();
    }
    const bool sized = download.total == 0 && total > 0;
    download.received = whole_number(received);
    download.total = whole_number(total);
    entry.most_received = std::max(entry.most_received, download.received);
    if (state == "completed") {
      entry.whole = true;
      to_move_.push_back(guid);
      wake_locked();
    } else if (auto why = over_limit_locked(entry); !why.empty()) {
      refuse_locked(entry, std::move(why), cancels);
    } else if (sized) {
      measure_ = true;
      wake_locked();
    }
    changed_.notify_all();
  }
  cancel_all(cancels);
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
  const MutexLock lock(mutex_);
  for (const auto& [guid, entry] : entries_) {
    if (entry.download.id == id && entry.download.state == State::done && entry.download.is_for(owner))
      return entry.download;
  }
  return std::nullopt;
}

DownloadStore::News DownloadStore::take_news(const std::string& tab, const ToolScope* owner) {
  News news;
  std::map<std::uint64_t, Download> by_age;
  const MutexLock lock(mutex_);
  for (auto& [guid, entry] : entries_) {
    const auto& download = entry.download;
    const bool nobodys = download.tab.empty() && download.listed && download.is_for(owner);
    if (entry.told || (download.tab != tab && !nobodys)) continue;
    entry.told = download.over();
    by_age[entry.number] = download;
  }
  for (auto& [number, download] : by_age) news.downloads.push_back(std::move(download));
  if (const auto more = refused_.find(tab); more != refused_.end()) {
    news.more = more->second;
    refused_.erase(more);
  }
  return news;
}

std::vector<DownloadStore::Download> DownloadStore::running(const std::string& tab) const {
  std::vector<Download> found;
  const MutexLock lock(mutex_);
  for (const auto& [guid, entry] : entries_) {
    if (entry.download.tab == tab && !entry.download.over()) found.push_back(entry.download);
  }
  return found;
}

std::uint64_t DownloadStore::mark() const {
  const MutexLock lock(mutex_);
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

void DownloadStore::await_whole(const CallContext& ctx, const std::string& tab) {
  const auto is_due = [&](const auto& item) {
    const Entry& entry = item.second;
    const Download& download = entry.download;
    if (download.tab != tab || download.over()) return false;
    if (entry.whole) return true;
    return download.total > 0 ? download.received >= download.total : download.received > 0 && !entry.waited_for;
  };
  MutexLock lock(mutex_);
  const bool over = wait_until(
      ctx, changed_, lock, [&]() REQUIRES(mutex_) { return std::none_of(entries_.begin(), entries_.end(), is_due); });
  if (over) return;
  for (auto& item : entries_)
    if (is_due(item)) item.second.waited_for = true;
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
    case DownloadStore::State::refused:
      return "refused; no file was kept: " + loggable(download.error, 600);
    case DownloadStore::State::running:
      break;
  }
  return "still under way, " +
         (download.total > 0 ? std::to_string(download.received) + " of " + bytes(download.total)
                             : bytes(download.received)) +
         " so far";
}

}  // namespace bridle
