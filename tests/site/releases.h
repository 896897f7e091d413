// Lets a test say when a held answer goes on.
#pragma once

#include <list>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

#include "base/concurrency/wake_fd.h"

namespace bridle::site {

// Any thread may call anything here. Must outlive its tickets.
class Releases {
  struct Entry {
    std::string path;
    std::string target;
    const WakeFd* wake_event;
    bool released = false;
  };

 public:
  // One request's place on the board. Taken before the request appears in the log, so that a test which has seen the
  // request can't release it too early.
  class Ticket {
   public:
    Ticket(Releases& board, std::string path, std::string target, const WakeFd& wake_event);
    ~Ticket();
    Ticket(const Ticket&) = delete;
    Ticket& operator=(const Ticket&) = delete;

    // Released by its path, or by `key` if that isn't empty. Stays so for the rest of the request.
    bool released(const std::string& key = "") const;

   private:
    Releases& board_;
    std::list<Entry>::iterator entry_;
  };

  // A name that starts with '/' is a path (with a '?', a whole target) and frees the requests under way. Any other is
  // a key, and stays released until clear(): it frees requests to come too.
  void release(std::string_view name);
  void clear();

 private:
  mutable std::mutex mutex_;
  std::list<Entry> entries_;    // guarded by mutex_
  std::set<std::string> keys_;  // guarded by mutex_
};

}  // namespace bridle::site
