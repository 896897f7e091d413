#include "server/calls/stream/replay_store.h"

#include <algorithm>
#include <charconv>

namespace bridle {
namespace {

// Accepts only numbers as event_id() writes them, so that an id that merely looks like ours finds nothing.
std::optional<std::uint64_t> to_number(std::string_view text) {
  if (text.size() > 1 && text.front() == '0') return std::nullopt;
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

}  // namespace

std::string ReplayStore::add(std::shared_ptr<ReplyStream> stream) {
  MutexLock lock(mutex_);
  prune_locked();
  const auto number = next_++;
  entries_.push_back({.number = number, .stream = std::move(stream)});
  return label_ + "-" + std::to_string(number);
}

std::string ReplayStore::event_id(std::string_view stream, std::uint64_t seq) {
  return std::string(stream) + "_" + std::to_string(seq);
}

ReplayStore::Found ReplayStore::find(std::string_view event_id) {
  Found found;
  const std::string prefix = label_ + "-";
  if (!event_id.starts_with(prefix)) return found;
  const auto split = event_id.rfind('_');
  if (split == std::string_view::npos || split < prefix.size()) return found;
  const auto number = to_number(event_id.substr(prefix.size(), split - prefix.size()));
  const auto seq = to_number(event_id.substr(split + 1));
  MutexLock lock(mutex_);
  if (!number || !seq || *number == 0 || *number >= next_) return found;
  prune_locked();
  found.name = event_id.substr(0, split);
  found.after = *seq;
  found.what = Found::What::finished;
  const auto entry =
      std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.number == *number; });
  if (entry == entries_.end() || entry->stream->finished_behind(*seq)) return found;
  found.what = Found::What::stream;
  found.stream = entry->stream;
  return found;
}

void ReplayStore::prune() {
  MutexLock lock(mutex_);
  prune_locked();
}

void ReplayStore::prune_locked() {
  const auto now = Clock::now();
  std::size_t finished = 0;
  std::size_t bytes = 0;
  // Newest first, so that the oldest fall out of the bounds.
  for (auto entry = entries_.rbegin(); entry != entries_.rend(); ++entry) {
    if (!entry->stream->is_over()) continue;
    if (!entry->over_since) entry->over_since = now;
    ++finished;
    bytes += entry->stream->kept_bytes();
    const bool expired = now - *entry->over_since > kFinishedTtl;
    if (expired || finished > kMaxFinished || (finished > 1 && bytes > kMaxFinishedBytes)) entry->stream.reset();
  }
  std::erase_if(entries_, [](const Entry& entry) { return entry.stream == nullptr; });
}

std::size_t ReplayStore::size() const {
  MutexLock lock(mutex_);
  return entries_.size();
}

}  // namespace bridle
