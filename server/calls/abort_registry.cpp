#include "server/calls/abort_registry.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "base/limits.h"
#include "base/log.h"
#include "server/calls/registry_impl.h"

namespace bridle {

AbortRegistry::Options::Options()
    : abort_warning(limits::kAbortWarning),
      early_cancel_ttl(limits::kEarlyCancelTtl),
      request_deadline(limits::kRequestDeadline),
      stop_wait(limits::kStopWait),
      in_flight(limits::kInFlight) {}

AbortRegistry::AbortRegistry(AbortSignal server_signal, Timer& timer, Options options)
    : impl_(std::make_shared<RegistryImpl>(std::move(server_signal), options)) {
  impl_->due.emplace(timer, [this] { look_for_due(); });
}

AbortRegistry::~AbortRegistry() { impl_->due->cancel(); }

RequestEntry AbortRegistry::begin(RequestKey key, std::string tool, const AbortSignal& session_signal, Refusal* refusal,
                                  BeginOptions options) {
  auto request = std::make_shared<Request>(*this, std::move(key), std::move(tool));
  auto& inner = *request->impl_;
  inner.session = session_signal;
  inner.options = options;
  inner.deadline = inner.began + impl_->options.request_deadline;
  request->controller_.link(impl_->server);
  request->controller_.link(session_signal);
  // Armed by the abort itself, whoever aborted; disarmed when the request ends.
  inner.armed.emplace(request->signal(), [registry = impl_.get()] { registry->due->set_by(Clock::now()); });

  std::optional<EarlyCancel> early;
  const Refusal why = impl_->add(request, early);
  if (refusal != nullptr) *refusal = why;
  if (why != Refusal::none) {
    ++impl_->totals.refused;
    return {};
  }
  ++impl_->totals.requests;
  RequestEntry entry(this, request);
  if (early && options.cancellable) {
    ++impl_->totals.early_cancels_used;
    RegistryImpl::fire(*request, early->reason, std::move(early->text));
  }
  return entry;
}

CancelOutcome AbortRegistry::cancel(const RequestKey& key, AbortReason reason, std::string text) {
  // [cancel.reason.text]: a reason that is too long still cancels. Four bytes a character at most; the log shortens the
  // rest.
  if (text.size() > 4 * limits::kCancelReasonLength) text.resize(4 * limits::kCancelReasonLength);
  ++impl_->totals.cancels;
  const CancelOutcome outcome = impl_->cancel(key, reason, std::move(text));
  if (outcome == CancelOutcome::ignored) ++impl_->totals.cancels_ignored;
  return outcome;
}

void AbortRegistry::forget_session(const std::string& session) { impl_->forget_session(session); }

AbortRegistry::StopReport AbortRegistry::stop(const CallContext& ctx,
                                              const std::function<bool(const Request&)>& selects,
                                              const std::string& text) {
  const CallContext bounded = ctx.within(impl_->options.stop_wait);
  StopReport report;
  for (auto& request : impl_->live()) {
    if (!selects(*request)) continue;
    if (RegistryImpl::fire(*request, AbortReason::stopped_by_user, text) != CancelOutcome::sent) continue;
    report.requests.push_back(std::move(request));
  }
  report.was_cancelled = !report.requests.empty();
  for (const auto& request : report.requests) {
    if (!request->wait_terminal(bounded)) report.timed_out = true;
  }
  return report;
}

std::vector<std::shared_ptr<Request>> AbortRegistry::live() const { return impl_->live(); }

nlohmann::json AbortRegistry::recent() const {
  auto rows = nlohmann::json::array();
  for (const auto& row : impl_->recent()) rows.push_back(row_json(row));
  return rows;
}

nlohmann::json AbortRegistry::counters() const {
  long aborting = 0;
  long overdue = 0;
  const auto requests = impl_->live();
  for (const auto& request : requests) {
    if (request->state() == RequestState::aborting) ++aborting;
    if (request->overdue()) ++overdue;
  }
  const auto& totals = impl_->totals;
  return {{"registry", requests.size()},
          {"aborting", aborting},
          {"overdue", overdue},
          {"early_cancels", impl_->early_count()},
          {"waiters", impl_->waiters.load()},
          {"listeners", impl_->listeners.load()},
          {"links", AbortCallback::live()},
          {"requests_total", totals.requests.load()},
          {"refused_total", totals.refused.load()},
          {"completed_total", totals.completed.load()},
          {"error_total", totals.error.load()},
          {"aborted_total", totals.aborted.load()},
          {"cancels_total", totals.cancels.load()},
          {"cancels_ignored_total", totals.cancels_ignored.load()},
          {"early_cancels_total", totals.early_cancels.load()},
          {"early_cancels_used_total", totals.early_cancels_used.load()},
          {"abort_warnings_total", totals.abort_warnings.load()},
          {"late_results_total", totals.late_results.load()},
          {"invalid_transitions_total", totals.invalid_transitions.load()},
          {"listener_errors_total", totals.listener_errors.load()}};
}

bool AbortRegistry::wait_idle(const CallContext& ctx) { return impl_->wait_idle(ctx); }

void AbortRegistry::look_for_due() {
  const auto due = impl_->collect_due(Clock::now());
  impl_->due->set_by(due.next);
  for (const auto& request : due.overdue) warn(*request);
  for (const auto& request : due.expired) {
    const auto seconds = std::chrono::ceil<std::chrono::seconds>(impl_->options.request_deadline).count();
    RegistryImpl::fire(*request, AbortReason::deadline, fmt::format("the request's time of {} s ran out", seconds));
  }
}

void AbortRegistry::warn(Request& request) {
  spdlog::warn("{} session={} request={}", abort_warning_text(request.tool()), loggable(request.key().session),
               loggable(request.key().id));
  if (!on_overdue) return;
  try {
    on_overdue(request);
  } catch (const std::exception& error) {
    spdlog::error("telling of an overdue request failed: {}", loggable(error.what()));
  } catch (...) {
    spdlog::error("telling of an overdue request failed");
  }
}

}  // namespace bridle
