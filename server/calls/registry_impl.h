#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <vector>

#include "base/sync.h"
#include "base/timer.h"
#include "server/calls/abort_registry.h"

// Inside of server/abort_registry and server/request; nothing else includes it.
namespace bridle {

// Counts that only rise. Relaxed: each stands alone.
struct RegistryTotals {
  using Count = std::atomic<long long>;
  Count requests{0}, refused{0}, completed{0}, error{0}, aborted{0};
  Count cancels{0}, cancels_ignored{0}, early_cancels{0}, early_cancels_used{0};
  Count abort_warnings{0}, late_results{0}, invalid_transitions{0}, listener_errors{0};
};

// Counts one thread that waits, for as long as it lives.
class WaiterCount {
 public:
  explicit WaiterCount(std::atomic<long>& count) : count_(count) { ++count_; }
  ~WaiterCount() { --count_; }
  WaiterCount(const WaiterCount&) = delete;
  WaiterCount& operator=(const WaiterCount&) = delete;

 private:
  std::atomic<long>& count_;
};

// The last `limits::kKnownIds` finished ids of a session [cancel.known-ids]. Not thread-safe.
class KnownIds {
 public:
  KnownIds() = default;
  KnownIds(const KnownIds&) = delete;
  KnownIds& operator=(const KnownIds&) = delete;
  void add(std::string_view id);
  bool contains(std::string_view id) const;
  bool empty() const { return order_.empty(); }
  std::size_t size() const { return order_.size(); }

 private:
  std::list<std::string> order_;  // oldest first
  std::unordered_map<std::string_view, std::list<std::string>::iterator> index_;
};

struct EarlyCancel {
  Clock::time_point expires{};
  AbortReason reason = AbortReason::none;
  std::string text{};
};

// What the registry keeps of one session. Exists while it holds anything.
struct SessionRecord {
  std::size_t live = 0;
  bool closed = false;  // forgotten: remembers nothing more, goes with its last request
  KnownIds known{};
  std::unordered_map<std::string, EarlyCancel> early{};
};

struct KeyHash {
  std::size_t operator()(const RequestKey& key) const noexcept {
    const std::hash<std::string> hash;
    return hash(key.session) * 31 + hash(key.id);
  }
};

// Shared by the registry and its requests, so that a request may outlive the registry.
// Lock order: this mutex, then a request's. Never held while an abort fires, a link detaches or anything is called.
class RegistryImpl {
 public:
  RegistryImpl(AbortSignal server, const AbortRegistry::Options& limits);

  // Adds the request, or says why not. An early cancel for its key is moved to `early`.
  AbortRegistry::Refusal add(const std::shared_ptr<Request>& request, std::optional<EarlyCancel>& early)
      EXCLUDES(mutex_);
  // Publishes the terminal state and takes the request out, in one step: it is among the live ones or the recent
  // ones, never both. Null when it was terminal already.
  std::shared_ptr<Request> retire(Request& request, RequestState final_state) EXCLUDES(mutex_);
  void tell_idle() EXCLUDES(mutex_);
  // Aborts it: sent, or finished when it ended first.
  static CancelOutcome fire(Request& request, AbortReason reason, std::string text);
  CancelOutcome cancel(const RequestKey& key, AbortReason reason, std::string text) EXCLUDES(mutex_);
  void forget_session(const std::string& session) EXCLUDES(mutex_);
  std::vector<std::shared_ptr<Request>> live() const EXCLUDES(mutex_);
  std::deque<RequestRow> recent() const EXCLUDES(mutex_);
  std::size_t live_count() const EXCLUDES(mutex_);
  std::size_t early_count() const EXCLUDES(mutex_);
  bool wait_idle(const CallContext& ctx) EXCLUDES(mutex_);

  // The supervisor's work that is due now; sets when to look again.
  struct Due {
    std::vector<std::shared_ptr<Request>> overdue;  // marked and counted: to be warned of
    std::vector<std::shared_ptr<Request>> expired;  // to be aborted: their deadline passed
    Clock::time_point next = Clock::time_point::max();
  };
  Due collect_due(Clock::time_point now) EXCLUDES(mutex_);

  const AbortSignal server;
  const AbortRegistry::Options options;
  std::optional<Timer::Entry> due;  // set once, by the registry; cancelled at its end
  RegistryTotals totals;
  std::atomic<long> waiters{0};
  std::atomic<long> listeners{0};

 private:
  using Sessions = std::unordered_map<std::string, SessionRecord>;

  CancelOutcome keep_early(const RequestKey& key, AbortReason reason, std::string text) REQUIRES(mutex_);
  void take_early(const RequestKey& key, std::optional<EarlyCancel>& early) REQUIRES(mutex_);
  void drop_stale_early(Clock::time_point now, Clock::time_point& next) REQUIRES(mutex_);
  void erase_if_empty(Sessions::iterator session) REQUIRES(mutex_);
  void due_by(Clock::time_point when) REQUIRES(mutex_);

  mutable Mutex mutex_;
  CondVar idle_;
  std::unordered_map<RequestKey, std::shared_ptr<Request>, KeyHash> live_ GUARDED_BY(mutex_);
  Sessions sessions_ GUARDED_BY(mutex_);
  std::size_t early_count_ GUARDED_BY(mutex_) = 0;
  std::deque<RequestRow> recent_ GUARDED_BY(mutex_);  // newest first
  Clock::time_point next_due_ GUARDED_BY(mutex_) = Clock::time_point::max();
  std::uint64_t next_serial_ GUARDED_BY(mutex_) = 0;
};

// What a request holds besides its controller. The plain members are set before it is shared.
struct Request::Impl {
  std::shared_ptr<RegistryImpl> registry;
  AbortSignal session{};
  BeginOptions options{};
  Clock::time_point began{};
  Clock::time_point deadline{};
  std::uint64_t serial = 0;            // the order of begin()
  std::optional<AbortCallback> armed;  // tells the supervisor of the abort; destroyed by the one who ends the request

  Mutex mutex;
  CondVar changed;                                                // terminal, or a listener's call ended
  RequestState state GUARDED_BY(mutex) = RequestState::starting;  // aborting is derived from the signal
  bool overdue GUARDED_BY(mutex) = false;
  std::string tab GUARDED_BY(mutex);
  struct Entry {
    std::uint64_t handle;
    Listener call;
  };
  std::list<Entry> listeners GUARDED_BY(mutex);
  std::uint64_t next_handle GUARDED_BY(mutex) = 1;
  std::uint64_t calling GUARDED_BY(mutex) = 0;  // the listener that is being called
  std::thread::id caller GUARDED_BY(mutex);
};

}  // namespace bridle
