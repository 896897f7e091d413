#pragma once

#include <atomic>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/concurrency/call_context.h"
#include "base/concurrency/deadline.h"
#include "base/concurrency/sync.h"
#include "server/calls/stream/reply_stream.h"
#include "server/mcp/revision.h"

namespace bridle {

// notifications/progress of one call [wire.progress]: only with a token, strictly rising, rate-limited, silent
// once the call ended or aborted. Any thread.
class ProgressReporter : public ProgressSink {
 public:
  // A burst passes, then so many a second.
  static constexpr double kBurst = 20;
  static constexpr double kPerSecond = 10;

  ProgressReporter(Revision revision, nlohmann::json token, ReplyStream::Lane& lane);
  void report(double progress, double total, std::string_view message) override;
  // A sign of life: seconds so far, for a call that reports nothing itself. Clients give up on silent calls.
  void heartbeat();

 private:
  void send(const nlohmann::json& params, double progress) EXCLUDES(mutex_);
  const Revision revision_;
  const nlohmann::json token_;
  ReplyStream::Lane& lane_;
  Mutex mutex_;
  const Clock::time_point began_ = Clock::now();
  std::atomic<bool> reports_itself_{false};
  bool any_ GUARDED_BY(mutex_) = false;
  double last_ GUARDED_BY(mutex_) = 0;
  double allowance_ GUARDED_BY(mutex_) = kBurst;
  Clock::time_point refilled_ GUARDED_BY(mutex_) = Clock::now();
};

}  // namespace bridle
