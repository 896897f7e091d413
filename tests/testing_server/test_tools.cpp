#include "tests/testing_server/test_tools.h"

#include <chrono>
#include <stdexcept>

#include "base/concurrency/sync.h"
#include "tools/contract/response.h"

namespace bridle {
namespace {

using Seconds = std::chrono::duration<double>;
constexpr Millis kReportEvery{250};
constexpr int kMaxSeconds = 300;

Millis span_of(const Json& args) {
  return std::chrono::duration_cast<Millis>(Seconds(args.at("seconds").get<double>()));
}

Json seconds_schema() { return {{"type", "number"}, {"minimum", 0}, {"maximum", kMaxSeconds}}; }

// Waits on its signal and reports progress now and then.
ToolResult sleep(ToolContext& context, const Json& args) {
  Mutex mutex;
  CondVar never;
  const auto began = Clock::now();
  const auto span = span_of(args);
  const double total = Seconds(span).count();
  for (;;) {
    const auto left = began + span - Clock::now();
    if (left <= Clock::duration::zero()) break;
    if (context.call.progress != nullptr) {
      context.call.progress->report(Seconds(Clock::now() - began).count(), total, "sleeping");
    }
    MutexLock lock(mutex);
    wait_until(context.call.within(std::min(kReportEvery, std::chrono::ceil<Millis>(left))), never, lock,
               [] { return false; });
  }
  return plain_result("Slept " + args.at("seconds").dump() + " s");
}

// A tool with a bug: nothing wakes it before its time.
ToolResult ignore_abort(ToolContext& context, const Json& args, const TakeTab& take_tab) {
  const auto tab = take_tab ? take_tab(context) : nullptr;
  if (context.observer != nullptr) context.observer->on_running();
  Mutex mutex;
  CondVar never;
  {
    const auto until = Clock::now() + span_of(args);
    MutexLock lock(mutex);
    never.wait_until(lock, until, [] { return false; });
  }
  if (args.value("throws", false)) throw std::logic_error("test_ignore_abort was told to throw");
  return plain_result("Ignored everything for " + args.at("seconds").dump() + " s");
}

}  // namespace

void add_test_tools(Toolbox& toolbox, TakeTab take_tab) {
  toolbox.add({.name = "test_sleep",
               .title = "Sleep",
               .description = "For tests: waits so many seconds, and ends at once when it is cancelled.",
               .input_schema = {{"type", "object"},
                                {"properties", {{"seconds", seconds_schema()}}},
                                {"required", {"seconds"}},
                                {"additionalProperties", false}},
               .read_only = true,
               .open_world = false,
               .handler = sleep});
  const bool queues = static_cast<bool>(take_tab);
  toolbox.add({.name = "test_ignore_abort",
               .title = "Ignore the abort signal",
               .description = "For tests: waits so many seconds and ignores every cancel, then returns or throws.",
               .input_schema = {{"type", "object"},
                                {"properties", {{"seconds", seconds_schema()}, {"throws", {{"type", "boolean"}}}}},
                                {"required", {"seconds"}},
                                {"additionalProperties", false}},
               .read_only = true,
               .open_world = false,
               .queues = queues,
               .handler = [take_tab = std::move(take_tab)](ToolContext& context, const Json& args) {
                 return ignore_abort(context, args, take_tab);
               }});
}

}  // namespace bridle
