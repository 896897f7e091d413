#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>

#include "base/concurrency/sync.h"
#include "base/text/json.h"

namespace bridle {

// Somebody who is told of each command before it is sent; nobody at first. Any thread.
class CommandWatch {
 public:
  // It must not wait, and may be called once more after it was replaced. Null: nobody.
  using Listener = std::function<void(std::string_view method, const Json& params)>;
  void set(Listener listener) {
    is_set_ = static_cast<bool>(listener);
    MutexLock lock(mutex_);
    listener_ = listener ? std::make_shared<const Listener>(std::move(listener)) : nullptr;
  }
  void tell(std::string_view method, const Json& params) {
    if (!is_set_) return;
    std::shared_ptr<const Listener> listener;
    {
      MutexLock lock(mutex_);
      listener = listener_;
    }
    if (listener) (*listener)(method, params);
  }

 private:
  std::atomic<bool> is_set_{false};
  Mutex mutex_;
  std::shared_ptr<const Listener> listener_ GUARDED_BY(mutex_);
};

}  // namespace bridle
