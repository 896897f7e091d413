#include "server/calls/stream/progress.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "server/mcp/jsonrpc.h"

namespace bridle {

ProgressReporter::ProgressReporter(Revision revision, nlohmann::json token, ReplyStream::Lane& lane)
    : revision_(revision), token_(std::move(token)), lane_(lane) {}

void ProgressReporter::report(double progress, double total, std::string_view message) {
  if (token_.is_null() || !std::isfinite(progress)) return;
  reports_itself_ = true;
  nlohmann::json params = {{"progressToken", token_}, {"progress", progress}};
  if (total >= 0 && std::isfinite(total)) params["total"] = total;
  if (!message.empty() && has_progress_message(revision_)) params["message"] = message;
  send(params, progress);
}

void ProgressReporter::heartbeat() {
  if (token_.is_null() || reports_itself_) return;
  const double seconds = std::floor(std::chrono::duration<double>(Clock::now() - began_).count() * 1000) / 1000;
  nlohmann::json params = {{"progressToken", token_}, {"progress", seconds}};
  if (has_progress_message(revision_)) params["message"] = "still running";
  send(params, seconds);
}

void ProgressReporter::send(const nlohmann::json& params, double progress) {
  const std::string text = jsonrpc::notification("notifications/progress", params);
  // Sent under the lock, so that the order on the wire is the order of the check. The stream's lock is a leaf.
  MutexLock lock(mutex_);
  if (any_ && progress <= last_) return;
  const auto now = Clock::now();
  allowance_ = std::min(kBurst, allowance_ + kPerSecond * std::chrono::duration<double>(now - refilled_).count());
  refilled_ = now;
  if (allowance_ < 1) return;
  allowance_ -= 1;
  any_ = true;
  last_ = progress;
  lane_.push(Frame::Kind::notification, text);
}

}  // namespace bridle
