#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/text/json.h"
#include "tools/devtools/parse/main_thread.h"
#include "tools/devtools/parse/trace_events.h"

namespace bridle {

// What a trace says of its last page load. Times are ms; those of a load count from its navigation's start.
struct TraceReport {
  bool loaded = false;          // a navigation of the tab's main frame is in the trace
  std::string url{};            // of its document
  std::string navigation_id{};  // the document's loader id
  double span = 0;              // from the navigation, or from the trace's beginning, to its end
  std::optional<double> ttfb{};
  std::optional<double> fcp{};

  struct Lcp {
    double at = 0;
    std::string element{};  // "IMG id='hero'"
    long long node = 0;     // its backendNodeId
    bool image = false;
    std::string url{};  // of the image
    // Its phases, whose sum is `at`; those of a text's load are 0.
    double ttfb = 0;
    double load_delay = 0;
    double load_duration = 0;
    double render_delay = 0;
  };
  std::optional<Lcp> lcp{};

  struct ShiftedNode {
    long long node = 0;  // backendNodeId
    double from[4]{};    // x, y, width, height
    double to[4]{};
  };
  struct Shift {
    double score = 0;
    double at = 0;
    std::vector<ShiftedNode> nodes{};
  };
  double cls = 0;               // of the worst session window
  std::vector<Shift> shifts{};  // without recent input, largest first

  struct Interaction {
    double duration = 0;
    double at = 0;
    std::string type{};
    long long node = 0;
  };
  std::optional<Interaction> inp{};
  std::size_t interactions = 0;

  struct Request {
    std::string url{};
    double start = 0;
    double end = 0;  // 0: it hadn't ended
  };
  std::vector<Request> blocking{};  // what held the first paint up
  MainThreadTimes main_thread{};
  bool cut = false;  // the trace had more events than are kept
};

// Reads the events of one tab's trace into a report: those that TraceOwners shows. Keeps of an event what it needs: at
// most some 100 MiB. Not shared between threads; takes any events without harm.
class TraceSummary {
 public:
  TraceSummary(std::string main_frame, const TraceOwners& owners)
      : main_frame_(std::move(main_frame)), owners_(owners) {}

  void add(const TraceEvent& event);
  TraceReport report();

 private:
  struct Navigation {
    std::int64_t ts = 0;
    std::int64_t pid = -1;
    std::string id{};
    std::string url{};
  };
  struct Request {
    std::string id{};
    std::string url{};
    std::int64_t sent = 0;
    std::int64_t finished = 0;
    std::int64_t first_byte = 0;
    bool blocking = false;
  };
  struct Candidate {
    std::string navigation{};
    std::int64_t ts = 0;
    double index = 0;
    Json data{};
  };
  struct Shift {
    std::int64_t ts = 0;
    double score = 0;
    std::vector<TraceReport::ShiftedNode> nodes{};
  };
  struct Input {
    std::int64_t ts = 0;
    double duration = 0;
    std::string type{};
    long long node = 0;
  };
  Request* request(const Json& data, bool make);
  void add_page_event(const TraceEvent& event, const Json& args);
  void add_request_event(const TraceEvent& event, const Json& data);
  void add_layout_shift(const TraceEvent& event, const Json& data);
  void add_input(const TraceEvent& event, const Json& data);
  void report_lcp(const Navigation& load, TraceReport& report) const;
  void report_shifts(std::int64_t from, TraceReport& report) const;
  void report_inputs(std::int64_t from, TraceReport& report) const;

  const std::string main_frame_;
  const TraceOwners& owners_;
  std::int64_t first_ts_ = 0;
  std::int64_t last_ts_ = 0;
  std::vector<Navigation> navigations_{};
  std::vector<Candidate> first_paints_{};
  std::vector<Candidate> candidates_{};
  std::map<std::pair<std::int64_t, long long>, std::string> images_{};  // URL by process and node
  std::vector<Shift> shifts_{};
  std::map<long long, Input> inputs_{};  // by interaction
  std::vector<Request> requests_{};
  std::unordered_map<std::string, std::size_t> request_index_{};
  MainThread main_thread_{};
  bool cut_ = false;
};

}  // namespace bridle
