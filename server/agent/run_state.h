#pragma once

#include <atomic>
#include <string_view>

namespace bridle::agent {

// What a run is doing. How it went is another matter: a run that completed may have failed at its task
// [agent.run.status].
enum class RunStatus {
  idle,       // made, not begun
  running,    //
  completed,  // terminal: the model said that it is done, with success or without
  error,      // terminal: a limit, a dead model, something unexpected
  stopped,    // terminal: aborted, by whomever
  disposed,   // terminal: the server's end
};
std::string_view to_string(RunStatus status) noexcept;

// The one table of transitions.
bool may_become(RunStatus from, RunStatus to) noexcept;

// A run's status. Any thread may read; its run writes.
class RunState {
 public:
  RunStatus status() const { return status_; }
  // False for a transition that the table doesn't have: then nothing changes, and it is counted and logged.
  bool become(RunStatus to);
  // Over all runs.
  static long invalid_transitions() noexcept;

 private:
  std::atomic<RunStatus> status_{RunStatus::idle};
};

}  // namespace bridle::agent
