#pragma once

#include <memory>
#include <nlohmann/json.hpp>

#include "base/call_context.h"
#include "base/deadline.h"
#include "base/sync.h"
#include "server/outbox.h"
#include "server/revision.h"

namespace bridle {

// notifications/progress of one call (spec/protocol, 1.1): only with a token, strictly rising, rate-limited, silent
// once the call ended or aborted. Any thread.
class ProgressReporter : public ProgressSink {
 public:
  // A burst passes, then so many a second.
  static constexpr double kBurst = 20;
  static constexpr double kPerSecond = 10;

  ProgressReporter(Revision revision, nlohmann::json token, std::shared_ptr<Outbox::Lane> lane);
  void report(double progress, double total, std::string_view message) override;

 private:
  const Revision revision_;
  const nlohmann::json token_;
  const std::shared_ptr<Outbox::Lane> lane_;
  Mutex mutex_;
  bool any_ GUARDED_BY(mutex_) = false;
  double last_ GUARDED_BY(mutex_) = 0;
  double allowance_ GUARDED_BY(mutex_) = kBurst;
  Clock::time_point refilled_ GUARDED_BY(mutex_) = Clock::now();
};

}  // namespace bridle
