#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "base/abort.h"
#include "base/call_context.h"
#include "base/deadline.h"

namespace bridle {

// A request's key: session, JSON type of the id, the id [cancel.key]. Each POST of revision 2026-07-28
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

// What [cancel.warning] has us say of a tool that ignores its signal; also for the client's log messages.
std::string abort_warning_text(std::string_view tool);

class AbortRegistry;
class RegistryImpl;

// A request at one moment, as /status and browser_status show it.
struct RequestRow {
  RequestKey key{};
  std::string tool{};
  std::string tab{};
  RequestState state = RequestState::starting;
  Clock::time_point began{};
  AbortReason reason = AbortReason::none;
  bool overdue = false;
};
// {session, id (JSON type kept), tool, tab (null: none yet), state, sinceMs (since it began), reason, overdue}.
nlohmann::json row_json(const RequestRow& row);

// One request in flight: its controller and its state machine. Shared by the registry and whoever runs it; may
// outlive both its entry and the registry. Any thread may call anything, a listener and an AbortCallback too.
class Request {
 public:
  const RequestKey& key() const { return key_; }
  const std::string& tool() const { return tool_; }
  AbortSignal signal() const { return controller_.signal(); }

  // Transitions as in [cancel.states]; an invalid one is refused and counted
  // (`invalid_transitions_total`).
  // starting -> running. True when it runs now, also when it ran before; false once aborting (which
  // is a race lost, not counted) or terminal.
  bool start_running();
  // Ends the request, publishes the terminal state, then tells waiters and listeners. `wanted` is completed (from
  // starting it passes through running) or error; anything else becomes error. After the abort, whatever is passed,
  // it is `aborted`, or `completed` when the reason is deadline. Once it has returned no abort reaches the request:
  // the signal either fired before or never will. Returns the state it really got.
  RequestState finish(RequestState wanted);

  RequestState state() const;
  // True once the abort warning was given [cancel.overdue].
  bool overdue() const;
  void set_tab(std::string_view tab);
  // Waits until the request is terminal; false at ctx's deadline. Throws Aborted on ctx's abort.
  bool wait_terminal(const CallContext& ctx);

  // Called once with the terminal state, after it is published; at once when it already is. A listener may throw or
  // remove itself.
  using Listener = std::function<void(Request&)>;
  std::uint64_t add_listener(Listener listener);
  // Waits for a call of it that runs in another thread. Unknown handles are ignored.
  void remove_listener(std::uint64_t handle);

  // The tool succeeded after the abort and its result is thrown away: logs and counts it (`late_results_total`).
  void note_late_result();

  // See row_json().
  nlohmann::json row() const;

 private:
  friend class AbortRegistry;
  friend class RegistryImpl;
  void publish(RequestState final_state);  // by the registry, under its lock
  void tell_listeners();
  void call_listener(const Listener& listener) noexcept;
  void log_end(RequestState state) const;
  RequestRow snapshot() const;
  bool mark_overdue();  // false when it was already

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
// is finished as error (or aborted, when it was).
class RequestEntry {
 public:
  RequestEntry() = default;
  RequestEntry(AbortRegistry* registry, std::shared_ptr<Request> request);
  RequestEntry(RequestEntry&& other) noexcept;
  RequestEntry& operator=(RequestEntry&& other) noexcept;
  RequestEntry(const RequestEntry&) = delete;
  RequestEntry& operator=(const RequestEntry&) = delete;
  ~RequestEntry();
  explicit operator bool() const { return request_ != nullptr; }
  Request* operator->() const { return request_.get(); }
  const std::shared_ptr<Request>& shared() const { return request_; }

 private:
  void leave() noexcept;

  AbortRegistry* registry_ = nullptr;
  std::shared_ptr<Request> request_;
};

}  // namespace bridle
