#include "tools/contract/user_hold.h"

#include <algorithm>

#include "base/errors.h"

namespace bridle {

bool UserHold::take(const std::string& who, Millis limit) {
  const MutexLock lock(mutex_);
  if (state_) return state_->who == who;
  state_ = State{.who = who, .since = Clock::now(), .limit = limit};
  return true;
}

bool UserHold::let_go(const std::string& who) {
  const MutexLock lock(mutex_);
  if (!state_ || state_->who != who) return false;
  state_->let_go = true;
  return true;
}

bool UserHold::acts(const std::string& who) const {
  const MutexLock lock(mutex_);
  return state_ && state_->who == who && !state_->let_go;
}

bool UserHold::hand_back(const std::string& who) {
  {
    const MutexLock lock(mutex_);
    if (!state_ || state_->who != who) return false;
    state_.reset();
    ++handed_back_;
  }
  changed_.notify_all();
  return true;
}

std::optional<UserHold::State> UserHold::state() const {
  const MutexLock lock(mutex_);
  return state_;
}

void UserHold::wait(const CallContext& ctx, const std::function<void(bool waits)>& told) {
  MutexLock lock(mutex_);
  if (!state_) return;
  const auto limit = state_->limit;
  lock.unlock();
  told(true);
  lock.lock();
  const bool free = wait_until(ctx.within(limit), changed_, lock, [this]() REQUIRES(mutex_) { return !state_; });
  lock.unlock();
  told(false);
  if (!free)
    throw ToolError(
        "Nothing was done: the user has taken over the browser at bridle's control panel, and has not handed it back "
        "yet. Calls that only read still work; try again later.");
}

std::uint64_t UserHold::news() const {
  const MutexLock lock(mutex_);
  return handed_back_ > told_ ? handed_back_ : 0;
}

void UserHold::told(std::uint64_t news) {
  const MutexLock lock(mutex_);
  told_ = std::max(told_, news);
}

}  // namespace bridle
