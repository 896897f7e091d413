#include "server/http/connection_shares.h"

namespace bridle {

std::unique_ptr<ConnectionShares::Place> ConnectionShares::take(const std::string& who) {
  const MutexLock lock(mutex_);
  if (strangers_ >= limits_.strangers) return nullptr;
  const auto held = held_.find(who);
  if (held != held_.end() && held->second >= limits_.one_stranger) return nullptr;
  ++held_[who];
  ++strangers_;
  return std::make_unique<Place>(*this, who);
}

void ConnectionShares::leave(const std::string& who) {
  const MutexLock lock(mutex_);
  --strangers_;
  const auto held = held_.find(who);
  if (--held->second == 0) held_.erase(held);
}

std::size_t ConnectionShares::strangers() const {
  const MutexLock lock(mutex_);
  return strangers_;
}

}  // namespace bridle
