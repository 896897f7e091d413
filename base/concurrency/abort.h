#pragma once

#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

#include "base/concurrency/sync.h"

namespace bridle {

// Why work was told to stop. It decides what goes on the wire [cancel.wire.not-by-client].
enum class AbortReason {
  none,              // not aborted
  client_cancelled,  // the client sent a cancel: no answer is due
  client_gone,       // the peer disconnected, in a revision where that is the cancel: nobody to answer
  session_closed,    // DELETE, expiry or the end of an HTTP+SSE stream: the stream just ends
  deadline,          // the request's own time ran out: a result that says so
  stopped_by_user,   // browser_stop, POST /stop, the panel: a result that says so
  shutdown,          // the server is going away: a JSON-RPC error that says so
};

// The enumerator's name, as /status and the logs print it.
std::string_view to_string(AbortReason reason) noexcept;

// Thrown out of every wait whose signal aborted. Never turned into an `isError` text by a tool: exactly one
// place (the request's end) decides what the reason means.
class Aborted : public std::exception {
 public:
  explicit Aborted(AbortReason reason) noexcept : reason_(reason) {}
  const char* what() const noexcept override { return "aborted"; }
  AbortReason reason() const noexcept { return reason_; }

 private:
  AbortReason reason_;
};

namespace detail {
struct AbortState {
  std::stop_source stop;
  Mutex mutex;  // a leaf: nothing is called while it is held
  bool sealed GUARDED_BY(mutex) = false;
  std::atomic<bool> published{false};  // set once, under the mutex; then reason, text and at never change again
  AbortReason reason = AbortReason::none;
  std::string text{};
  std::chrono::steady_clock::time_point at{};
};
}  // namespace detail

// The read side: asks, waits, registers. Cheap to copy; any thread may use any copy at any time; outlives its
// controller safely. A default-constructed signal never aborts.
class AbortSignal {
 public:
  AbortSignal() = default;

  bool aborted() const noexcept { return state_ && state_->published.load(std::memory_order_acquire); }
  // none while not aborted.
  AbortReason reason() const noexcept { return aborted() ? state_->reason : AbortReason::none; }
  // The aborter's words; empty while not aborted.
  std::string text() const { return aborted() ? state_->text : std::string(); }
  // When the abort fired; only meaningful once aborted.
  std::chrono::steady_clock::time_point aborted_at() const noexcept {
    return aborted() ? state_->at : std::chrono::steady_clock::time_point{};
  }
  // Throws Aborted once aborted.
  void throw_if_aborted() const {
    if (aborted()) throw Aborted(state_->reason);
  }
  // For waits on a condition variable. The reason is published before this token stops.
  std::stop_token token() const noexcept { return state_ ? state_->stop.get_token() : std::stop_token(); }

 private:
  friend class AbortController;
  friend class AbortCallback;
  explicit AbortSignal(std::shared_ptr<detail::AbortState> state) : state_(std::move(state)) {}
  std::shared_ptr<detail::AbortState> state_;
};

// Runs `callback` once when the signal aborts: in the aborter's thread, or inline in this constructor when it
// already has. The destructor waits for a callback that runs in another thread, and may be called inside the
// callback itself, whose captures then live on until it returns. Callbacks only notify: they never block, do I/O or
// throw (a throw ends the process).
class AbortCallback {
 public:
  AbortCallback(const AbortSignal& signal, std::function<void()> callback);
  ~AbortCallback();
  AbortCallback(const AbortCallback&) = delete;
  AbortCallback& operator=(const AbortCallback&) = delete;

  // How many are registered in this process: a gauge for leak tests [cancel.nothing-left].
  static long live() noexcept;

 private:
  struct Counted {  // outlives callback_, so live() never misses one that may still run
    Counted() noexcept;
    ~Counted();
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;
  };
  struct Invoke {
    std::function<void()> fn;
    // Runs at most once. The callback may destroy its AbortCallback, and with it this object: it runs from a local.
    void operator()() noexcept { std::exchange(fn, nullptr)(); }
  };
  Counted counted_;
  std::stop_callback<Invoke> callback_;
};

// The write side: one a request [cancel.one-signal]. May be the child of a signal (server > session >
// request > step): a parent's abort reaches it with the parent's reason. Destroying a controller aborts nothing;
// it only unlinks it from its parent. Any thread may call abort() and signal().
class AbortController {
 public:
  AbortController() : state_(std::make_shared<detail::AbortState>()) {}
  explicit AbortController(const AbortSignal& parent);
  AbortController(const AbortController&) = delete;
  AbortController& operator=(const AbortController&) = delete;

  // Stores reason and text, then stops the token. The first call wins and returns true. Once any call has returned,
  // signal().aborted() holds, unless seal() came first. Callbacks may destroy this controller.
  bool abort(AbortReason reason, std::string text = {}) noexcept;
  // The work has ended: from now on nothing aborts it. False when an abort came first; its reason may then be read.
  // This is what decides between "completed" and "aborted" when both happen at once.
  bool seal() noexcept;
  AbortSignal signal() const noexcept { return AbortSignal(state_); }
  // Also follows `parent` from now on (a request follows its session and the server). Call before sharing; three
  // parents at most (std::logic_error).
  void link(const AbortSignal& parent);
  // Stops following every parent. Safe inside a callback and concurrent with an abort; one thread at a time, and
  // under no lock that a callback of this controller takes.
  void unlink() noexcept;

 private:
  static bool abort(detail::AbortState& state, AbortReason reason, std::string text) noexcept;

  std::shared_ptr<detail::AbortState> state_;
  std::optional<AbortCallback> links_[3];
};

}  // namespace bridle
