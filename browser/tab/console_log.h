#pragma once

#include <deque>
#include <string>
#include <string_view>

#include "browser/tab/tab_state.h"

namespace bridle {

// What the page wrote to its console, and its uncaught exceptions.
// A pure state machine: no thread, no CDP command; its owner serialises access.
class ConsoleLog {
 public:
  bool on_event(std::string_view method, const Json& params, const std::string& loader_id);
  static bool wants(std::string_view method);
  // A line of ours among the page's, at level warning.
  void add_note(std::string text, const std::string& loader_id);

  const std::deque<ConsoleEntry>& entries() const { return entries_; }
  int last_index() const { return next_index_ - 1; }
  int dropped() const { return dropped_; }

 private:
  void add(ConsoleEntry entry);

  int next_index_ = 1;
  int dropped_ = 0;
  std::deque<ConsoleEntry> entries_;
};

}  // namespace bridle
