#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/concurrency/call_context.h"
#include "base/concurrency/sync.h"
#include "base/limits.h"

namespace bridle {

// What a client is told once somebody has handed back [panel.take-over.told].
inline constexpr const char* kPersonActed = "the user took over the browser and has handed it back";

// Whether a person has taken over what a client works on: while they have, the client's acting calls wait here
// [panel.take-over]. Any thread; its lock is a leaf.
class UserHold {
 public:
  // Takes over in the name of `who`; calls then wait for at most `limit`. False: somebody else has.
  bool take(const std::string& who, Millis limit = limits::kHold);
  // Calls still wait, but nothing of what `who` does may reach a page any more: what they hold down can be released
  // before hand_back(). False: `who` has not taken over.
  bool let_go(const std::string& who);
  // Whether what `who` does may reach a page: they have taken over, and have not let go.
  bool acts(const std::string& who) const;
  // False: `who` has not taken over.
  bool hand_back(const std::string& who);

  struct State {
    std::string who{};
    Clock::time_point since{};
    Millis limit{};  // of a call's wait
    bool let_go = false;
  };
  std::optional<State> state() const;

  // Waits while somebody has taken over; `told` is called before and after the wait, if there is one. Throws Aborted,
  // and ToolError at the limit or ctx's deadline.
  void wait(const CallContext& ctx, const std::function<void(bool waits)>& told);
  // Not 0 once somebody has handed back and the client was not told of it yet: what it knows of its pages is out of
  // date. A number for told(), so that a person who comes again meanwhile is told of too.
  std::uint64_t news() const;
  void told(std::uint64_t news);

 private:
  mutable Mutex mutex_;
  CondVar changed_;
  std::optional<State> state_ GUARDED_BY(mutex_);
  std::uint64_t handed_back_ GUARDED_BY(mutex_) = 0;  // so often
  std::uint64_t told_ GUARDED_BY(mutex_) = 0;         // of so many of them
};

}  // namespace bridle
