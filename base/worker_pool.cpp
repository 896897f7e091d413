#include "base/worker_pool.h"

#include <algorithm>
#include <exception>
#include <system_error>
#include <utility>

#include "base/log.h"

namespace bridle {
namespace {

void run_job(const std::function<void()>& job) noexcept {
  try {
    job();
  } catch (const std::exception& error) {
    spdlog::error("a request thread's job threw: {}", loggable(error.what()));
  } catch (...) {
    spdlog::error("a request thread's job threw something that is no std::exception");
  }
}

}  // namespace

WorkerPool::WorkerPool(std::size_t cap, Millis idle) : cap_(cap), idle_time_(idle) {}

WorkerPool::~WorkerPool() {
  Workers last;
  {
    MutexLock lock(mutex_);
    stopping_ = true;
    for (const auto worker : idle_) worker->wake.notify_one();
    while (!workers_.empty()) ended_.wait(lock);
    last.splice(last.end(), retired_);
  }
  for (auto& worker : last) worker.thread.join();
}

bool WorkerPool::submit(std::function<void()> job) {
  const MutexLock lock(mutex_);
  if (stopping_) return false;
  if (!idle_.empty()) {
    const auto worker = idle_.back();
    idle_.pop_back();
    worker->job = std::move(job);
    worker->wake.notify_one();
    return true;
  }
  if (workers_.size() >= cap_) return false;
  const auto self = workers_.emplace(workers_.end());
  self->job = std::move(job);
  try {
    self->thread = std::thread([this, self] { run(self); });
  } catch (const std::system_error& error) {
    job = std::move(self->job);  // its captures die outside the lock
    workers_.erase(self);
    spdlog::error("no thread for a request: {}", error.what());
    return false;
  }
  return true;
}

long WorkerPool::threads() const {
  const MutexLock lock(mutex_);
  return static_cast<long>(workers_.size());
}

long WorkerPool::busy() const {
  const MutexLock lock(mutex_);
  return static_cast<long>(workers_.size() - idle_.size());
}

void WorkerPool::run(Workers::iterator self) {
  std::function<void()> job;
  {
    const MutexLock lock(mutex_);  // also waits until submit() has stored self->thread
    job = std::exchange(self->job, nullptr);
  }
  do {
    run_job(job);
    job = nullptr;  // its captures are gone before the thread is idle
  } while (next_job(self, job));

  Workers previous;
  {
    const MutexLock lock(mutex_);
    previous.splice(previous.end(), retired_);
    retired_.splice(retired_.end(), workers_, self);
    // Under the lock: once the destructor sees no workers, `this` goes away as soon as this thread is joined.
    if (workers_.empty()) ended_.notify_all();
  }
  for (auto& worker : previous) worker.thread.join();
}

bool WorkerPool::next_job(Workers::iterator self, std::function<void()>& job) {
  MutexLock lock(mutex_);
  if (stopping_) return false;
  idle_.push_back(self);
  const auto until = Clock::now() + idle_time_;
  while (!self->job && !stopping_) {
    if (self->wake.wait_until(lock, until) == std::cv_status::timeout) break;
  }
  if (!self->job) {
    idle_.erase(std::find(idle_.begin(), idle_.end(), self));
    return false;
  }
  job = std::exchange(self->job, nullptr);
  return true;
}

}  // namespace bridle
