#pragma once

#include <algorithm>
#include <memory>
#include <thread>
#include <vector>

#include "base/deadline.h"
#include "base/limits.h"
#include "base/sync.h"

namespace bridle {

class ToolCall;

// What a call needs in its own time where many calls share one stream, so that the stream's silence tells nothing of
// theirs: stdio, HTTP+SSE. A progress notification now and then, for clients that give up on silent calls
// [wire.progress.alive], and a task made of it when it takes long. One thread, asleep until the
// next is due, started by the first call that needs it. Any thread may call anything.
class CallTimer {
 public:
  // For every transport: below this, polling a task costs more than waiting for the call [why.task-after-5-seconds].
  static constexpr Millis kTaskAfter{5000};

  struct Options {
    Millis sign_of_life = limits::kKeepAlive;
    Millis task_after = kTaskAfter;
  };
  explicit CallTimer(Options options) : options_(options) {}
  ~CallTimer();
  CallTimer(const CallTimer&) = delete;
  CallTimer& operator=(const CallTimer&) = delete;

  // Nothing happens for a call that asked for no progress and can't become a task. Never keeps a call alive.
  void watch(const std::shared_ptr<ToolCall>& call, bool may_become_task);

 private:
  struct Entry {
    std::weak_ptr<ToolCall> call{};
    Clock::time_point life = Clock::time_point::max();
    Clock::time_point task = Clock::time_point::max();
    Clock::time_point next() const { return std::min(life, task); }
  };
  void run(const std::stop_token& stop);
  struct Due {
    std::vector<std::shared_ptr<ToolCall>> silent{};
    std::vector<std::shared_ptr<ToolCall>> long_ones{};
  };
  Due take_due() REQUIRES(mutex_);

  const Options options_;
  Mutex mutex_;
  CondVar changed_;
  std::vector<Entry> entries_ GUARDED_BY(mutex_);
  bool added_ GUARDED_BY(mutex_) = false;  // since the thread last looked for the next that is due
  std::jthread thread_ GUARDED_BY(mutex_);
};

}  // namespace bridle
