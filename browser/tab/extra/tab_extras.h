#pragma once

#include <map>
#include <memory>
#include <string>

#include "base/concurrency/sync.h"

namespace bridle {

// What goes on in a tab beyond the call that began it: a trace, the count of code that runs. Kept by the tab, and let
// go of when the tab ends at the latest. Held by shared_ptr.
class TabExtra {
 public:
  TabExtra() = default;
  TabExtra(const TabExtra&) = delete;
  TabExtra& operator=(const TabExtra&) = delete;
  virtual ~TabExtra() = default;

  // A call is about to work on the tab. It may send commands, but must not wait.
  virtual void before_call() {}
  // The tab is gone: whoever waits for something of it must no longer. Any thread; must not wait.
  virtual void on_gone() {}
};

// Those of one tab, one of a name. Any thread; none of them is called or destroyed under the lock.
class TabExtras {
 public:
  // In place of one of that name. Where the tab is gone already nothing is kept.
  void keep(const std::string& name, std::shared_ptr<TabExtra> extra);
  std::shared_ptr<TabExtra> find(const std::string& name) const;  // null: there is none
  void drop(const std::string& name);
  void before_call() const;
  // The tab is gone.
  void end();

 private:
  mutable Mutex mutex_;
  std::map<std::string, std::shared_ptr<TabExtra>> extras_ GUARDED_BY(mutex_);
  bool ended_ GUARDED_BY(mutex_) = false;
};

}  // namespace bridle
