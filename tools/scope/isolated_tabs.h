#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "base/concurrency/call_context.h"
#include "base/concurrency/deadline.h"
#include "base/concurrency/sync.h"
#include "base/concurrency/timed_job.h"

namespace bridle {

class BrowserScope;

// The contexts that `browser_tabs {action: "new", isolated: true}` opens beside their caller's own: one for all scopes.
// Each is a BrowserScope of its own whose tab ids are handles that can't be guessed [wire.handles]. A call that acts in
// one holds a use of it; a context that nobody has used for the limit is closed, with its tabs, on a background thread.
// Any thread may call anything; contexts end outside the lock.
class IsolatedTabs : public std::enable_shared_from_this<IsolatedTabs> {
 public:
  // `background` outlives close().
  IsolatedTabs(Millis idle, Background& background) : idle_(idle), expiry_(background, [this] { end_idle(); }) {}
  ~IsolatedTabs() { close(); }
  IsolatedTabs(const IsolatedTabs&) = delete;
  IsolatedTabs& operator=(const IsolatedTabs&) = delete;

  Millis idle_limit() const { return idle_; }

  // Reserves one of limits::kIsolatedContexts places, which all scopes share; the returned handle gives it back. Throws
  // ToolError when there is none.
  std::shared_ptr<void> reserve();
  // Registers an isolated scope that has its first tab, with the place that reserve() gave for it; `owner` is the scope
  // it belongs to.
  void keep(const BrowserScope* owner, std::shared_ptr<BrowserScope> scope, std::shared_ptr<void> room);
  // The owner's isolated scope that has this tab, or null. It doesn't count as idle while the returned pointer lives.
  std::shared_ptr<BrowserScope> find(const BrowserScope* owner, const std::string& tab_id);
  // All isolated scopes of an owner in the order they were opened; the pointers don't keep them from being idle.
  std::vector<std::shared_ptr<BrowserScope>> of(const BrowserScope* owner) const;
  // Closes one isolated scope now, or all of an owner's.
  void remove(const BrowserScope* scope);
  void remove_all(const BrowserScope* owner);
  // Lets go of all, and waits for those that end just now. Idempotent.
  void close();

  std::size_t size() const;

 private:
  struct Use;
  struct Entry {
    const BrowserScope* owner = nullptr;
    std::shared_ptr<BrowserScope> scope{};
    std::shared_ptr<void> room{};
    long uses = 0;
    Clock::time_point last_use{};
  };
  void end_use(const BrowserScope* scope);
  void end_idle() EXCLUDES(mutex_);

  const Millis idle_;
  const std::shared_ptr<std::atomic<long>> rooms_ =
      std::make_shared<std::atomic<long>>(0);  // outlives us with its room
  mutable Mutex mutex_;
  std::vector<Entry> entries_ GUARDED_BY(mutex_);
  bool closed_ GUARDED_BY(mutex_) = false;
  TimedJob expiry_;  // set to the time at which the next one may have been idle for the limit
};

// "30 min", "1 h", "45 s": a limit in words as short as they can be and still exact.
std::string in_words(Millis time);

}  // namespace bridle
