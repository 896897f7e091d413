#pragma once

#include <functional>

#include "base/concurrency/deadline.h"
#include "base/concurrency/sync.h"
#include "base/concurrency/thread_pool.h"
#include "base/concurrency/timer.h"

namespace bridle {

// The process's timer, and the threads for what becomes due and may block (a session's end, an idle context's end).
// Made by main(), passed down, outlives its users.
struct Background {
  ThreadPool threads{{.name = "bridle-work", .cap = 64, .max_idle = 1}};
  Timer timer{};
};

// Work that is due at some time and may block: the timer hands it to a thread of the pool. It never runs twice at once;
// one that becomes due while it runs runs once more. Any thread may call set(), the work itself too.
class TimedJob {
 public:
  TimedJob(Background& background, std::function<void()> work);
  ~TimedJob() { stop(); }
  TimedJob(const TimedJob&) = delete;
  TimedJob& operator=(const TimedJob&) = delete;

  // As Timer::Entry.
  void set(Clock::time_point when) { entry_.set(when); }
  void set_by(Clock::time_point when) { entry_.set_by(when); }
  // For good: waits for a run, so it must not be called by the work, nor under a lock that the work takes. Idempotent.
  void stop() EXCLUDES(mutex_);

 private:
  void start() EXCLUDES(mutex_);
  void run() EXCLUDES(mutex_);

  ThreadPool& threads_;
  const std::function<void()> work_;
  Mutex mutex_;
  CondVar ended_;
  bool running_ GUARDED_BY(mutex_) = false;
  bool again_ GUARDED_BY(mutex_) = false;
  Timer::Entry entry_;
};

}  // namespace bridle
