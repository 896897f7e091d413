#pragma once

#include <functional>
#include <map>
#include <memory>
#include <thread>

#include "base/concurrency/deadline.h"
#include "base/concurrency/sync.h"

namespace bridle {

// Whatever only sleeps until something is due is an entry of the process's one Timer [why.one-timer]: deadlines,
// warnings, expiries, signs of life. One thread (bridle-timer), asleep until the earliest entry is due, calls the
// entries' callbacks.
//
// A callback may notify, abort a controller, queue a frame, write a log line, and set, cancel or destroy any entry,
// its own too. It must not wait for a peer, a browser or a thread, as every other entry would be late: work that can
// is handed to a ThreadPool, as TimedJob (base/concurrency/timed_job.h) does. What a callback throws is logged.
//
// Setting, cancelling and firing cost O(log n) for n entries that are set. The timer outlives its entries. Its lock is
// a leaf: nothing is called while it is held.
class Timer {
 private:
  struct Slot;
  using Queue = std::multimap<Clock::time_point, std::shared_ptr<Slot>>;

 public:
  // One thing that becomes due: a callback and at most one time for it. Any thread may call anything, callbacks and
  // AbortCallbacks too.
  class Entry {
   public:
    // Not set yet.
    Entry(Timer& timer, std::function<void()> callback);
    ~Entry() { cancel(); }
    Entry(const Entry&) = delete;
    Entry& operator=(const Entry&) = delete;

    // Calls back once, at `when` or as soon after it as the timer's thread can; replaces what was set before. Never,
    // for Clock::time_point::max(). Ignored once cancelled.
    void set(Clock::time_point when);
    // The same, unless it is set to an earlier time already.
    void set_by(Clock::time_point when);
    // For good: afterwards the callback neither runs nor will run. Waits for a callback that is running, but not inside
    // the callback itself. So hold no lock here that the callback takes.
    void cancel();

   private:
    Timer& timer_;
    const std::shared_ptr<Slot> slot_;
  };

  Timer();
  ~Timer();
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  // Entries that are set now: a gauge.
  long pending() const EXCLUDES(mutex_);

 private:
  void set(const std::shared_ptr<Slot>& slot, Clock::time_point when, bool keep_earlier) EXCLUDES(mutex_);
  void cancel(Slot& slot) EXCLUDES(mutex_);
  void unqueue(Slot& slot) REQUIRES(mutex_);
  void run() EXCLUDES(mutex_);

  mutable Mutex mutex_;
  CondVar earlier_;  // the earliest entry changed
  CondVar ended_;    // a callback returned
  Queue queue_ GUARDED_BY(mutex_);
  const Slot* running_ GUARDED_BY(mutex_) = nullptr;
  bool stopping_ GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace bridle
