#pragma once

#include <cstdint>
#include <functional>
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
  // A frame has shown the origin. "": a document has gone, and none of an origin has come in its place.
  void add(const std::string& context_id, const std::string& origin);
  // What is stored at an origin is known where a storage state has put it there and nothing has touched the origin
  // before or since: nobody but its own documents can change it. A state begins to put something there, so it isn't
  // known now.
  void begin_restoring(const std::string& context_id, const std::string& origin);
  void end_restoring(const std::string& context_id, const std::string& origin, std::shared_ptr<const Json> stored);
  // Something may have changed what any of them have stored.
  void touch_all(const std::string& context_id);
  // The origins of which it has to be read what they have stored, but for those that end_reading() has put off; each
  // with a mark of what has become of it until now.
  struct Unread {
    std::string origin{};
    std::uint64_t mark = 0;
  };
  std::vector<Unread> unread(const std::string& context_id) const;
  // It was read after unread() had given the mark, while no document of the origin was left: from now on it is known,
  // unless something has become of the origin since, or limits::kStorageKept is full. Null: what is there can change
  // without a document, so it isn't remembered. Either way it is put off until something touches the origin again.
  void end_reading(const std::string& context_id, const Unread& read, std::shared_ptr<const Json> stored);
  // `touched` is called whenever something may have changed what one of the context's origins has stored, or a document
  // has gone, with a lock held: it may set a timer, and nothing else. Empty: no more, and none is under way.
  void watch(const std::string& context_id, std::function<void()> touched);
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
    std::size_t bytes = 0;  // of `stored` as a text
    bool put_off = false;
    std::uint64_t mark = 0;
  };
  using Origins = std::map<std::string, Seen>;
  void tell(const std::string& context_id) EXCLUDES(watchers_mutex_);
  Seen* entry(const std::string& context_id, const std::string& origin) REQUIRES(mutex_);  // null: there is no room
  std::map<std::string, Origins> by_context_ GUARDED_BY(mutex_);
  bool overflowed_ GUARDED_BY(mutex_) = false;
  std::uint64_t marks_ GUARDED_BY(mutex_) = 0;
  Mutex watchers_mutex_;
  std::map<std::string, std::function<void()>> watchers_ GUARDED_BY(watchers_mutex_);  // by context
};

}  // namespace bridle
