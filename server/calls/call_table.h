#pragma once

#include <atomic>
#include <cstddef>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/concurrency/call_context.h"
#include "base/concurrency/sync.h"
#include "base/concurrency/timer.h"
#include "server/calls/call.h"
#include "server/calls/id_memory.h"

namespace bridle {

// What became of a cancel.
enum class CancelOutcome {
  sent,      // reached a live call (which may already have been aborting)
  finished,  // its call ended before
  early,     // no such call yet: kept for limits::kEarlyCancelTtl
  ignored,   // malformed, refused (initialize), or over the early cancels' bound
};

struct BeginOptions {
  // False for initialize: cancels from the wire, early ones too, leave it alone. Session end, stop, deadline and
  // shutdown still reach it.
  bool cancellable = true;
  // True when the key's session name is private to this one request (2026-07-28): nothing of it is remembered
  // after its end.
  bool one_shot = false;
  // True for a tool that bounds its own time: then no deadline of ours ends it.
  bool bounds_itself = false;
  // Of its traits, what the caller knows.
  long maker = 0;
  std::string target{};
};

// All calls in flight, by key. A call leaves when it becomes terminal. Any thread may call anything; aborts and
// listeners run outside the table's lock, and may call back into it. The timer warns of overdue calls, drops stale
// early cancels and fires the calls' deadlines. Outlives every Slot; a Call may outlive it. Lock order: the table's,
// then a call's. Never held while an abort fires, a link detaches or anything is called.
class CallTable {
 public:
  struct Options {
    Millis abort_warning;  // limits::kAbortWarning
    Millis early_cancel_ttl;
    Millis request_deadline;  // fires AbortReason::deadline
    Millis stop_wait;         // limits::kStopWait
    std::size_t in_flight;
    Options();  // from base/limits.h; tests shorten them
  };
  // Every call follows `server_signal` (shutdown).
  CallTable(AbortSignal server_signal, Timer& timer, Options options = Options());
  ~CallTable();
  CallTable(const CallTable&) = delete;
  CallTable& operator=(const CallTable&) = delete;

  // A call's place in the table, held by whoever runs it. RAII: a call that never reached a terminal state by the end
  // of its slot is finished as error (or aborted, when it was).
  class Slot {
   public:
    Slot() = default;
    Slot(CallTable* table, std::shared_ptr<Call> call);
    Slot(Slot&& other) noexcept;
    Slot& operator=(Slot&& other) noexcept;
    Slot(const Slot&) = delete;
    Slot& operator=(const Slot&) = delete;
    ~Slot() { leave(); }
    explicit operator bool() const { return call_ != nullptr; }
    Call* operator->() const { return call_.get(); }
    const std::shared_ptr<Call>& shared() const { return call_; }

    // Ends the call, publishes the terminal state, then tells waiters and listeners. `wanted` is completed (from
    // starting it passes through running) or error; anything else becomes error. After the abort, whatever is passed,
    // it is `aborted`, or `completed` when the reason is deadline. Once it has returned no abort reaches the call: the
    // signal either fired before or never will. Returns the state it really got.
    CallState finish(CallState wanted) const;

   private:
    void leave() noexcept;

    CallTable* table_ = nullptr;
    std::shared_ptr<Call> call_;
  };

  enum class Refusal { none, duplicate_id, too_many };
  // Registers a call before anything is queued or dispatched. It follows `session_signal` too. An early cancel for the
  // key is used up and the call starts aborted. Empty slot when refused. `refusal` may be null.
  Slot begin(CallKey key, std::string tool, const AbortSignal& session_signal, Refusal* refusal,
             BeginOptions options = {}) EXCLUDES(mutex_);
  // The live call of that key, or null.
  std::shared_ptr<Call> find(const CallKey& key) const EXCLUDES(mutex_);

  // A cancel from the wire. Never blocks on a tool. Only client_cancelled is kept as an early cancel: a disconnect
  // (client_gone) that finds no call came after its end, and leaves nothing. A long `text` is cut
  // (limits::kCancelReasonLength).
  CancelOutcome cancel(const CallKey& key, AbortReason reason, std::string text) EXCLUDES(mutex_);
  // Forgets a closed session's known ids and early cancels. Its calls end through its signal.
  void forget_session(const std::string& session) EXCLUDES(mutex_);

  // browser_stop, POST /stop: aborts the calls that `selects` picks, waits for their end up to limits::kStopWait in
  // total and ctx's deadline, reports truthfully. Throws Aborted on ctx's abort. `selects` runs outside all locks; a
  // caller that is a call itself excludes itself there.
  struct StopReport {
    bool was_cancelled = false;                // the abort reached a live call
    bool timed_out = false;                    // one hadn't ended after the wait
    std::vector<std::shared_ptr<Call>> calls;  // those it reached
  };
  StopReport stop(const CallContext& ctx, const std::function<bool(const Call&)>& selects, const std::string& text);

  // The same without the wait: aborts them, and yields those that it has reached.
  std::vector<std::shared_ptr<Call>> begin_stop(const std::function<bool(const Call&)>& selects,
                                                const std::string& text);

  // Rings with each change of a call.
  Bell& changes() const { return counters_->changes; }
  // Oldest first.
  std::vector<std::shared_ptr<Call>> live() const EXCLUDES(mutex_);
  // The last limits::kRecentRequests finished, newest first, as rows with their final state.
  nlohmann::json recent() const EXCLUDES(mutex_);
  // Gauges, which return to their start values after any load: registry, aborting, overdue, early_cancels, waiters,
  // listeners, links (AbortCallback::live()). Totals: requests_total, refused_total, completed_total, error_total,
  // aborted_total, cancels_total, cancels_ignored_total, early_cancels_total, early_cancels_used_total,
  // abort_warnings_total, late_results_total, invalid_transitions_total, listener_errors_total.
  nlohmann::json counters() const EXCLUDES(mutex_);
  // Waits until no call is in flight; false at ctx's deadline. Throws Aborted on ctx's abort.
  bool wait_idle(const CallContext& ctx) EXCLUDES(mutex_);

  // Called (in the timer's thread, outside all locks) when a call didn't end within the warning time, after the log
  // line. Set it before the first begin(); it never blocks.
  std::function<void(Call&)> on_overdue;

 private:
  // A live call with what only the table has to know of it.
  struct Live {
    std::shared_ptr<Call> call;
    AbortSignal session;
    BeginOptions options;
  };
  using Order = std::list<Live>;  // of begin()
  using Sessions = std::unordered_map<std::string, SessionMemory>;
  struct KeyHash {
    std::size_t operator()(const CallKey& key) const noexcept {
      const std::hash<std::string> hash;
      return hash(key.session) * 31 + hash(key.id);
    }
  };

  CallState finish(Call& call, CallState wanted);
  // Adds the call, or says why not. An early cancel for its key is moved to `early`.
  Refusal add(Live live, std::optional<EarlyCancel>& early) EXCLUDES(mutex_);
  // Publishes the terminal state and takes the call out, in one step: it is among the live ones or the recent ones,
  // never both. False when it was terminal already.
  bool retire(Call& call, CallState final_state) EXCLUDES(mutex_);
  static CancelOutcome fire(Call& call, AbortReason reason, std::string text);
  CancelOutcome keep_early(const CallKey& key, AbortReason reason, std::string text) REQUIRES(mutex_);
  void take_early(const CallKey& key, std::optional<EarlyCancel>& early) REQUIRES(mutex_);
  void drop_stale_early() EXCLUDES(mutex_);
  void erase_if_empty(Sessions::iterator session) REQUIRES(mutex_);
  // In the timer's thread: the call's deadline, or its abort warning.
  void look_at(Call& call);
  void warn(Call& call);

  const AbortSignal server_;
  const Options options_;
  Timer& timer_;
  const std::shared_ptr<CallCounters> counters_ = std::make_shared<CallCounters>();
  std::atomic<long> numbers_{0};

  mutable Mutex mutex_;
  CondVar idle_;
  Order order_ GUARDED_BY(mutex_);
  std::unordered_map<CallKey, Order::iterator, KeyHash> live_ GUARDED_BY(mutex_);
  Sessions sessions_ GUARDED_BY(mutex_);
  std::size_t early_count_ GUARDED_BY(mutex_) = 0;
  std::deque<CallRow> recent_ GUARDED_BY(mutex_);  // newest first
  Timer::Entry early_expiry_;                      // last: its callback uses everything above
};

}  // namespace bridle
