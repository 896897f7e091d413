#include <string>
#include <vector>

#include "tests/fuzz/targets.h"
#include "tools/devtools/parse/trace_events.h"
#include "tools/devtools/parse/trace_summary.h"
#include "tools/devtools/trace_words.h"

namespace bridle::fuzz {

// Texts that are said to be traces; a page may put anything into its own events.
void trace(std::string_view bytes) {
  std::vector<std::string> events;
  TraceSplitter splitter([&](std::string_view event) { events.emplace_back(event); });
  const auto half = bytes.size() / 2;
  splitter.append(bytes.substr(0, half));
  splitter.append(bytes.substr(half));
  TraceOwners owners("MAIN");
  for (const auto& text : events) {
    if (const auto event = scan_trace_event(text)) owners.add(*event);
  }
  TraceSummary summary("MAIN", owners);
  std::string changed;
  for (const auto& text : events) {
    const auto event = scan_trace_event(text);
    if (!event) continue;
    const auto shown = owners.shown(*event, changed);
    require(shown.empty() || owners.has_process(event->pid) || event->pid >= 0);
    summary.add(*event);
  }
  const auto report = summary.report();
  require(report.cls >= 0 && report.span >= 0);
  if (report.lcp) require(report.lcp->load_delay >= 0 && report.lcp->load_duration >= 0);
  trace_words(report, [](long long) { return std::string("node"); });
  trace_figures(report);
  // The scan alone meets what the splitter never lets through.
  scan_trace_event(bytes);
}

}  // namespace bridle::fuzz
