#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <unordered_map>

#include "base/concurrency/sync.h"

namespace bridle {

// How many of the server's connections strangers hold [wire.shares]. A stranger is a peer that isn't known to be of
// bridle's own user and has not shown the token. Strangers share a part of all connections, and each of them has a part
// of that part, so that nobody can keep the owner out by holding connections. Any thread.
class ConnectionShares {
 public:
  struct Limits {
    std::size_t strangers;     // of all strangers together
    std::size_t one_stranger;  // of one user, or of one address where the user isn't known
  };
  explicit ConnectionShares(Limits limits) : limits_(limits) {}
  ConnectionShares(const ConnectionShares&) = delete;
  ConnectionShares& operator=(const ConnectionShares&) = delete;

  // The place of one stranger's connection, which is free again when the place is destroyed. The shares outlive it.
  class Place {
   public:
    Place(ConnectionShares& shares, std::string who) : shares_(shares), who_(std::move(who)) {}
    ~Place() { shares_.leave(who_); }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

   private:
    ConnectionShares& shares_;
    const std::string who_;
  };
  // Null when the stranger, or all of them, have no place left. `who` tells strangers apart.
  std::unique_ptr<Place> take(const std::string& who) EXCLUDES(mutex_);
  std::size_t strangers() const EXCLUDES(mutex_);

 private:
  void leave(const std::string& who) EXCLUDES(mutex_);

  const Limits limits_;
  mutable Mutex mutex_;
  std::size_t strangers_ GUARDED_BY(mutex_) = 0;
  std::unordered_map<std::string, std::size_t> held_ GUARDED_BY(mutex_);
};

}  // namespace bridle
