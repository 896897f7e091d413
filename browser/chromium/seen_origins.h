#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/concurrency/sync.h"

namespace bridle {

// The http and https origins that frames of one browser have shown, by browser context: the only ones that can have
// stored anything there, as the browser itself tells of none. Any thread.
class SeenOrigins {
 public:
  void add(const std::string& context_id, const std::string& origin);
  void forget(const std::string& context_id);
  // In the order of the alphabet.
  std::vector<std::string> of(const std::string& context_id) const;
  std::vector<std::string> of_all() const;
  // More than limits::kSeenOrigins have been there: the others are not known.
  bool overflowed() const;

 private:
  mutable Mutex mutex_;
  std::map<std::string, std::set<std::string>> by_context_ GUARDED_BY(mutex_);
  bool overflowed_ GUARDED_BY(mutex_) = false;
};

}  // namespace bridle
