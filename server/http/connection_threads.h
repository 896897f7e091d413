#pragma once

#include <pthread.h>

#include <deque>
#include <functional>
#include <vector>

#include "base/sync.h"

namespace bridle {

// Threads that come as jobs come: a job never waits behind another. A thread that finished its job waits a moment
// for the next one. Any thread may call anything but join().
class ConnectionThreads {
 public:
  using Job = std::function<void()>;

  ConnectionThreads() = default;
  ~ConnectionThreads() { join(); }
  ConnectionThreads(const ConnectionThreads&) = delete;
  ConnectionThreads& operator=(const ConnectionThreads&) = delete;

  // Runs `job` on a thread of its own, now. False, without running it, when the system has no thread to give.
  bool submit(Job job) EXCLUDES(mutex_);
  // Waits for all jobs and ends all threads. Further jobs are refused.
  void join() EXCLUDES(mutex_);
  long alive() const EXCLUDES(mutex_);

 private:
  struct Start {
    ConnectionThreads* self;
    Job job;
  };
  static void* main(void* start);
  void work(Job job) EXCLUDES(mutex_);
  bool next(Job& job) EXCLUDES(mutex_);
  void reap() EXCLUDES(mutex_);

  mutable Mutex mutex_;
  CondVar changed_;
  std::deque<Job> jobs_ GUARDED_BY(mutex_);  // never more than idle_: each has its thread
  std::size_t idle_ GUARDED_BY(mutex_) = 0;
  long alive_ GUARDED_BY(mutex_) = 0;
  bool stopping_ GUARDED_BY(mutex_) = false;
  std::vector<pthread_t> ended_ GUARDED_BY(mutex_);  // to be joined; they hold no lock any more
};

}  // namespace bridle
