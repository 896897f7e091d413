#include "server/calls/call_timer.h"

#include <algorithm>
#include <utility>

#include "server/calls/tool_call.h"

namespace bridle {

CallTimer::~CallTimer() {
  std::jthread thread;
  {
    MutexLock lock(mutex_);
    thread = std::move(thread_);
  }
  thread.request_stop();
}

void CallTimer::watch(const std::shared_ptr<ToolCall>& call, bool may_become_task) {
  const auto now = Clock::now();
  Entry entry{.call = call};
  if (call->wants_progress()) entry.life = now + options_.sign_of_life;
  if (may_become_task) entry.task = now + options_.task_after;
  if (entry.next() == Clock::time_point::max()) return;
  MutexLock lock(mutex_);
  // Ended calls are dropped whenever the list would grow, so that dropping costs no more than the calls added since.
  if (entries_.size() == entries_.capacity())
    std::erase_if(entries_, [](const Entry& one) { return one.call.expired(); });
  entries_.push_back(std::move(entry));
  added_ = true;
  if (!thread_.joinable()) thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
  changed_.notify_all();
}

CallTimer::Due CallTimer::take_due() {
  Due due;
  const auto now = Clock::now();
  for (Entry& entry : entries_) {
    if (entry.next() > now) continue;
    auto call = entry.call.lock();
    if (!call) continue;
    if (entry.life <= now) {
      due.silent.push_back(call);
      entry.life = now + options_.sign_of_life;
    }
    if (entry.task <= now) {
      due.long_ones.push_back(std::move(call));
      entry.task = Clock::time_point::max();
    }
  }
  std::erase_if(entries_,
                [](const Entry& one) { return one.call.expired() || one.next() == Clock::time_point::max(); });
  return due;
}

void CallTimer::run(const std::stop_token& stop) {
  MutexLock lock(mutex_);
  while (!stop.stop_requested()) {
    added_ = false;
    auto next = Clock::time_point::max();
    for (const Entry& entry : entries_) next = std::min(next, entry.next());
    if (next <= Clock::now()) {
      Due due = take_due();
      // Done outside the lock, where the pointers are dropped too: the last pointer to a call ends the call.
      lock.unlock();
      for (const auto& call : due.silent) call->show_life();
      for (const auto& call : due.long_ones) call->become_task();
      due = {};
      lock.lock();
    } else if (entries_.empty()) {
      changed_.wait(lock, stop, [this]() REQUIRES(mutex_) { return added_; });
    } else {
      changed_.wait_until(lock, stop, next, [this]() REQUIRES(mutex_) { return added_; });
    }
  }
}

}  // namespace bridle
