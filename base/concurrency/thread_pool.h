#pragma once

#include <pthread.h>

#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "base/concurrency/deadline.h"
#include "base/concurrency/sync.h"

namespace bridle {

// An elastic, capped set of threads: as many as there are jobs. A job starts at once on a thread of its own or is
// refused; nothing queues here, so no job waits behind another. A thread that finished its job waits a while for the
// next one; the last one to finish is the first to be used again.
// Any thread may call submit() and the gauges, jobs too. A job must neither join nor destroy its pool.
class ThreadPool {
 public:
  using Job = std::function<void()>;
  struct Options {
    const char* name = "bridle-work";  // of each thread, see name_thread(); a string literal
    std::size_t cap = std::numeric_limits<std::size_t>::max();
    std::size_t max_idle = std::numeric_limits<std::size_t>::max();
    Millis idle{10'000};          // how long a thread waits for its next job
    std::size_t stack_bytes = 0;  // 0: the system's default
  };
  explicit ThreadPool(Options options) : options_(options) {}
  ~ThreadPool() { join(); }
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  // False when `cap` jobs run already, when the pool is ending, or when the system has no thread to give; `job` is then
  // dropped without being run. What a job throws is logged and goes no further.
  bool submit(Job job) EXCLUDES(mutex_);
  // Refuses further jobs, waits for those that run, and joins every thread. Idempotent.
  void join() EXCLUDES(mutex_);

  // Threads alive now, and how many of them run a job: gauges.
  long threads() const EXCLUDES(mutex_);
  long busy() const EXCLUDES(mutex_);

 private:
  struct Worker;
  static void* main(void* worker);
  void work(Worker& self) EXCLUDES(mutex_);
  bool next_job(Worker& self) EXCLUDES(mutex_);

  const Options options_;
  mutable Mutex mutex_;
  CondVar changed_;  // a thread ended
  bool stopping_ GUARDED_BY(mutex_) = false;
  std::size_t alive_ GUARDED_BY(mutex_) = 0;
  std::vector<Worker*> idle_ GUARDED_BY(mutex_);  // a stack
  // The thread that ended last, to be joined by the next one that ends: of a burst of a thousand threads one stack is
  // kept. It holds no lock any more.
  std::optional<pthread_t> ended_ GUARDED_BY(mutex_);
};

}  // namespace bridle
