#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/call_context.h"
#include "base/sync.h"

namespace bridle {

// A request's key: session, JSON type of the id, the id (spec/cancellation, 7). Each POST of revision 2026-07-28
// is its own key: such a request is given a private session name.
struct RequestKey {
  std::string session;
  std::string id;  // the id's JSON text: `1`, `"1"`; the text holds the type
  bool operator==(const RequestKey&) const = default;
};

enum class RequestState {
  starting,   // registered, maybe queued for a tab
  running,    // the tool works
  aborting,   // told to stop, not yet ended
  completed,  // terminal: the tool finished (a result with isError too)
  error,      // terminal: what nobody expected
  aborted,    // terminal: ended after its abort, whatever it returned or threw
};
std::string_view to_string(RequestState state) noexcept;
bool is_terminal(RequestState state) noexcept;

// What became of a cancel.
enum class CancelOutcome {
  sent,      // reached a live request (which may already have been aborting)
  finished,  // its request ended before
  early,     // no such request yet: kept for limits::kEarlyCancelTtl
  ignored,   // malformed, refused (initialize), or over the early cancels' bound
};

class AbortRegistry;

// One request in flight: its controller and its state machine. Shared by the registry and whoever runs it.
// Any thread may call anything.
class Request {
 public:
  const RequestKey& key() const { return key_; }
  const std::string& tool() const { return tool_; }
  AbortSignal signal() const { return controller_.signal(); }

  // Transitions as in spec/cancellation, "States of a request"; an invalid one is refused (false) and counted.
  // A terminal state is published before waiters are told. After the abort only `aborted` is reached, by finish(),
  // whatever is passed.
  bool start_running();
  // Ends the request. `wanted` is completed or error; returns the state it really got.
  RequestState finish(RequestState wanted);

  RequestState state() const;
  bool overdue() const;
  void set_tab(std::string_view tab);
  // Waits until the request is terminal; false at ctx's deadline. Throws Aborted on ctx's abort.
  bool wait_terminal(const CallContext& ctx);

  // Called once with the terminal state, after it is published. A listener may throw or remove itself.
  using Listener = std::function<void(Request&)>;
  std::uint64_t add_listener(Listener listener);
  void remove_listener(std::uint64_t handle);

  // The row of /status and browser_status (tools.md): session, id (JSON type kept), tool, tab, state, sinceMs,
  // reason, overdue.
  nlohmann::json row() const;

 private:
  friend class AbortRegistry;
  // Fields are the implementer's.
  RequestKey key_;
  std::string tool_;
  AbortController controller_;
  struct Impl;
  std::unique_ptr<Impl> impl_;

 public:  // for std::make_shared only
  Request(AbortRegistry& registry, RequestKey key, std::string tool);
  ~Request();
};

// RAII: leaves the registry when destroyed, on every path. A request that never reached a terminal state by then
// is finished as error.
class RequestEntry {
 public:
  RequestEntry() = default;
  RequestEntry(AbortRegistry* registry, std::shared_ptr<Request> request);
  RequestEntry(RequestEntry&& other) noexcept;
  RequestEntry& operator=(RequestEntry&& other) noexcept;
  ~RequestEntry();
  explicit operator bool() const { return request_ != nullptr; }
  Request* operator->() const { return request_.get(); }
  const std::shared_ptr<Request>& shared() const { return request_; }

 private:
  AbortRegistry* registry_ = nullptr;
  std::shared_ptr<Request> request_;
};

// All requests in flight, by key. Any thread may call anything; aborts and listeners run outside its lock, and may
// call back into it. One supervisor thread warns of overdue requests, drops stale early cancels and fires request
// deadlines.
class AbortRegistry {
 public:
  struct Options {
    Millis abort_warning;    // limits::kAbortWarning
    Millis early_cancel_ttl;
    Millis request_deadline; // fires AbortReason::deadline
    std::size_t in_flight;
    Options();               // from base/limits.h; tests shorten them
  };
  // Every request follows `server_signal` (shutdown).
  explicit AbortRegistry(AbortSignal server_signal, Options options = Options());
  ~AbortRegistry();

  enum class Refusal { none, duplicate_id, too_many };
  // Registers a request before anything is queued or dispatched. It follows `session_signal` too. An early cancel
  // for the key is used up and the request starts aborted. Empty entry when refused.
  RequestEntry begin(RequestKey key, std::string tool, const AbortSignal& session_signal, Refusal* refusal);

  // A cancel from the wire. Never blocks on a tool.
  CancelOutcome cancel(const RequestKey& key, AbortReason reason, std::string text);
  // Forgets a closed session's known ids and early cancels. Its requests end through its signal.
  void forget_session(const std::string& session);

  // browser_stop, POST /stop: aborts the requests that `selects` picks, waits for their end up to
  // limits::kStopWait, reports truthfully.
  struct StopReport {
    bool was_cancelled = false;  // the abort reached a live request
    bool timed_out = false;      // one hadn't ended after the wait
    std::vector<std::shared_ptr<Request>> requests;
  };
  StopReport stop(const CallContext& ctx, const std::function<bool(const Request&)>& selects, std::string text);

  std::vector<std::shared_ptr<Request>> live() const;
  // The last limits::kRecentRequests finished, newest first, as rows with their final state.
  nlohmann::json recent() const;
  // Gauges and totals: registry, early_cancels, overdue, ..., aborted_total, completed_total, error_total,
  // abort_warnings_total, late_results_total, invalid_transitions_total, early_cancels_total, ...
  nlohmann::json counters() const;
  // Waits until no request is in flight; false at ctx's deadline.
  bool wait_idle(const CallContext& ctx);

  // Called (outside all locks) when a request didn't end within the warning time, after the log line.
  std::function<void(Request&)> on_overdue;

 private:
  friend class Request;
  friend class RequestEntry;
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace bridle
