#include "tools/scope/isolated_tabs.h"

#include <algorithm>
#include <utility>

#include "base/errors.h"
#include "base/limits.h"
#include "tools/scope/browser_scope.h"

namespace bridle {

struct IsolatedTabs::Use {
  std::shared_ptr<IsolatedTabs> tabs;
  std::shared_ptr<BrowserScope> scope;
  Use(std::shared_ptr<IsolatedTabs> all, std::shared_ptr<BrowserScope> used)
      : tabs(std::move(all)), scope(std::move(used)) {}
  ~Use() { tabs->end_use(scope.get()); }
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;
};

std::shared_ptr<void> IsolatedTabs::reserve() {
  const auto give_back = [rooms = rooms_](void*) { --*rooms; };
  if (++*rooms_ > limits::kIsolatedContexts) {
    --*rooms_;
    throw ToolError("There are " + std::to_string(limits::kIsolatedContexts) +
                    " isolated contexts already, and no room for more: close those of yours that you no longer need "
                    "(browser_tabs close), or open a tab that isn't isolated.");
  }
  return {static_cast<void*>(rooms_.get()), give_back};
}

void IsolatedTabs::keep(const BrowserScope* owner, std::shared_ptr<BrowserScope> scope, std::shared_ptr<void> room) {
  MutexLock lock(mutex_);
  if (closed_) throw ToolError("The server is shutting down.");
  entries_.push_back(
      {.owner = owner, .scope = std::move(scope), .room = std::move(room), .uses = 0, .last_use = Clock::now()});
  expiry_.set_by(Clock::now() + idle_);
}

std::shared_ptr<BrowserScope> IsolatedTabs::find(const BrowserScope* owner, const std::string& tab_id) {
  for (const auto& candidate : of(owner)) {
    if (candidate->find(tab_id) == nullptr) continue;
    MutexLock lock(mutex_);
    // Taken under the lock, which end_idle() holds too: it can't end one between here and its use.
    const auto it =
        std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.scope == candidate; });
    if (it == entries_.end()) return nullptr;
    ++it->uses;
    auto use = std::make_shared<Use>(shared_from_this(), candidate);
    return {std::move(use), candidate.get()};
  }
  return nullptr;
}

void IsolatedTabs::end_use(const BrowserScope* scope) {
  MutexLock lock(mutex_);
  for (Entry& entry : entries_) {
    if (entry.scope.get() != scope) continue;
    --entry.uses;
    entry.last_use = Clock::now();
  }
}

std::vector<std::shared_ptr<BrowserScope>> IsolatedTabs::of(const BrowserScope* owner) const {
  std::vector<std::shared_ptr<BrowserScope>> found;
  MutexLock lock(mutex_);
  for (const Entry& entry : entries_) {
    if (entry.owner == owner) found.push_back(entry.scope);
  }
  return found;
}

namespace {

// Out of the list, to end outside the lock: a scope's end talks to the browser.
template <typename Entries, typename Ends>
Entries take_if(Entries& entries, Ends ends) {
  const auto first = std::stable_partition(entries.begin(), entries.end(), [&](const auto& e) { return !ends(e); });
  Entries taken(std::make_move_iterator(first), std::make_move_iterator(entries.end()));
  entries.erase(first, entries.end());
  return taken;
}

}  // namespace

void IsolatedTabs::remove(const BrowserScope* scope) {
  std::vector<Entry> ended;
  MutexLock lock(mutex_);
  ended = take_if(entries_, [&](const Entry& entry) { return entry.scope.get() == scope; });
  lock.unlock();
}

void IsolatedTabs::remove_all(const BrowserScope* owner) {
  std::vector<Entry> ended;
  MutexLock lock(mutex_);
  ended = take_if(entries_, [&](const Entry& entry) { return entry.owner == owner; });
  lock.unlock();
}

void IsolatedTabs::close() {
  std::vector<Entry> ended;
  {
    MutexLock lock(mutex_);
    closed_ = true;
    ended.swap(entries_);
  }
  expiry_.stop();
}

std::size_t IsolatedTabs::size() const {
  MutexLock lock(mutex_);
  return entries_.size();
}

// One in use is looked at again when it could have been idle for the limit at the earliest.
void IsolatedTabs::end_idle() {
  std::vector<Entry> ended;  // outside the lock
  const MutexLock lock(mutex_);
  const auto now = Clock::now();
  ended = take_if(entries_, [&](const Entry& one) { return one.uses == 0 && now - one.last_use >= idle_; });
  auto next = now + idle_;
  for (const Entry& entry : entries_) {
    if (entry.uses == 0) next = std::min(next, entry.last_use + idle_);
  }
  if (!entries_.empty()) expiry_.set_by(next);
}

std::string in_words(Millis time) {
  const auto count = time.count();
  if (count % 3'600'000 == 0) return std::to_string(count / 3'600'000) + " h";
  if (count % 60'000 == 0) return std::to_string(count / 60'000) + " min";
  if (count % 1000 == 0) return std::to_string(count / 1000) + " s";
  return std::to_string(count) + " ms";
}

}  // namespace bridle
