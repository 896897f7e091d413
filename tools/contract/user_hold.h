#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/concurrency/call_context.h"
#include "base/concurrency/sync.h"
#include "base/limits.h"

namespace bridle {

// Whether a person has taken over what a client works on: while they have, the client's acting calls wait here
// [panel.take-over]. Any thread; its lock is a leaf.
class UserHold {
 public:
  // Takes over in the name of `who`; calls then wait for at most `limit`. False: somebody else has.
  bool take(const std::string& who, Millis limit = limits::kHold);
  // False: `who` has not taken over.
  bool hand_back(const std::string& who);

  struct State {
    std::string who{};
    Clock::time_point since{};
    int waiting = 0;  // calls
    Millis limit{};   // of their waits
  };
  std::optional<State> state() const;

  // Waits while somebody has taken over; `told` is called before and after the wait, if there is one. Throws Aborted,
  // and ToolError at the limit or ctx's deadline.
  void wait(const CallContext& ctx, const std::function<void(bool waits)>& told);
  // Whether somebody has handed back since this was last asked: what the client was told of before is out of date.
  bool take_news();

 private:
  mutable Mutex mutex_;
  CondVar changed_;
  std::optional<State> state_ GUARDED_BY(mutex_);
  bool news_ GUARDED_BY(mutex_) = false;
};

}  // namespace bridle
