#include "server/agent/run_state.h"

#include <spdlog/spdlog.h>

namespace bridle::agent {
namespace {

std::atomic<long> invalid{0};

}  // namespace

std::string_view to_string(RunStatus status) noexcept {
  switch (status) {
    case RunStatus::idle:
      return "idle";
    case RunStatus::running:
      return "running";
    case RunStatus::completed:
      return "completed";
    case RunStatus::error:
      return "error";
    case RunStatus::stopped:
      return "stopped";
    case RunStatus::disposed:
      return "disposed";
  }
  return "";
}

bool may_become(RunStatus from, RunStatus to) noexcept {
  switch (from) {
    case RunStatus::idle:  // stopped or ended before it began
      return to == RunStatus::running || to == RunStatus::stopped || to == RunStatus::error ||
             to == RunStatus::disposed;
    case RunStatus::running:
      return to == RunStatus::completed || to == RunStatus::error || to == RunStatus::stopped ||
             to == RunStatus::disposed;
    case RunStatus::completed:
    case RunStatus::error:
    case RunStatus::stopped:
    case RunStatus::disposed:
      return false;
  }
  return false;
}

bool RunState::become(RunStatus to) {
  auto from = status_.load();
  do {
    if (!may_become(from, to)) {
      ++invalid;
      spdlog::error("a run can't go from {} to {}", to_string(from), to_string(to));
      return false;
    }
  } while (!status_.compare_exchange_weak(from, to));
  return true;
}

long RunState::invalid_transitions() noexcept { return invalid; }

}  // namespace bridle::agent
