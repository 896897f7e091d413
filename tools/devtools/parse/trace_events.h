#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace bridle {

// The events of a trace file ({"traceEvents":[{...},...]} or [{...},...]) while its bytes arrive: one event is kept at
// a time, so a trace of any size takes no memory. Not shared between threads.
class TraceSplitter {
 public:
  // `on_event` gets the text of each event, a JSON object.
  explicit TraceSplitter(std::function<void(std::string_view)> on_event) : on_event_(std::move(on_event)) {}

  void append(std::string_view bytes);
  bool done() const { return state_ == State::done; }  // the list of events has ended
  bool malformed() const { return malformed_; }
  std::size_t dropped() const { return dropped_; }  // events that were too long

  static constexpr std::size_t kLongest = 8 * 1024 * 1024;

 private:
  enum class State { head, between, event, done };
  void end_event();

  const std::function<void(std::string_view)> on_event_;
  State state_ = State::head;
  std::string event_{};
  std::size_t depth_ = 0;
  bool in_string_ = false;
  bool escaped_ = false;
  bool too_long_ = false;
  bool malformed_ = false;
  std::size_t dropped_ = 0;
};

// What all events have, found without parsing them. The views point into the event's text.
struct TraceEvent {
  std::string_view text{};
  std::string_view name{};
  std::string_view category{};
  std::string_view phase{};
  std::string_view args{};  // JSON
  std::int64_t ts = 0;      // microseconds
  std::int64_t duration = 0;
  std::int64_t pid = -1;
  std::int64_t tid = -1;
};
// nullopt: not an event.
std::optional<TraceEvent> scan_trace_event(std::string_view text);

// Whose the processes and frames of a trace are. A browser's trace tells of all its pages; only what is certain to be
// of one tab's is kept of it [why.trace-of-one-tab].
class TraceOwners {
 public:
  explicit TraceOwners(std::string main_frame) : main_frame_(std::move(main_frame)) { frames_.insert(main_frame_); }

  // All events must have been added before the questions are asked.
  void add(const TraceEvent& event);

  bool has_process(std::int64_t pid) const { return processes_.contains(pid); }
  bool has_frame(const std::string& frame) const { return frames_.contains(frame); }
  bool is_main_thread(std::int64_t pid, std::int64_t tid) const { return main_threads_.contains({pid, tid}); }
  // The process that the main frame was in last; -1 unknown.
  std::int64_t main_process() const { return main_process_; }
  // The event as it may be shown: its own text, `changed`, which then holds it, or nothing.
  std::string_view shown(const TraceEvent& event, std::string& changed) const;

 private:
  const std::string main_frame_;
  std::int64_t main_process_ = -1;
  std::int64_t main_process_since_ = -1;
  std::set<std::string> frames_{};
  std::set<std::int64_t> processes_{};
  std::set<std::pair<std::int64_t, std::int64_t>> main_threads_{};
  std::int64_t browser_ = -1;
};

}  // namespace bridle
