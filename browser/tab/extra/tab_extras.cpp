#include "browser/tab/extra/tab_extras.h"

#include <utility>
#include <vector>

namespace bridle {

void TabExtras::keep(const std::string& name, std::shared_ptr<TabExtra> extra) {
  MutexLock lock(mutex_);
  const bool ended = ended_;
  if (!ended) extras_[name].swap(extra);
  lock.unlock();
  if (ended) extra->on_gone();
}

std::shared_ptr<TabExtra> TabExtras::find(const std::string& name) const {
  MutexLock lock(mutex_);
  const auto it = extras_.find(name);
  return it == extras_.end() ? nullptr : it->second;
}

void TabExtras::drop(const std::string& name) {
  std::shared_ptr<TabExtra> dropped;
  MutexLock lock(mutex_);
  if (const auto it = extras_.find(name); it != extras_.end()) {
    dropped = std::move(it->second);
    extras_.erase(it);
  }
  lock.unlock();
}

void TabExtras::before_call() const {
  std::vector<std::shared_ptr<TabExtra>> all;
  {
    MutexLock lock(mutex_);
    for (const auto& [name, extra] : extras_) all.push_back(extra);
  }
  for (const auto& extra : all) extra->before_call();
}

void TabExtras::end() {
  std::map<std::string, std::shared_ptr<TabExtra>> extras;
  {
    MutexLock lock(mutex_);
    ended_ = true;
    extras.swap(extras_);
  }
  for (const auto& [name, extra] : extras) extra->on_gone();
}

}  // namespace bridle
