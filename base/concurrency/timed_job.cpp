#include "base/concurrency/timed_job.h"

#include <exception>
#include <utility>

#include "base/text/log.h"

namespace bridle {
namespace {

// When no thread could be had.
constexpr Millis kRetry{1000};

}  // namespace

TimedJob::TimedJob(Background& background, std::function<void()> work)
    : threads_(background.threads), work_(std::move(work)), entry_(background.timer, [this] { start(); }) {}

void TimedJob::stop() {
  entry_.cancel();
  MutexLock lock(mutex_);
  while (running_) ended_.wait(lock);
}

// On the timer's thread.
void TimedJob::start() {
  {
    const MutexLock lock(mutex_);
    if (std::exchange(running_, true)) {
      again_ = true;
      return;
    }
  }
  if (threads_.submit([this] { run(); })) return;
  entry_.set(Clock::now() + kRetry);
  const MutexLock lock(mutex_);
  running_ = false;
  ended_.notify_all();
}

void TimedJob::run() {
  for (;;) {
    try {
      work_();
    } catch (const std::exception& error) {
      spdlog::error("a timed job threw: {}", loggable(error.what()));
    }
    const MutexLock lock(mutex_);
    if (std::exchange(again_, false)) continue;
    // Under the lock: whoever waits in stop() may destroy this object as soon as it is released.
    running_ = false;
    ended_.notify_all();
    return;
  }
}

}  // namespace bridle
