#include "server/calls/registry_impl.h"

#include <algorithm>
#include <utility>

#include "base/limits.h"
#include "base/log.h"

namespace bridle {
namespace {

// What an id is remembered by: itself, or for a very long one its beginning, length and hash.
std::string compact(std::string_view id) {
  constexpr std::size_t kWhole = 256;
  if (id.size() <= kWhole) return std::string(id);
  return fmt::format("{}#{}#{:016x}", id.substr(0, kWhole), id.size(), std::hash<std::string_view>()(id));
}

// An id is a number or a string; what else a peer may send names no request [cancel.ignored].
bool could_be_id(std::string_view id) { return !id.empty() && id[0] != '{' && id[0] != '[' && id != "null"; }

}  // namespace

void KnownIds::add(std::string_view id) {
  std::string name = compact(id);
  if (const auto found = index_.find(name); found != index_.end()) {
    order_.splice(order_.end(), order_, found->second);
    return;
  }
  order_.push_back(std::move(name));
  index_.emplace(order_.back(), std::prev(order_.end()));
  if (order_.size() <= limits::kKnownIds) return;
  index_.erase(order_.front());
  order_.pop_front();
}

bool KnownIds::contains(std::string_view id) const { return index_.contains(compact(id)); }

RegistryImpl::RegistryImpl(AbortSignal server_signal, const AbortRegistry::Options& limits)
    : server(std::move(server_signal)), options(limits) {}

AbortRegistry::Refusal RegistryImpl::add(const std::shared_ptr<Request>& request, std::optional<EarlyCancel>& early) {
  const MutexLock lock(mutex_);
  const RequestKey& key = request->key();
  if (live_.contains(key)) return AbortRegistry::Refusal::duplicate_id;
  if (live_.size() >= options.in_flight) return AbortRegistry::Refusal::too_many;
  request->impl_->serial = next_serial_++;
  live_.emplace(key, request);
  ++sessions_[key.session].live;
  take_early(key, early);
  const AbortSignal signal = request->signal();
  due_by(signal.aborted() ? signal.aborted_at() + options.abort_warning : request->impl_->deadline);
  return AbortRegistry::Refusal::none;
}

std::shared_ptr<Request> RegistryImpl::retire(Request& request, RequestState final_state) {
  const MutexLock lock(mutex_);
  const auto found = live_.find(request.key());
  if (found == live_.end() || found->second.get() != &request) return nullptr;
  auto self = std::move(found->second);
  live_.erase(found);

  request.publish(final_state);
  recent_.push_front(request.snapshot());
  if (recent_.size() > limits::kRecentRequests) recent_.pop_back();

  const auto session = sessions_.find(request.key().session);
  auto& record = session->second;
  --record.live;
  // A session that is gone is remembered no more, whichever of forget_session() and this came first.
  const bool remember = !record.closed && !request.impl_->options.one_shot && !request.impl_->session.aborted();
  if (remember) record.known.add(request.key().id);
  erase_if_empty(session);

  auto& total = final_state == RequestState::completed ? totals.completed
                : final_state == RequestState::aborted ? totals.aborted
                                                       : totals.error;
  ++total;
  return self;
}

void RegistryImpl::tell_idle() {
  const MutexLock lock(mutex_);
  if (live_.empty()) idle_.notify_all();
}

CancelOutcome RegistryImpl::fire(Request& request, AbortReason reason, std::string text) {
  if (request.controller_.abort(reason, std::move(text))) return CancelOutcome::sent;
  // Somebody was first: another abort, which this one joins, or the end.
  return request.state() == RequestState::aborting ? CancelOutcome::sent : CancelOutcome::finished;
}

CancelOutcome RegistryImpl::cancel(const RequestKey& key, AbortReason reason, std::string text) {
  std::shared_ptr<Request> request;
  {
    const MutexLock lock(mutex_);
    const auto found = live_.find(key);
    if (found == live_.end()) return keep_early(key, reason, std::move(text));
    if (!found->second->impl_->options.cancellable) return CancelOutcome::ignored;
    request = found->second;
  }
  return fire(*request, reason, std::move(text));
}

// [cancel.early]: a cancel that overtakes its request.
CancelOutcome RegistryImpl::keep_early(const RequestKey& key, AbortReason reason, std::string text) {
  if (!could_be_id(key.id)) return CancelOutcome::ignored;
  // Only a cancel notification can overtake its request. A disconnect is noticed after it was registered: it has ended.
  if (reason != AbortReason::client_cancelled) return CancelOutcome::finished;
  const auto session = sessions_.find(key.session);
  if (session != sessions_.end()) {
    const auto& record = session->second;
    if (record.closed) return CancelOutcome::ignored;
    if (record.known.contains(key.id)) return CancelOutcome::finished;
    if (record.early.contains(key.id)) return CancelOutcome::early;
    if (record.early.size() >= limits::kEarlyCancels) return CancelOutcome::ignored;
  }
  const auto expires = Clock::now() + options.early_cancel_ttl;
  sessions_[key.session].early.emplace(key.id, EarlyCancel{expires, reason, std::move(text)});
  ++early_count_;
  ++totals.early_cancels;
  due_by(expires);
  return CancelOutcome::early;
}

void RegistryImpl::take_early(const RequestKey& key, std::optional<EarlyCancel>& early) {
  auto& waiting = sessions_[key.session].early;
  const auto found = waiting.find(key.id);
  if (found == waiting.end()) return;
  if (Clock::now() < found->second.expires) early = std::move(found->second);
  waiting.erase(found);
  --early_count_;
}

void RegistryImpl::drop_stale_early(Clock::time_point now, Clock::time_point& next) {
  if (early_count_ == 0) return;
  for (auto session = sessions_.begin(); session != sessions_.end();) {
    const auto current = session++;
    auto& early = current->second.early;
    if (early.empty()) continue;
    early_count_ -= std::erase_if(early, [now](const auto& item) { return item.second.expires <= now; });
    for (const auto& item : early) next = std::min(next, item.second.expires);
    erase_if_empty(current);
  }
}

void RegistryImpl::erase_if_empty(Sessions::iterator session) {
  const auto& record = session->second;
  if (record.live == 0 && record.early.empty() && (record.closed || record.known.empty())) sessions_.erase(session);
}

void RegistryImpl::forget_session(const std::string& name) {
  const MutexLock lock(mutex_);
  const auto session = sessions_.find(name);
  if (session == sessions_.end()) return;
  early_count_ -= session->second.early.size();
  session->second.early.clear();
  session->second.closed = true;
  erase_if_empty(session);
}

// The supervisor is woken only when it would sleep past `when`.
void RegistryImpl::due_by(Clock::time_point when) {
  if (when >= next_due_) return;
  next_due_ = when;
  due->set_by(when);
}

RegistryImpl::Due RegistryImpl::collect_due(Clock::time_point now) {
  Due found;
  const MutexLock lock(mutex_);
  for (const auto& [key, request] : live_) {
    const AbortSignal signal = request->signal();
    // [cancel.warning]: armed from the moment of the abort, whoever aborted.
    const auto when = signal.aborted() ? signal.aborted_at() + options.abort_warning : request->impl_->deadline;
    if (signal.aborted() && request->overdue()) continue;
    if (when > now) {
      found.next = std::min(found.next, when);
    } else if (!signal.aborted()) {
      found.expired.push_back(request);
    } else if (request->mark_overdue()) {
      ++totals.abort_warnings;
      found.overdue.push_back(request);
    }
  }
  drop_stale_early(now, found.next);
  next_due_ = found.next;
  return found;
}

std::vector<std::shared_ptr<Request>> RegistryImpl::live() const {
  std::vector<std::shared_ptr<Request>> all;
  {
    const MutexLock lock(mutex_);
    all.reserve(live_.size());
    for (const auto& [key, request] : live_) all.push_back(request);
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a->impl_->serial < b->impl_->serial; });
  return all;
}

std::deque<RequestRow> RegistryImpl::recent() const {
  const MutexLock lock(mutex_);
  return recent_;
}

std::size_t RegistryImpl::live_count() const {
  const MutexLock lock(mutex_);
  return live_.size();
}

std::size_t RegistryImpl::early_count() const {
  const MutexLock lock(mutex_);
  return early_count_;
}

bool RegistryImpl::wait_idle(const CallContext& ctx) {
  const WaiterCount waiting(waiters);
  MutexLock lock(mutex_);
  return wait_until(ctx, idle_, lock, [this]() REQUIRES(mutex_) { return live_.empty(); });
}

}  // namespace bridle
