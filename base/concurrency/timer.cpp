#include "base/concurrency/timer.h"

#include <exception>
#include <utility>

#include "base/concurrency/thread.h"
#include "base/text/log.h"

namespace bridle {
namespace {

void call(const std::function<void()>& callback) noexcept {
  try {
    callback();
  } catch (const std::exception& error) {
    spdlog::error("a timer's callback threw: {}", loggable(error.what()));
  } catch (...) {
    spdlog::error("a timer's callback threw something that is no std::exception");
  }
}

}  // namespace

// Shared by its entry and, while the callback runs, by the timer's thread: so the callback may destroy its entry. The
// plain members are guarded by the timer's mutex.
struct Timer::Slot {
  const std::function<void()> callback;
  bool cancelled = false;
  bool queued = false;
  Queue::iterator place{};  // of a queued one
};

Timer::Entry::Entry(Timer& timer, std::function<void()> callback)
    : timer_(timer), slot_(std::shared_ptr<Slot>(new Slot{.callback = std::move(callback)})) {}

void Timer::Entry::set(Clock::time_point when) { timer_.set(slot_, when, false); }

void Timer::Entry::set_by(Clock::time_point when) { timer_.set(slot_, when, true); }

void Timer::Entry::cancel() { timer_.cancel(*slot_); }

Timer::Timer() : thread_(start_thread("bridle-timer", [this] { run(); })) {}

Timer::~Timer() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
    earlier_.notify_all();
  }
  thread_.join();
}

long Timer::pending() const {
  const MutexLock lock(mutex_);
  return static_cast<long>(queue_.size());
}

void Timer::set(const std::shared_ptr<Slot>& slot, Clock::time_point when, bool keep_earlier) {
  const MutexLock lock(mutex_);
  if (slot->cancelled) return;
  if (keep_earlier && slot->queued && slot->place->first <= when) return;
  unqueue(*slot);
  if (when == Clock::time_point::max()) return;
  slot->place = queue_.emplace(when, slot);
  slot->queued = true;
  if (slot->place == queue_.begin()) earlier_.notify_one();
}

void Timer::cancel(Slot& slot) {
  MutexLock lock(mutex_);
  slot.cancelled = true;
  unqueue(slot);
  if (std::this_thread::get_id() == thread_.get_id()) return;
  while (running_ == &slot) ended_.wait(lock);
}

// The entry holds the slot: erasing it from the queue never runs a capture's destructor under the lock.
void Timer::unqueue(Slot& slot) {
  if (!slot.queued) return;
  queue_.erase(slot.place);
  slot.queued = false;
}

void Timer::run() {
  MutexLock lock(mutex_);
  while (!stopping_) {
    if (queue_.empty()) {
      earlier_.wait(lock);
      continue;
    }
    const auto first = queue_.begin();
    if (const auto when = first->first; when > Clock::now()) {
      earlier_.wait_until(lock, when);
      continue;
    }
    auto slot = first->second;
    unqueue(*slot);
    running_ = slot.get();
    lock.unlock();
    call(slot->callback);
    lock.lock();
    running_ = nullptr;
    ended_.notify_all();
    lock.unlock();
    slot.reset();  // a callback that destroyed its entry: its captures end here, outside the lock
    lock.lock();
  }
}

}  // namespace bridle
