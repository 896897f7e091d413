#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "base/call_context.h"
#include "base/timer.h"
#include "server/calls/request.h"

namespace bridle {

// What became of a cancel.
enum class CancelOutcome {
  sent,      // reached a live request (which may already have been aborting)
  finished,  // its request ended before
  early,     // no such request yet: kept for limits::kEarlyCancelTtl
  ignored,   // malformed, refused (initialize), or over the early cancels' bound
};

struct BeginOptions {
  // False for initialize: cancels from the wire, early ones too, leave it alone. Session end, stop, deadline and
  // shutdown still reach it.
  bool cancellable = true;
  // True when the key's session name is private to this one request (2026-07-28): nothing of it is remembered
  // after its end.
  bool one_shot = false;
};

// All requests in flight, by key. A request leaves when it becomes terminal (or with its entry). Any thread may call
// anything; aborts and listeners run outside its lock, and may call back into it. The timer warns of overdue
// requests, drops stale early cancels and fires request deadlines. Outlives every RequestEntry; a Request may outlive
// it.
class AbortRegistry {
 public:
  struct Options {
    Millis abort_warning;  // limits::kAbortWarning
    Millis early_cancel_ttl;
    Millis request_deadline;  // fires AbortReason::deadline
    Millis stop_wait;         // limits::kStopWait
    std::size_t in_flight;
    Options();  // from base/limits.h; tests shorten them
  };
  // Every request follows `server_signal` (shutdown).
  AbortRegistry(AbortSignal server_signal, Timer& timer, Options options = Options());
  ~AbortRegistry();
  AbortRegistry(const AbortRegistry&) = delete;
  AbortRegistry& operator=(const AbortRegistry&) = delete;

  enum class Refusal { none, duplicate_id, too_many };
  // Registers a request before anything is queued or dispatched. It follows `session_signal` too. An early cancel
  // for the key is used up and the request starts aborted. Empty entry when refused. `refusal` may be null.
  RequestEntry begin(RequestKey key, std::string tool, const AbortSignal& session_signal, Refusal* refusal,
                     BeginOptions options = {});

  // A cancel from the wire. Never blocks on a tool. Only client_cancelled is kept as an early cancel: a disconnect
  // (client_gone) that finds no request came after its end, and leaves nothing. A long `text` is cut
  // (limits::kCancelReasonLength).
  CancelOutcome cancel(const RequestKey& key, AbortReason reason, std::string text);
  // Forgets a closed session's known ids and early cancels. Its requests end through its signal.
  void forget_session(const std::string& session);

  // browser_stop, POST /stop: aborts the requests that `selects` picks, waits for their end up to
  // limits::kStopWait in total and ctx's deadline, reports truthfully. Throws Aborted on ctx's abort. `selects` runs
  // outside all locks; a caller that is a request itself excludes itself there.
  struct StopReport {
    bool was_cancelled = false;                      // the abort reached a live request
    bool timed_out = false;                          // one hadn't ended after the wait
    std::vector<std::shared_ptr<Request>> requests;  // those it reached
  };
  StopReport stop(const CallContext& ctx, const std::function<bool(const Request&)>& selects, const std::string& text);

  // Oldest first.
  std::vector<std::shared_ptr<Request>> live() const;
  // The last limits::kRecentRequests finished, newest first, as rows with their final state.
  nlohmann::json recent() const;
  // Gauges, which return to their start values after any load: registry, aborting, overdue, early_cancels, waiters,
  // listeners, links (AbortCallback::live()). Totals: requests_total, refused_total, completed_total, error_total,
  // aborted_total, cancels_total, cancels_ignored_total, early_cancels_total, early_cancels_used_total,
  // abort_warnings_total, late_results_total, invalid_transitions_total, listener_errors_total.
  nlohmann::json counters() const;
  // Waits until no request is in flight; false at ctx's deadline. Throws Aborted on ctx's abort.
  bool wait_idle(const CallContext& ctx);

  // Called (outside all locks) when a request didn't end within the warning time, after the log line. Set it before
  // the first begin(); it never blocks.
  std::function<void(Request&)> on_overdue;

 private:
  friend class Request;
  void look_for_due();
  void warn(Request& request);

  std::shared_ptr<RegistryImpl> impl_;
};

}  // namespace bridle
