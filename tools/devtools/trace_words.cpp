#include "tools/devtools/trace_words.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>

#include "base/text/log.h"

namespace bridle {
namespace {

constexpr std::size_t kTraceLinesTold = 8;  // of each list
constexpr std::size_t kTraceUrlShown = 160;

// As web.dev has them: up to the first it is good, above the second poor.
struct Thresholds {
  double good;
  double poor;
};
constexpr Thresholds kLcp{2500, 4000};
constexpr Thresholds kFcp{1800, 3000};
constexpr Thresholds kTtfb{800, 1800};
constexpr Thresholds kInp{200, 500};
constexpr Thresholds kCls{0.1, 0.25};

const char* rated_words(double value, const Thresholds& thresholds) {
  if (value <= thresholds.good) return "good";
  return value <= thresholds.poor ? "needs improvement" : "poor";
}

std::string timed_words(const char* name, const std::optional<double>& value, const Thresholds& thresholds) {
  return value ? fmt::format("{} {:.0f} ms ({})", name, *value, rated_words(*value, thresholds))
               : fmt::format("{} not in the trace", name);
}

std::string lcp_words(const TraceReport& report) {
  if (!report.lcp) return "LCP not in the trace\n";
  const auto& lcp = *report.lcp;
  auto words = fmt::format("LCP {:.0f} ms ({}): {} {}\n", lcp.at, rated_words(lcp.at, kLcp), loggable(lcp.element, 120),
                           lcp.image ? loggable(lcp.url, kTraceUrlShown) : "(text)");
  words += fmt::format("  TTFB {:.0f} ms, ", lcp.ttfb);
  if (lcp.image) words += fmt::format("load delay {:.0f} ms, load {:.0f} ms, ", lcp.load_delay, lcp.load_duration);
  return words + fmt::format("render delay {:.0f} ms\n", lcp.render_delay);
}

std::string shift_words(const TraceReport& report, const std::function<std::string(long long)>& name_of) {
  auto words = fmt::format("CLS {:.4f} ({})\n", report.cls, rated_words(report.cls, kCls));
  constexpr std::size_t kNodesTold = 3;
  for (const auto& shift : report.shifts) {
    words += fmt::format("  {:.4f} at {:.0f} ms:", shift.score, shift.at);
    for (std::size_t i = 0; i < std::min(shift.nodes.size(), kNodesTold); ++i) {
      const auto& node = shift.nodes[i];
      words += fmt::format("{} {} {:.0f},{:.0f} -> {:.0f},{:.0f}", i == 0 ? "" : ";", name_of(node.node), node.from[0],
                           node.from[1], node.to[0], node.to[1]);
    }
    if (shift.nodes.size() > kNodesTold) words += fmt::format("; and {} more", shift.nodes.size() - kNodesTold);
    words += "\n";
  }
  return words;
}

std::string task_words(const MainThreadTimes& times) {
  if (times.long_task_count == 0) return "Long tasks: none of more than 50 ms\n";
  auto words = fmt::format("Long tasks: {}, which blocked for {:.0f} ms\n", times.long_task_count, times.blocked);
  for (std::size_t i = 0; i < std::min(times.long_tasks.size(), kTraceLinesTold); ++i) {
    const auto& tasks = times.long_tasks[i];
    words += fmt::format("  {:.0f} ms in {} (longest {:.0f} ms): {}\n", tasks.total, tasks.count, tasks.longest,
                         tasks.url.empty() ? "no script" : loggable(tasks.url, kTraceUrlShown));
  }
  if (times.long_tasks.size() > kTraceLinesTold)
    words += fmt::format("  and those of {} more scripts\n", times.long_tasks.size() - kTraceLinesTold);
  return words;
}

std::string blocking_words(const TraceReport& report) {
  if (report.blocking.empty()) return "Render-blocking requests: none\n";
  auto words = fmt::format("Render-blocking requests: {}\n", report.blocking.size());
  for (std::size_t i = 0; i < std::min(report.blocking.size(), kTraceLinesTold); ++i) {
    const auto& request = report.blocking[i];
    words += fmt::format("  {:.0f} to {} ms: {}\n", request.start,
                         request.end > 0 ? fmt::format("{:.0f}", request.end) : "...",
                         loggable(request.url, kTraceUrlShown));
  }
  if (report.blocking.size() > kTraceLinesTold)
    words += fmt::format("  and {} more\n", report.blocking.size() - kTraceLinesTold);
  return words;
}

}  // namespace

std::string trace_words(const TraceReport& report, const std::function<std::string(long long node)>& name_of) {
  std::string words;
  if (report.loaded) {
    words = "Load of " + loggable(report.url, kTraceUrlShown) + "\n" + lcp_words(report);
    words += timed_words("FCP", report.fcp, kFcp) + ", " + timed_words("TTFB", report.ttfb, kTtfb) + "\n";
  } else {
    words = "No page load is in the trace: reload: true traces one.\n";
  }
  words += shift_words(report, name_of);
  if (report.inp) {
    words += fmt::format("INP {:.0f} ms ({}): {}", report.inp->duration, rated_words(report.inp->duration, kInp),
                         loggable(report.inp->type, 40));
    if (report.inp->node != 0) words += " on " + name_of(report.inp->node);
    words += fmt::format(" at {:.0f} ms, of {} interactions\n", report.inp->at, report.interactions);
  } else {
    words += "INP: nobody has clicked or typed\n";
  }
  words += task_words(report.main_thread);
  if (report.loaded) words += blocking_words(report);
  words += fmt::format("Main thread, of {:.0f} ms:", report.span);
  for (std::size_t i = 0; i < report.main_thread.kinds.size(); ++i) {
    const auto& [kind, ms] = report.main_thread.kinds[i];
    words += fmt::format("{} {} {:.0f} ms", i == 0 ? "" : ",", kind, ms);
  }
  return words + "\n";
}

Json trace_figures(const TraceReport& report) {
  const auto rounded = [](double value) { return std::round(value * 10) / 10; };
  Json figures{{"cls", report.cls},
               {"longTasks", report.main_thread.long_task_count},
               {"blockedMs", rounded(report.main_thread.blocked)},
               {"blocking", report.blocking.size()}};
  if (report.fcp) figures["fcp"] = rounded(*report.fcp);
  if (report.ttfb) figures["ttfb"] = rounded(*report.ttfb);
  if (report.inp) figures["inp"] = rounded(report.inp->duration);
  if (report.lcp) {
    const auto& lcp = *report.lcp;
    figures["lcp"] = {{"at", rounded(lcp.at)},
                      {"element", loggable(lcp.element, 120)},
                      {"ttfb", rounded(lcp.ttfb)},
                      {"loadDelay", rounded(lcp.load_delay)},
                      {"loadDuration", rounded(lcp.load_duration)},
                      {"renderDelay", rounded(lcp.render_delay)}};
  }
  Json kinds = Json::object();
  for (const auto& [kind, ms] : report.main_thread.kinds) kinds[kind] = rounded(ms);
  figures["mainThread"] = std::move(kinds);
  return figures;
}

}  // namespace bridle
