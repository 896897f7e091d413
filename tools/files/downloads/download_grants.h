#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "base/concurrency/deadline.h"
#include "base/concurrency/sync.h"
#include "base/limits.h"

namespace bridle {

// Which downloads of one scope's tabs an action of the caller has begun; a page that begins one by itself has no grant
// for it [tool.downloads.caller]. Any thread; nothing here blocks.
//
// An action (a click, a key, typing, a script, ...) grants its tab as many downloads as may run at once, from its
// beginning until limits::kDownloadGrace after its end: a page often prepares a file first. A tab that opens meanwhile
// shares the grant. A navigation grants one, to what the caller has opened and not to the page that it leads to, so
// only until another document commits.
class DownloadGrants {
 public:
  void begin_action(const std::string& tab);
  void end_action(const std::string& tab);
  // `commits`: how many documents the tab has committed so far (TabState::commit_seq).
  void begin_navigation(const std::string& tab, std::uint64_t commits);
  // `still_loading`: it may still become a download.
  void end_navigation(const std::string& tab, bool still_loading);
  // A tab that a page opened.
  void tab_opened(const std::string& tab);
  // Uses up one download of the tab's grant; false when it has none.
  bool take(const std::string& tab, std::uint64_t commits);

 private:
  struct Grant {
    Clock::time_point until = Clock::time_point::max();
    std::size_t left = limits::kDownloadsAtOnce;
    bool navigation = false;
    std::uint64_t commits = 0;
  };
  void put(const std::string& tab, std::shared_ptr<Grant> grant) REQUIRES(mutex_);

  Mutex mutex_;
  std::map<std::string, std::shared_ptr<Grant>> grants_ GUARDED_BY(mutex_);  // by tab
  std::shared_ptr<Grant> newest_ GUARDED_BY(mutex_);                         // of an action
};

}  // namespace bridle
