#include "tests/site/releases.h"

#include "tests/site/socket.h"

namespace bridle::site {

Releases::Ticket::Ticket(Releases& board, std::string path, std::string target, const WakeFd& wake_event)
    : board_(board) {
  const std::scoped_lock lock(board_.mutex_);
  entry_ = board_.entries_.insert(board_.entries_.end(), Entry{std::move(path), std::move(target), &wake_event});
}

Releases::Ticket::~Ticket() {
  const std::scoped_lock lock(board_.mutex_);
  board_.entries_.erase(entry_);
}

bool Releases::Ticket::released(const std::string& key) const {
  const std::scoped_lock lock(board_.mutex_);
  return entry_->released || (!key.empty() && board_.keys_.contains(key));
}

void Releases::release(std::string_view name) {
  const std::scoped_lock lock(mutex_);
  const bool by_path = name.starts_with('/');
  if (!by_path) keys_.emplace(name);
  for (Entry& entry : entries_) {
    if (by_path && (entry.path == name || entry.target == name)) entry.released = true;
    // Who waits for a key asks again when woken.
    entry.wake_event->wake();
  }
}

void Releases::clear() {
  const std::scoped_lock lock(mutex_);
  keys_.clear();
}

}  // namespace bridle::site
