#include "base/concurrency/thread_pool.h"

#include <algorithm>
#include <exception>
#include <memory>
#include <utility>

#include "base/concurrency/thread.h"
#include "base/text/log.h"

namespace bridle {
namespace {

void run_job(const ThreadPool::Job& job, const char* thread) noexcept {
  try {
    job();
  } catch (const std::exception& error) {
    spdlog::error("a job of {} threw: {}", thread, loggable(error.what()));
  } catch (...) {
    spdlog::error("a job of {} threw something that is no std::exception", thread);
  }
}

void join_thread(const std::optional<pthread_t>& thread) {
  if (thread) ::pthread_join(*thread, nullptr);
}

}  // namespace

// One thread's place in the pool; the thread owns it.
struct ThreadPool::Worker {
  ThreadPool& pool;
  Job job;  // of an idle worker: null until submit() sets it, under the pool's lock
  CondVar wake{};
};

bool ThreadPool::submit(Job job) {
  {
    const MutexLock lock(mutex_);
    if (stopping_) return false;
    if (!idle_.empty()) {
      Worker* const worker = idle_.back();
      idle_.pop_back();
      worker->job = std::move(job);
      worker->wake.notify_one();
      return true;
    }
    if (alive_ >= options_.cap) return false;
    ++alive_;
  }
  auto worker = std::unique_ptr<Worker>(new Worker{.pool = *this, .job = std::move(job)});
  pthread_attr_t attributes;
  ::pthread_attr_init(&attributes);
  if (options_.stack_bytes > 0) ::pthread_attr_setstacksize(&attributes, options_.stack_bytes);
  pthread_t thread;
  const bool started = ::pthread_create(&thread, &attributes, &ThreadPool::main, worker.get()) == 0;
  ::pthread_attr_destroy(&attributes);
  if (started) {
    static_cast<void>(worker.release());  // main() owns it
    return true;
  }
  spdlog::error("the system has no thread for a job of {}", options_.name);
  const MutexLock lock(mutex_);
  --alive_;
  changed_.notify_all();
  return false;
}

void* ThreadPool::main(void* worker) {
  const std::unique_ptr<Worker> own(static_cast<Worker*>(worker));
  name_thread(own->pool.options_.name);
  own->pool.work(*own);
  return nullptr;
}

void ThreadPool::work(Worker& self) {
  do {
    run_job(self.job, options_.name);
    self.job = nullptr;  // its captures are gone before the thread is idle
  } while (next_job(self));
}

// Waits for the thread's next job. False when none came: the thread is signed off, and must not touch the pool again.
bool ThreadPool::next_job(Worker& self) {
  std::optional<pthread_t> before;
  {
    MutexLock lock(mutex_);
    if (!stopping_ && idle_.size() < options_.max_idle) {
      idle_.push_back(&self);
      const auto until = Clock::now() + options_.idle;
      while (!self.job && !stopping_) {
        if (self.wake.wait_until(lock, until) == std::cv_status::timeout) break;
      }
      if (self.job) return true;
      idle_.erase(std::find(idle_.begin(), idle_.end(), &self));
    }
    before = std::exchange(ended_, ::pthread_self());
    --alive_;
    changed_.notify_all();
  }
  join_thread(before);
  return false;
}

void ThreadPool::join() {
  std::optional<pthread_t> last;
  {
    MutexLock lock(mutex_);
    stopping_ = true;
    for (Worker* const worker : idle_) worker->wake.notify_one();
    while (alive_ > 0) changed_.wait(lock);
    last = std::exchange(ended_, std::nullopt);
  }
  join_thread(last);
}

long ThreadPool::threads() const {
  const MutexLock lock(mutex_);
  return static_cast<long>(alive_);
}

long ThreadPool::busy() const {
  const MutexLock lock(mutex_);
  return static_cast<long>(alive_ - idle_.size());
}

}  // namespace bridle
