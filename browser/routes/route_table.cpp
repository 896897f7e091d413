#include "browser/routes/route_table.h"

#include <algorithm>
#include <utility>

#include "base/errors.h"
#include "base/limits.h"

namespace bridle {

RouteTable::RouteTable(Timer& timer) : due_(timer, [this] { send_due(); }) {}

void RouteTable::on_change(std::function<void()> changed) {
  MutexLock lock(mutex_);
  on_change_ = std::move(changed);
}

void RouteTable::changed_locked() {
  count_ = entries_.size();
  ++version_;
}

void RouteTable::tell_change() {
  std::function<void()> changed;
  {
    MutexLock lock(mutex_);
    changed = on_change_;
  }
  if (changed) changed();
}

long RouteTable::add(Route route) {
  long number = 0;
  {
    MutexLock lock(mutex_);
    if (entries_.size() >= limits::kRoutes)
      throw ToolError("There are " + std::to_string(limits::kRoutes) +
                      " routes already, the most there may be: remove some first (action list shows them).");
    std::size_t bytes = route.size();
    for (const auto& entry : entries_) bytes += entry->route.size();
    if (bytes > limits::kRouteBytes)
      throw ToolError("The routes of this session would take more than " + std::to_string(limits::kRouteBytes >> 20) +
                      " MiB: remove some first (action list shows them).");
    number = next_number_++;
    entries_.push_back(std::make_shared<Entry>(Entry{number, std::move(route)}));
    changed_locked();
  }
  tell_change();
  return number;
}

std::size_t RouteTable::remove_where(const std::function<bool(const Entry&)>& goes) {
  std::vector<Late> now;
  std::size_t removed = 0;
  {
    MutexLock lock(mutex_);
    removed = std::erase_if(entries_, [&](const auto& entry) { return goes(*entry); });
    if (removed > 0) changed_locked();
    const auto stays = [&](long number) REQUIRES(mutex_) {
      return std::any_of(entries_.begin(), entries_.end(), [&](const auto& entry) { return entry->number == number; });
    };
    for (auto at = late_.begin(); at != late_.end();) {
      if (stays(at->second.number)) {
        ++at;
        continue;
      }
      now.push_back(std::move(at->second));
      at = late_.erase(at);
    }
  }
  for (const auto& late : now) late.session.post(late.method, late.params);
  if (removed > 0) tell_change();
  return removed;
}

std::size_t RouteTable::remove(const std::string& pattern) {
  return remove_where([&](const Entry& entry) { return entry.route.pattern == pattern; });
}

std::size_t RouteTable::remove_all() {
  return remove_where([](const Entry&) { return true; });
}

void RouteTable::remove(long number) {
  remove_where([&](const Entry& entry) { return entry.number == number; });
}

void RouteTable::clear() {
  remove_all();
  set_offline(false);
  record(nullptr);
}

void RouteTable::end() {
  {
    MutexLock lock(mutex_);
    entries_.clear();
    late_.clear();
    recorder_.reset();
    records_ = false;
    changed_locked();
  }
  due_.cancel();
}

void RouteTable::set_offline(bool offline) {
  if (offline_.exchange(offline) != offline) tell_change();
}

std::shared_ptr<HarRecorder> RouteTable::recorder() const {
  if (!records_) return nullptr;
  MutexLock lock(mutex_);
  return recorder_;
}

void RouteTable::record(std::shared_ptr<HarRecorder> recorder) {
  MutexLock lock(mutex_);
  records_ = recorder != nullptr;
  recorder_.swap(recorder);
}

std::vector<RouteTable::Listed> RouteTable::list() const {
  std::vector<Listed> all;
  MutexLock lock(mutex_);
  for (const auto& entry : entries_) {
    const Route& route = entry->route;
    all.push_back({.number = entry->number,
                   .pattern = route.pattern,
                   .method = route.method,
                   .words = route.words,
                   .taken = entry->taken,
                   .left = route.times == 0 ? -1 : route.times - entry->taken});
  }
  return all;
}

Json RouteTable::patterns() const {
  Json patterns = Json::array();
  MutexLock lock(mutex_);
  for (const auto& entry : entries_) {
    Json pattern{{"urlPattern", entry->route.glob.for_fetch()}};
    if (std::find(patterns.begin(), patterns.end(), pattern) == patterns.end()) patterns.push_back(std::move(pattern));
  }
  return patterns;
}

bool RouteTable::serve(const CdpSession& session, const Json& params) {
  if (empty()) return false;
  const bool is_hop = params.contains("redirectedRequestId");
  const Json& request = params.at("request");
  if (request.value("url", "").size() > limits::kRoutedUrl) return false;
  const bool counts = !is_preflight(request);
  for (;;) {
    std::shared_ptr<Entry> found;
    {
      MutexLock lock(mutex_);
      const auto at = std::find_if(entries_.rbegin(), entries_.rend(), [&](const auto& entry) {
        return (!is_hop || entry->route.replay) && entry->route.takes(request);
      });
      if (at == entries_.rend()) return false;
      found = *at;
    }
    auto answer = found->route.answer(request);
    answer.params["requestId"] = params.at("requestId");
    const bool is_late = counts && found->route.delay > Millis{0};
    const auto when = Clock::now() + found->route.delay;
    bool used_up = false;
    {
      // Counted and delayed at once: who sees it counted may remove the route, and with that releases what is delayed.
      MutexLock lock(mutex_);
      const auto at = std::find(entries_.begin(), entries_.end(), found);
      if (at == entries_.end()) continue;  // removed meanwhile: what is left decides
      if (is_late)
        late_.emplace(when, Late{session, std::move(answer.method), std::move(answer.params), found->number});
      used_up = counts && ++found->taken == found->route.times;
      if (used_up) {
        entries_.erase(at);
        changed_locked();
      }
    }
    if (is_late)
      due_.set_by(when);
    else
      session.post(answer.method, answer.params);
    if (used_up) tell_change();
    return true;
  }
}

void RouteTable::send_due() {
  std::vector<Late> due;
  auto next = Clock::time_point::max();
  {
    MutexLock lock(mutex_);
    const auto end = late_.upper_bound(Clock::now());
    for (auto at = late_.begin(); at != end; ++at) due.push_back(std::move(at->second));
    late_.erase(late_.begin(), end);
    if (!late_.empty()) next = late_.begin()->first;
  }
  for (const auto& late : due) late.session.post(late.method, late.params);
  if (next != Clock::time_point::max()) due_.set_by(next);
}

}  // namespace bridle
