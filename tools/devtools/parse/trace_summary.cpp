#include "tools/devtools/parse/trace_summary.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "browser/cdp/message.h"

namespace bridle {
namespace {

constexpr std::size_t kRequests = 50'000;
constexpr std::size_t kShifts = 10'000;
constexpr std::size_t kShiftedNodes = 16;
constexpr std::size_t kInputs = 50'000;
constexpr std::size_t kPaints = 10'000;
constexpr std::int64_t kShiftGap = 1'000'000;     // microseconds that end a session window of shifts
constexpr std::int64_t kShiftWindow = 5'000'000;  // ... and its longest
constexpr std::size_t kInputsForgiven = 50;       // of so many interactions the slowest one doesn't count

double ms_between(std::int64_t from, std::int64_t to) { return static_cast<double>(to - from) / 1000; }

double number_of(const Json& object, const char* key) {
  const auto it = object.find(key);
  if (it == object.end() || !it->is_number()) return 0;
  const auto value = it->get<double>();
  return std::abs(value) < 9e15 ? value : 0;
}

long long integer_of(const Json& object, const char* key) { return static_cast<long long>(number_of(object, key)); }

bool is_true(const Json& object, const char* key) {
  const auto it = object.find(key);
  return it != object.end() && it->is_boolean() && it->get<bool>();
}

void read_rect(const Json& node, const char* key, double (&rect)[4]) {
  const auto it = node.find(key);
  if (it == node.end() || !it->is_array() || it->size() != 4) return;
  for (std::size_t i = 0; i < 4; ++i) {
    if ((*it)[i].is_number()) rect[i] = (*it)[i].get<double>();
  }
}

const Json& object_at(const Json& object, const char* key) {
  static const Json kNone = Json::object();
  const auto it = object.find(key);
  return it != object.end() && it->is_object() ? *it : kNone;
}

bool is_page_event(std::string_view name) {
  return name == "navigationStart" || name == "firstContentfulPaint" || name == "largestContentfulPaint::Candidate" ||
         name == "LargestImagePaint::Candidate" || name == "LayoutShift" || name == "EventTiming" ||
         name == "ResourceSendRequest" || name == "ResourceReceiveResponse" || name == "ResourceFinish";
}

}  // namespace

void TraceSummary::add(const TraceEvent& event) {
  if (!owners_.has_process(event.pid) || event.phase == "M" || event.ts <= 0) return;
  if (first_ts_ == 0 || event.ts < first_ts_) first_ts_ = event.ts;
  last_ts_ = std::max(last_ts_, event.ts + event.duration);
  if (event.phase == "X" && owners_.is_main_thread(event.pid, event.tid)) {
    std::string url;
    if (MainThread::runs_script(event.name)) {
      const Json args = parse_json(event.args);
      if (args.is_object()) {
        url = string_field(object_at(args, "data"), "url");
        if (url.empty()) url = string_field(args, "fileName");
      }
    }
    main_thread_.add(event.pid, event.name, event.ts, event.duration, url);
    return;
  }
  if (!is_page_event(event.name)) return;
  const Json args = parse_json(event.args);
  if (args.is_object()) add_page_event(event, args);
}

void TraceSummary::add_page_event(const TraceEvent& event, const Json& args) {
  const Json& data = object_at(args, "data");
  if (event.name.starts_with("Resource")) return add_request_event(event, data);
  if (event.name == "LayoutShift") return add_layout_shift(event, data);
  if (event.name == "EventTiming") return add_input(event, data);
  if (string_field(args, "frame") != main_frame_) return;
  auto navigation = string_field(data, "navigationId");
  if (event.name == "LargestImagePaint::Candidate") {
    if (images_.size() < kPaints) images_[{event.pid, integer_of(data, "DOMNodeId")}] = string_field(data, "imageUrl");
  } else if (event.name == "navigationStart") {
    // The empty document that a frame begins with has no URL.
    auto url = string_field(data, "documentLoaderURL");
    if (!url.empty() && navigations_.size() < kPaints)
      navigations_.push_back({event.ts, event.pid, std::move(navigation), std::move(url)});
  } else {
    auto& list = event.name == "firstContentfulPaint" ? first_paints_ : candidates_;
    if (list.size() < kPaints)
      list.push_back({std::move(navigation), event.ts, number_of(data, "candidateIndex"), data});
  }
}

TraceSummary::Request* TraceSummary::request(const Json& data, bool make) {
  auto id = string_field(data, "requestId");
  if (const auto it = request_index_.find(id); it != request_index_.end()) return &requests_[it->second];
  if (!make || id.empty()) return nullptr;
  if (requests_.size() >= kRequests) {
    cut_ = true;
    return nullptr;
  }
  request_index_.emplace(id, requests_.size());
  requests_.push_back({.id = std::move(id)});
  return &requests_.back();
}

void TraceSummary::add_request_event(const TraceEvent& event, const Json& data) {
  // Events come in no order: whichever comes first makes the request.
  auto* known = request(data, true);
  if (known == nullptr) return;
  if (event.name == "ResourceSendRequest") {
    known->url = string_field(data, "url");
    known->sent = event.ts;
    const auto blocking = string_field(data, "renderBlocking");
    known->blocking =
        (blocking == "blocking" || blocking == "in_body_parser_blocking") && string_field(data, "frame") == main_frame_;
  } else if (event.name == "ResourceReceiveResponse") {
    const Json& timing = object_at(data, "timing");
    const double began = number_of(timing, "requestTime") * 1e6;
    const double headers = std::max(number_of(timing, "receiveHeadersStart"), 0.0);
    if (began > 0 && began < 9e15 && headers < 9e9)
      known->first_byte = static_cast<std::int64_t>(began + headers * 1e3);
    if (known->first_byte == 0) known->first_byte = event.ts;
  } else {
    const double finished = number_of(data, "finishTime") * 1e6;
    known->finished = finished > 0 && finished < 9e15 ? static_cast<std::int64_t>(finished) : event.ts;
  }
}

void TraceSummary::add_layout_shift(const TraceEvent& event, const Json& data) {
  if (is_true(data, "had_recent_input")) return;
  if (shifts_.size() >= kShifts) {
    cut_ = true;
    return;
  }
  Shift shift{.ts = event.ts, .score = std::clamp(number_of(data, "weighted_score_delta"), 0.0, 1e6)};
  const auto nodes = data.find("impacted_nodes");
  if (nodes != data.end() && nodes->is_array()) {
    for (const Json& node : *nodes) {
      if (!node.is_object() || shift.nodes.size() >= kShiftedNodes) continue;
      TraceReport::ShiftedNode moved{.node = integer_of(node, "node_id")};
      read_rect(node, "old_rect", moved.from);
      read_rect(node, "new_rect", moved.to);
      shift.nodes.push_back(moved);
    }
  }
  shifts_.push_back(std::move(shift));
}

void TraceSummary::add_input(const TraceEvent& event, const Json& data) {
  const auto interaction = integer_of(data, "interactionId");
  if (event.phase != "b" || interaction <= 0 || string_field(data, "frame") != main_frame_) return;
  if (inputs_.size() >= kInputs && !inputs_.contains(interaction)) {
    cut_ = true;
    return;
  }
  auto& input = inputs_[interaction];
  const auto duration = number_of(data, "duration");
  // The node of some of an interaction's events is not said.
  const auto node = integer_of(data, "nodeId");
  if (duration > input.duration || input.type.empty()) {
    input = {event.ts, duration, string_field(data, "type"), node != 0 ? node : input.node};
  } else if (input.node == 0) {
    input.node = node;
  }
}

void TraceSummary::report_lcp(const Navigation& load, TraceReport& report) const {
  const Candidate* last = nullptr;
  for (const auto& candidate : candidates_) {
    if (candidate.navigation == load.id && (last == nullptr || candidate.index >= last->index)) last = &candidate;
  }
  if (last == nullptr) return;
  TraceReport::Lcp lcp{.at = ms_between(load.ts, last->ts)};
  lcp.element = string_field(last->data, "nodeName");
  lcp.node = integer_of(last->data, "nodeId");
  lcp.image = string_field(last->data, "type") == "image";
  if (const auto it = images_.find({load.pid, lcp.node}); lcp.image && it != images_.end()) lcp.url = it->second;
  // Each phase ends after the one before it and before the paint, so that their sum is the whole.
  const auto until = [&lcp](double time, double before) { return std::clamp(time, before, std::max(before, lcp.at)); };
  lcp.ttfb = until(report.ttfb.value_or(0), 0);
  if (lcp.image) {
    double begun = number_of(last->data, "imageLoadStart");
    double loaded = number_of(last->data, "imageLoadEnd");
    // As DevTools counts it: the request's own time, where it is in the trace.
    const auto request = std::find_if(requests_.begin(), requests_.end(), [&](const Request& one) {
      return !lcp.url.empty() && one.url == lcp.url && one.sent >= load.ts && one.finished >= one.sent;
    });
    if (request != requests_.end()) {
      begun = ms_between(load.ts, request->sent);
      loaded = ms_between(load.ts, request->finished);
    }
    begun = until(begun, lcp.ttfb);
    loaded = until(loaded, begun);
    lcp.load_delay = begun - lcp.ttfb;
    lcp.load_duration = loaded - begun;
  }
  lcp.render_delay = lcp.at - lcp.ttfb - lcp.load_delay - lcp.load_duration;
  report.lcp = std::move(lcp);
}

void TraceSummary::report_shifts(std::int64_t from, TraceReport& report) const {
  std::vector<const Shift*> shifts;
  for (const auto& shift : shifts_) {
    if (shift.ts >= from) shifts.push_back(&shift);
  }
  std::stable_sort(shifts.begin(), shifts.end(), [](const auto* a, const auto* b) { return a->ts < b->ts; });
  double window = 0;
  std::int64_t first = 0;
  std::int64_t last = 0;
  for (const auto* shift : shifts) {
    if (first == 0 || shift->ts - last > kShiftGap || shift->ts - first > kShiftWindow) {
      window = 0;
      first = shift->ts;
    }
    last = shift->ts;
    window += shift->score;
    report.cls = std::max(report.cls, window);
  }
  std::stable_sort(shifts.begin(), shifts.end(), [](const auto* a, const auto* b) { return a->score > b->score; });
  constexpr std::size_t kShiftsTold = 5;
  for (const auto* shift : shifts) {
    if (report.shifts.size() < kShiftsTold)
      report.shifts.push_back({shift->score, ms_between(from, shift->ts), shift->nodes});
  }
}

void TraceSummary::report_inputs(std::int64_t from, TraceReport& report) const {
  std::vector<const Input*> inputs;
  for (const auto& [id, input] : inputs_) {
    if (input.ts >= from) inputs.push_back(&input);
  }
  report.interactions = inputs.size();
  if (inputs.empty()) return;
  std::stable_sort(inputs.begin(), inputs.end(),
                   [](const auto* a, const auto* b) { return a->duration > b->duration; });
  const auto& slowest = *inputs[std::min(inputs.size() - 1, inputs.size() / kInputsForgiven)];
  report.inp = {slowest.duration, ms_between(from, slowest.ts), slowest.type, slowest.node};
}

TraceReport TraceSummary::report() {
  TraceReport report;
  const auto last = std::max_element(navigations_.begin(), navigations_.end(),
                                     [](const auto& a, const auto& b) { return a.ts < b.ts; });
  Navigation load{.ts = first_ts_, .pid = owners_.main_process()};
  if (last != navigations_.end()) {
    load = *last;
    report.loaded = true;
    report.url = load.url;
    report.navigation_id = load.id;
  }
  report.span = std::max(0.0, ms_between(load.ts, last_ts_));
  if (report.loaded) {
    const auto document = request_index_.find(load.id);
    if (document != request_index_.end() && requests_[document->second].first_byte >= load.ts)
      report.ttfb = ms_between(load.ts, requests_[document->second].first_byte);
    for (const auto& paint : first_paints_) {
      if (paint.navigation == load.id) report.fcp = ms_between(load.ts, paint.ts);
    }
    report_lcp(load, report);
    for (const auto& request : requests_) {
      if (request.blocking && request.sent >= load.ts)
        report.blocking.push_back({request.url, ms_between(load.ts, request.sent),
                                   request.finished >= request.sent ? ms_between(load.ts, request.finished) : 0});
    }
    std::stable_sort(report.blocking.begin(), report.blocking.end(),
                     [](const auto& a, const auto& b) { return a.end > b.end; });
  }
  report_shifts(load.ts, report);
  report_inputs(load.ts, report);
  report.main_thread = main_thread_.times(load.pid, load.ts);
  report.cut = cut_ || main_thread_.cut();
  return report;
}

}  // namespace bridle
