#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "base/concurrency/abort.h"
#include "base/concurrency/bell.h"
#include "base/concurrency/call_context.h"
#include "base/concurrency/deadline.h"
#include "base/concurrency/sync.h"
#include "base/concurrency/timer.h"

namespace bridle {

// A call's key: session, JSON type of the id, the id [cancel.key]. Each POST of revision 2026-07-28 is its own key:
// such a request is given a private session name.
struct CallKey {
  std::string session;
  std::string id;  // the id's JSON text: `1`, `"1"`; the text holds the type
  bool operator==(const CallKey&) const = default;
};

enum class CallState {
  starting,   // registered, maybe queued for a tab
  running,    // the tool works
  aborting,   // told to stop, not yet ended
  completed,  // terminal: the tool finished (a result with isError too)
  error,      // terminal: what nobody expected
  aborted,    // terminal: ended after its abort, whatever it returned or threw
};
std::string_view to_string(CallState state) noexcept;
bool is_terminal(CallState state) noexcept;

// What [cancel.warning] has us say of a tool that ignores its signal; also for the client's log messages.
std::string abort_warning_text(std::string_view tool);

// What a call is told of itself at its begin, for who watches it.
struct CallTraits {
  long number = 0;       // of all calls of this server
  long maker = 0;        // the number of the call that makes it; 0: none
  std::string target{};  // what it is for, in a few words of its arguments
};

// How far a call says it is, as for its client's notifications/progress.
struct CallProgress {
  double done = 0;
  double total = -1;  // below 0: unknown
  std::string words{};
};

// A call at one moment, as /status, browser_status and the panel show it.
struct CallRow {
  CallKey key{};
  std::string tool{};
  std::string tab{};
  CallState state = CallState::starting;
  Clock::time_point began{};
  AbortReason reason = AbortReason::none;
  bool overdue = false;
  bool held = false;  // waits for the person who has taken over [panel.take-over]
  CallTraits traits{};
  std::optional<CallProgress> progress{};
};
// {session, id (JSON type kept), tool, tab (null: none yet), state, sinceMs (since it began), reason, overdue}.
nlohmann::json row_json(const CallRow& row);

// What the calls of one table count, for /status. Shared by the table and its calls, as a call may outlive its table.
struct CallCounters {
  using Count = std::atomic<long long>;
  // Totals only rise. They are relaxed atomics, because nobody compares one with another.
  Count requests{0}, refused{0}, completed{0}, error{0}, aborted{0};
  Count cancels{0}, cancels_ignored{0}, early_cancels{0}, early_cancels_used{0};
  Count abort_warnings{0}, late_results{0}, invalid_transitions{0}, listener_errors{0};
  // Gauges.
  std::atomic<long> waiters{0}, listeners{0};
  // Rings with each change of a call's state, and of what else the panel shows.
  Bell changes{};
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

// One request in flight: its abort controller, its deadline and its state machine. Made by CallTable::begin() and ended
// by CallTable::Slot::finish(); shared by the table, the slot and whoever looks at it, and may outlive all of them. It
// knows neither its table nor who runs it. Any thread may call anything, a listener and an AbortCallback too.
class Call {
 public:
  Call(CallKey key, std::string tool, std::shared_ptr<CallCounters> counters, CallTraits traits = {});
  ~Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  const CallKey& key() const { return key_; }
  const std::string& tool() const { return tool_; }
  const CallTraits& traits() const { return traits_; }
  Clock::time_point began() const { return began_; }
  AbortSignal signal() const { return controller_.signal(); }

  // Transitions as in [cancel.states]; an invalid one is refused and counted (`invalid_transitions_total`).
  // starting -> running. True when it runs now, also when it ran before; false once aborting (which is a race lost, not
  // counted) or terminal.
  bool start_running();

  CallState state() const;
  // True once the abort warning was given [cancel.overdue].
  bool overdue() const;
  void set_tab(std::string_view tab);
  void set_progress(CallProgress progress);
  // Whether it waits for a person who has taken over: its deadline stands still meanwhile [panel.take-over]. By the
  // thread that runs it.
  void set_held(bool held);
  // How long it has waited so. By the same thread.
  Clock::duration held_for() const { return held_for_; }
  // Waits until the call is terminal; false at ctx's deadline. Throws Aborted on ctx's abort.
  bool wait_terminal(const CallContext& ctx);

  // Called once with the terminal state, after it is published; at once when it already is. A listener may throw or
  // remove itself.
  using Listener = std::function<void(Call&)>;
  std::uint64_t add_listener(Listener listener);
  // Waits for a call of it that runs in another thread. Unknown handles are ignored.
  void remove_listener(std::uint64_t handle);

  // The tool succeeded after the abort and its result is thrown away: logs and counts it (`late_results_total`).
  void note_late_result();

  // See row_json().
  nlohmann::json row() const;
  CallRow snapshot() const;

 private:
  friend class CallTable;  // moves it through its life; the other way round it is unknown
  // Calls `look` in the timer's thread at `deadline`, or `warning` after the abort, whoever aborts.
  void arm(Timer& timer, Clock::time_point deadline, Millis warning, std::function<void()> look);
  bool mark_overdue();            // false when it was already
  void publish(CallState state);  // by the table, under its lock
  // What follows the publication, outside every lock: detaches the links to other signals, then tells waiters and
  // listeners.
  void let_go(CallState final_state);
  void tell_listeners();
  void call_listener(const Listener& listener) noexcept;
  void log_end(CallState state) const;

  struct Entry {
    std::uint64_t handle;
    Listener call;
  };
  const CallKey key_;
  const std::string tool_;
  const CallTraits traits_;
  const Clock::time_point began_ = Clock::now();
  const std::shared_ptr<CallCounters> counters_;
  AbortController controller_;
  std::optional<Timer::Entry> due_;  // the deadline, then the warning
  Clock::time_point deadline_{};     // max(): it bounds itself
  Clock::time_point held_since_{};   // of the thread that runs it
  Clock::duration held_for_{};       // the same: before held_since_
  Millis warning_{};
  std::optional<AbortCallback> armed_;  // sets due_ to the warning's time

  mutable Mutex mutex_;
  CondVar changed_;                                           // terminal, or a listener's call ended
  CallState state_ GUARDED_BY(mutex_) = CallState::starting;  // aborting is derived from the signal
  bool overdue_ GUARDED_BY(mutex_) = false;
  bool held_ GUARDED_BY(mutex_) = false;
  std::string tab_ GUARDED_BY(mutex_);
  std::optional<CallProgress> progress_ GUARDED_BY(mutex_);
  std::list<Entry> listeners_ GUARDED_BY(mutex_);
  std::uint64_t next_handle_ GUARDED_BY(mutex_) = 1;
  std::uint64_t calling_ GUARDED_BY(mutex_) = 0;  // the listener that is being called
  std::thread::id caller_ GUARDED_BY(mutex_);
};

}  // namespace bridle
