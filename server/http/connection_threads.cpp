#include "server/http/connection_threads.h"

#include <chrono>
#include <memory>

namespace bridle {
namespace {

// Small, because there may be a thousand; and below the size of a huge page, or each might cost one.
constexpr std::size_t kStackBytes = 512 * 1024;
constexpr std::size_t kMaxIdle = 16;
constexpr std::chrono::milliseconds kIdleTime{1000};

void join_all(const std::vector<pthread_t>& threads) {
  for (const auto thread : threads) ::pthread_join(thread, nullptr);
}

}  // namespace

bool ConnectionThreads::submit(Job job) {
  reap();
  {
    MutexLock lock(mutex_);
    if (stopping_) return false;
    if (idle_ > jobs_.size()) {
      jobs_.push_back(std::move(job));
      changed_.notify_one();
      return true;
    }
    ++alive_;
  }
  auto start = std::make_unique<Start>(Start{this, std::move(job)});
  pthread_attr_t attributes;
  ::pthread_attr_init(&attributes);
  ::pthread_attr_setstacksize(&attributes, kStackBytes);
  pthread_t thread;
  const bool started = ::pthread_create(&thread, &attributes, &ConnectionThreads::main, start.get()) == 0;
  ::pthread_attr_destroy(&attributes);
  if (started) {
    static_cast<void>(start.release());  // main() owns it
    return true;
  }
  MutexLock lock(mutex_);
  --alive_;
  changed_.notify_all();
  return false;
}

void* ConnectionThreads::main(void* start) {
  const std::unique_ptr<Start> own(static_cast<Start*>(start));
  own->self->work(std::move(own->job));
  return nullptr;
}

void ConnectionThreads::work(Job job) {
  do {
    job();
    job = nullptr;
  } while (next(job));
}

// The next job for this thread; false, with the thread signed off, when none came.
bool ConnectionThreads::next(Job& job) {
  std::vector<pthread_t> ended;
  {
    MutexLock lock(mutex_);
    if (idle_ < kMaxIdle) {
      ++idle_;
      const auto until = std::chrono::steady_clock::now() + kIdleTime;
      while (jobs_.empty() && !stopping_) {
        if (changed_.wait_until(lock, until) == std::cv_status::timeout) break;
      }
      --idle_;
      if (!jobs_.empty()) {
        job = std::move(jobs_.front());
        jobs_.pop_front();
        return true;
      }
    }
    // Each thread joins those that left before it: of a burst of a thousand, one stack is kept.
    ended.swap(ended_);
    ended_.push_back(::pthread_self());
    --alive_;
    changed_.notify_all();
  }
  join_all(ended);
  return false;
}

void ConnectionThreads::reap() {
  std::vector<pthread_t> ended;
  {
    MutexLock lock(mutex_);
    ended.swap(ended_);
  }
  join_all(ended);
}

void ConnectionThreads::join() {
  {
    MutexLock lock(mutex_);
    stopping_ = true;
    changed_.notify_all();
    while (alive_ > 0) changed_.wait(lock);
  }
  reap();
}

long ConnectionThreads::alive() const {
  MutexLock lock(mutex_);
  return alive_;
}

}  // namespace bridle
