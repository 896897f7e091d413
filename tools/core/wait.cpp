#include "tools/core/wait.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <optional>
#include <string>

#include "base/text/log.h"
#include "base/text/secrets.h"
#include "base/text/text.h"
#include "browser/page/condition.h"
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
constexpr int kLooksForRest = 3;

struct Wanted {
  ShownText shown;
  std::optional<ShownElement> element;
  std::optional<std::string> url;
  std::optional<std::string> request;   // part of its URL, or a pattern with *
  std::optional<std::string> response;  // the same
  std::optional<std::string> function;

  bool text() const { return shown.text || shown.text_gone; }
  // Something is to come, not to go.
  bool appears() const {
    return shown.text || response || (element && (element->state == "visible" || element->state == "attached"));
  }
  bool any() const { return text() || element || url || request || response || function; }
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

// Between two looks at what no event tells of.
constexpr Millis kLook{100};

// Whether a URL has `pattern` in it, or with a * in that fits it as a whole.
bool url_fits(std::string_view url, std::string_view pattern) {
  if (pattern.find('*') == std::string_view::npos) return url.find(pattern) != std::string_view::npos;
  std::size_t u = 0, p = 0, after_star = std::string_view::npos, resumed = 0;
  while (u < url.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      after_star = ++p;
      resumed = u;
    } else if (p < pattern.size() && pattern[p] == url[u]) {
      ++p;
      ++u;
    } else if (after_star != std::string_view::npos) {
      p = after_star;
      u = ++resumed;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

// The newest request that fits, of those that the page has begun since the caller's last action or navigation began.
std::optional<NetworkRequest> find_request(Tab& tab, const std::string& pattern, bool answered) {
  const auto log = tab.requests_of_document();
  for (auto request = log.entries.rbegin(); request != log.entries.rend(); ++request) {
    if (request->index <= tab.acted_after()) break;
    if (url_fits(request->url, pattern) && (!answered || request->status != 0)) return *request;
  }
  return std::nullopt;
}

bool wait_request(PageCall& call, const std::string& pattern, bool answered, Millis patience) {
  Tab& tab = call.tab();
  return tab.wait(call.ctx().within(patience),
                  [&] { return tab.state().gone || find_request(tab, pattern, answered).has_value(); });
}

// A document that goes away meanwhile has no condition that holds.
bool wait_function(PageCall& call, const std::string& source, Millis patience) {
  const auto until = Deadline::after(patience);
  for (;;) {
    try {
      if (condition_holds(call.ctx(), call.tab(), source)) return true;
    } catch (const DocumentGone&) {
      return false;
    } catch (const ScriptError& error) {
      throw ToolError(std::string("browser_wait_for: function: ") + error.what() +
                      ". It is asked again and again, so it may only look; browser_evaluate changes things.");
    }
    if (until.expired()) return false;
    Mutex mutex;
    CondVar never;
    MutexLock lock(mutex);
    auto pause = call.ctx();
    pause.deadline = until.earlier(Deadline::after(kLook));
    wait_until(pause, never, lock, [] { return false; });
  }
}

// Whether all that is wanted is there within `patience`. The first may take all of it; the others are there then, or it
// is no.
bool satisfied_within(PageCall& call, const Wanted& wanted, Millis patience) {
  const auto until = Deadline::after(patience);
  const auto left = [&] { return std::max(until.remaining(), Millis(1)); };
  if (wanted.url && !call.tab().wait_for_url(call.ctx().within(left()), *wanted.url)) return false;
  if (wanted.request && !wait_request(call, *wanted.request, false, left())) return false;
  if (wanted.response && !wait_request(call, *wanted.response, true, left())) return false;
  if (wanted.text() && !page_satisfies(call, wanted.shown, left())) return false;
  if (wanted.element && !page_satisfies(call, *wanted.element, left())) return false;
  return !wanted.function || wait_function(call, *wanted.function, left());
}

bool wait_condition(PageCall& call, const Wanted& wanted, Millis limit, Clock::time_point begun) {
  const auto until = Deadline::after(limit);
  for (;;) {
    if (satisfied_within(call, wanted, std::min(until.remaining(), kRound))) return true;
    if (until.expired()) return false;
    report_progress(call, begun, limit);
    // While a document is on its way the page answers at once that nothing is there, so wait for the document instead
    // of asking again and again.
    call.tab().wait_while_navigating(call.ctx().within(std::min(until.remaining(), kRound)));
    call.tab().throw_if_gone();
  }
}

Wanted wanted_by(const Arguments& args) {
  Wanted wanted;
  const auto take = [&](const char* name, std::optional<std::string>& into) {
    if (!args.has(name)) return;
    into = args.text(name);
    if (trimmed(*into).empty()) throw ToolError(std::string("browser_wait_for: ") + name + " is empty.");
  };
  if (args.has("text")) wanted.shown.text = args.text("text");
  if (args.has("textGone")) wanted.shown.text_gone = args.text("textGone");
  if (args.has("url")) wanted.url = args.text("url");
  std::optional<std::string> selector;
  take("selector", selector);
  take("request", wanted.request);
  take("response", wanted.response);
  take("function", wanted.function);
  if (selector) wanted.element = ShownElement{.target = *selector, .state = args.text("state")};
  return wanted;
}

std::string words_for(const Wanted& wanted) {
  std::string words;
  const auto add = [&](const std::string& what) { words += (words.empty() ? " " : " and ") + what; };
  const auto quoted = [](const std::string& text) { return "\"" + loggable(text) + "\""; };
  if (wanted.shown.text) add("text " + quoted(*wanted.shown.text));
  if (wanted.shown.text_gone) add("the end of text " + quoted(*wanted.shown.text_gone));
  if (wanted.url) add("URL with " + quoted(*wanted.url));
  if (wanted.element) add(quoted(wanted.element->target) + " to be " + wanted.element->state);
  if (wanted.request) add("a request to " + quoted(*wanted.request));
  if (wanted.response) add("a response from " + quoted(*wanted.response));
  if (wanted.function) add("the function");
  return words;
}

// Which request it was.
void tell_request(PageCall& call, const std::optional<std::string>& pattern, bool answered) {
  if (!pattern) return;
  if (const auto found = find_request(call.tab(), *pattern, answered))
    call.response.result(fmt::format("request {}: {} {}{}", found->index, found->method, shown_url(found->url),
                                     found->status == 0 ? std::string() : fmt::format(" => {}", found->status)));
}

void wait_for_tool(PageCall& call, const Arguments& args) {
  const auto begun = Clock::now();
  const auto wanted = wanted_by(args);
  const bool condition = wanted.any();
  const bool timed = args.has("time");
  if (!condition && !timed)
    throw ToolError("Nothing to wait for: give time, text, textGone, url, selector, request, response or function.");
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
  const auto what = words_for(wanted);
  if (!satisfied) {
    const auto here =
        wanted.url ? fmt::format(" The page is at {}.", shown_url(call.tab().state().url)) : std::string();
    throw ToolError(fmt::format("waited {} ms for{}, which did not come.{}", waited, what, here));
  }
  call.response.result(fmt::format("waited {} ms{}", waited, what.empty() ? "" : " for" + what));
  tell_request(call, wanted.request, false);
  tell_request(call, wanted.response, true);
  const double motion = wait_until_still(call.ctx(), call.tab());
  NavigationResult page;
  refresh_titles(call.ctx(), {call.tab().shared_from_this()});
  const auto now = call.tab().state();
  page.url = now.url;
  page.title = now.title;
  page.note = call.news_of_document();
  call.add_page(page);
  // What was waited for may come before the rest of what it belongs to: a count before the rows of a grid, which take
  // several changes to come.
  const auto has_more = [](PageCall::Delta told) {
    return told == PageCall::Delta::shrunk || told == PageCall::Delta::thinned;
  };
  for (int look = 0; has_more(call.add_delta(look > 0)) && wanted.appears() && look < kLooksForRest; ++look) {
    if (!wait_until_changed(call.ctx(), call.tab())) break;
  }
  call.add_pending(motion);
}

}  // namespace

std::vector<ToolSpec> wait_tools(const BrowserSettings& settings) {
  const auto timeout = std::min(settings.action_timeout, limits::kWaitMax).count();
  const std::string by_itself = "Ms; default " + std::to_string(timeout);
  return {{.name = "browser_wait_for",
           .title = "Wait",
           .description = "Wait for what is given, or a time.",
           .input_schema = schema::object(
               {{"time", schema::number("Seconds", 0, 300)},
                {"text", schema::text()},
                {"textGone", schema::text()},
                {"url", schema::text("Part of it")},
                {"selector", schema::text()},
                {"state", schema::choice({"visible", "hidden", "attached", "detached"}), false, "visible"},
                {"request", schema::text("Part of its URL, or * pattern")},
                {"response", schema::text()},
                {"function", schema::text("True when it is time; only looks")},
                {"timeout", schema::bounded(by_itself.c_str(), 1, limits::kWaitMax.count()), false, timeout},
                schema::tab()}),
           .output_schema = schema::output({"satisfied"}),
           .read_only = true,
           .idempotent = true,
           .may_take_long = true,
           .handler = page_tool("browser_wait_for", {.queues = false, .settles = false}, wait_for_tool)}};
}

}  // namespace bridle
