#include "tools/core/wait.h"

#include <spdlog/fmt/fmt.h>

#include <optional>

#include "base/text/log.h"
#include "base/text/secrets.h"
#include "browser/page/navigation.h"
#include "browser/page/told_state.h"
#include "tools/contract/schema.h"
#include "tools/scope/page_tool.h"
#include "tools/scope/shown_text.h"

namespace bridle {
namespace {

// One round of waiting in a frame lasts at most this long; then progress is reported, and the other frames are
// waited in. The page's own observer ends a round early, so this delays nothing.
constexpr Millis kRound{1000};

struct Wanted {
  ShownText shown;
  std::optional<std::string> url;
};

void report_progress(PageCall& call, Clock::time_point begun, Millis limit) {
  if (call.ctx().progress == nullptr) return;
  const auto waited = std::chrono::duration<double>(Clock::now() - begun).count();
  call.ctx().progress->report(waited, std::chrono::duration<double>(limit).count(),
                              fmt::format("waited {:.0f} s", waited));
}

// The signal is the only thing that ends this early.
void wait_time(PageCall& call, Millis span, Clock::time_point begun) {
  Mutex mutex;
  CondVar never;
  const auto until = Deadline::after(span);
  while (!until.expired()) {
    auto slice = call.ctx();
    slice.deadline = until.earlier(Deadline::after(kRound));
    MutexLock lock(mutex);
    wait_until(slice, never, lock, [] { return false; });
    lock.unlock();
    report_progress(call, begun, span);
  }
}

bool wait_condition(PageCall& call, const Wanted& wanted, Millis limit, Clock::time_point begun) {
  const auto until = Deadline::after(limit);
  for (;;) {
    const auto slice = std::min(until.remaining(), kRound);
    if (wanted.url) {
      const bool there = call.tab().wait_for_url(call.ctx().within(slice), *wanted.url);
      if (there && !wanted.shown.text && !wanted.shown.text_gone) return true;
      if (there && page_satisfies(call, wanted.shown, slice)) return true;
    } else if (page_satisfies(call, wanted.shown, slice)) {
      return true;
    }
    if (until.expired()) return false;
    report_progress(call, begun, limit);
    // While a document is on its way the page answers at once that nothing is there, so wait for the document instead
    // of asking again and again.
    call.tab().wait_while_navigating(call.ctx().within(std::min(until.remaining(), kRound)));
    call.tab().throw_if_gone();
  }
}

void wait_for_tool(PageCall& call, const Arguments& args) {
  const auto begun = Clock::now();
  Wanted wanted;
  if (args.has("text")) wanted.shown.text = args.text("text");
  if (args.has("textGone")) wanted.shown.text_gone = args.text("textGone");
  if (args.has("url")) wanted.url = args.text("url");
  const bool condition = wanted.shown.text || wanted.shown.text_gone || wanted.url;
  const bool timed = args.has("time");
  if (!condition && !timed) throw ToolError("Nothing to wait for: give time, text, textGone or url.");
  if (timed) {
    wait_time(call, std::chrono::ceil<Millis>(std::chrono::duration<double>(args.number("time"))), begun);
  }
  bool satisfied = true;
  if (condition) {
    satisfied = wait_condition(call, wanted, Millis(args.integer("timeout")), begun);
  }
  const auto waited = std::chrono::duration_cast<Millis>(Clock::now() - begun).count();
  call.response.structured["waitedMs"] = waited;
  call.response.structured["satisfied"] = satisfied;
  std::string what;
  if (wanted.shown.text) what += " text \"" + loggable(*wanted.shown.text) + "\"";
  if (wanted.shown.text_gone)
    what += std::string(what.empty() ? "" : " and") + " the end of text \"" + loggable(*wanted.shown.text_gone) + "\"";
  if (wanted.url) what += std::string(what.empty() ? "" : " and") + " URL with \"" + loggable(*wanted.url) + "\"";
  if (!satisfied) {
    const auto here =
        wanted.url ? fmt::format(" The page is at {}.", shown_url(call.tab().state().url)) : std::string();
    throw ToolError(fmt::format("waited {} ms for{}, which did not come.{}", waited, what, here));
  }
  call.response.result(fmt::format("waited {} ms{}", waited, what.empty() ? "" : " for" + what));
  NavigationResult page;
  refresh_titles(call.ctx(), {call.tab().shared_from_this()});
  const auto now = call.tab().state();
  page.url = now.url;
  page.title = now.title;
  call.add_page(page);
  if (condition) call.add_delta();
}

}  // namespace

std::vector<ToolSpec> wait_tools(const BrowserSettings&) {
  return {{.name = "browser_wait_for",
           .title = "Wait",
           .description = "Wait for text to come or go, for a URL, or for a time.",
           .input_schema = schema::object({{"time", schema::number("Seconds", 0, 300)},
                                           {"text", schema::text()},
                                           {"textGone", schema::text()},
                                           {"url", schema::text("Part of it")},
                                           {"timeout", schema::integer("Ms; default 5000", 1, limits::kWaitMax.count()),
                                            false, limits::kActionTimeout.count()},
                                           schema::tab()}),
           .output_schema = schema::output({"satisfied"}),
           .read_only = true,
           .idempotent = true,
           .may_take_long = true,
           .handler = page_tool("browser_wait_for", {.queues = false, .settles = false}, wait_for_tool)}};
}

}  // namespace bridle
