#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <list>
#include <thread>
#include <vector>

#include "base/deadline.h"
#include "base/limits.h"
#include "base/sync.h"

namespace bridle {

// Threads that run requests: as many as there are jobs, up to a cap. A job starts at once or is refused; nothing
// queues here. An idle thread is reused, the last one to finish first, and ends after `idle`.
// Any thread may submit, jobs too. The pool must not be destroyed by one of its own jobs.
class WorkerPool {
 public:
  // A job occupies its thread until it has returned and its captures are gone: a little longer than its request is
  // in flight. So the default leaves room above limits::kInFlight, which the registry keeps to exactly.
  explicit WorkerPool(std::size_t cap = limits::kRequestThreads, Millis idle = std::chrono::seconds(10));
  // Refuses new jobs, waits for the running ones, joins every thread.
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  // False when `cap` jobs run already, when the pool is ending, or when no thread can be had; `job` is then dropped.
  // What a job throws is logged and goes no further.
  bool submit(std::function<void()> job) EXCLUDES(mutex_);

  // Threads alive now, and how many of them run a job: gauges.
  long threads() const EXCLUDES(mutex_);
  long busy() const EXCLUDES(mutex_);

 private:
  struct Worker {
    std::thread thread{};
    CondVar wake{};
    std::function<void()> job{};  // set by submit() under the lock, taken by the thread
  };
  using Workers = std::list<Worker>;

  void run(Workers::iterator self) EXCLUDES(mutex_);
  bool next_job(Workers::iterator self, std::function<void()>& job) EXCLUDES(mutex_);

  const std::size_t cap_;
  const Millis idle_time_;
  mutable Mutex mutex_;
  CondVar ended_;
  bool stopping_ GUARDED_BY(mutex_) = false;
  Workers workers_ GUARDED_BY(mutex_);
  std::vector<Workers::iterator> idle_ GUARDED_BY(mutex_);  // a stack
  Workers retired_ GUARDED_BY(mutex_);                      // at most one: each that ends joins the one before it
};

}  // namespace bridle
