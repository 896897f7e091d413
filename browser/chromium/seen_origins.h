#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/concurrency/sync.h"
#include "base/text/json.h"

namespace bridle {

// The http and https origins that frames of one browser have shown, by browser context: the only ones that can have
// stored anything there, as the browser itself tells of none. Any thread.
class SeenOrigins {
 public:
  // A frame has shown the origin.
  void add(const std::string& context_id, const std::string& origin);
  // What is stored at an origin is known where a storage state has put it there and nothing has touched the origin
  // before or since: nobody but its own documents can change it. A state begins to put something there, so it isn't
  // known now.
  void begin_restoring(const std::string& context_id, const std::string& origin);
  void end_restoring(const std::string& context_id, const std::string& origin, std::shared_ptr<const Json> stored);
  // Something may have changed what any of them have stored.
  void touch_all(const std::string& context_id);
  // What is known to be stored there; null if it has to be read.
  std::shared_ptr<const Json> stored(const std::string& context_id, const std::string& origin) const;
  void forget(const std::string& context_id);
  // In the order of the alphabet.
  std::vector<std::string> of(const std::string& context_id) const;
  std::vector<std::string> of_all() const;
  // More than limits::kSeenOrigins have been there: the others are not known.
  bool overflowed() const;

 private:
  mutable Mutex mutex_;
  struct Seen {
    bool touched = false;  // by a document that may have stored something, or by a response that has cleared it
    std::shared_ptr<const Json> stored{};
  };
  using Origins = std::map<std::string, Seen>;
  Seen* entry(const std::string& context_id, const std::string& origin) REQUIRES(mutex_);  // null: there is no room
  std::map<std::string, Origins> by_context_ GUARDED_BY(mutex_);
  bool overflowed_ GUARDED_BY(mutex_) = false;
};

}  // namespace bridle
