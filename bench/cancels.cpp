#include <spdlog/fmt/fmt.h>
#include <time.h>

#include <optional>
#include <stdexcept>

#include "bench/lab.h"

// A call is started, told to end with notifications/cancelled, and timed twice: until its stream ended, and until the
// browser had really stopped, as the site sees it.
namespace bridle::bench {
namespace {

constexpr double kStreamGoal = 50;
constexpr double kStopP50 = 15;
constexpr double kStopP99 = 100;

struct Cancelled {
  double stream_ms = 0;
  std::optional<double> stopped_ms{};  // without: nothing outside tells
};

double between(Clock::time_point from, Clock::time_point to) {
  // What was over before the cancel's first byte was sent took no time.
  return std::max(0.0, std::chrono::duration<double, std::milli>(to - from).count());
}

void nap(int ms) { ::poll(nullptr, 0, ms); }

double wall_ms() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

Json function(const std::string& source) { return {{"function", source}}; }

Cancelled cancel_navigation(Lab& lab) {
  const auto key = lab.new_key();
  auto call =
      lab.client().start("browser_navigate", {{"url", lab.site().url(Beacons::hang(key))}, {"timeout", 60'000}});
  lab.beacons().wait_request(key);
  const auto ended = call.cancel();
  return {ended.ms, between(ended.cancelled_at, lab.beacons().wait_hangup(key))};
}

Cancelled cancel_wait(Lab& lab) {
  auto call = lab.client().start("browser_wait_for", {{"text", "what never comes"}, {"timeout", 60'000}});
  nap(30);  // nothing outside tells that it waits
  return {call.cancel().ms};
}

// A fetch that honours the script's signal, then a promise that never settles.
Cancelled cancel_promise(Lab& lab) {
  const auto key = lab.new_key();
  auto call = lab.client().start(
      "browser_evaluate",
      function(fmt::format("async () => {{ await fetch('{}', {{signal}}).catch(() => 0); await new Promise(() => 0) }}",
                           Beacons::hang(key))));
  lab.beacons().wait_request(key);
  const auto ended = call.cancel();
  return {ended.ms, between(ended.cancelled_at, lab.beacons().wait_hangup(key))};
}

// The timer can only fire, and its request only come, once the loop was ended.
Cancelled cancel_loop(Lab& lab) {
  const auto begun = lab.new_key();
  const auto over = lab.new_key();
  auto call = lab.client().start(
      "browser_evaluate",
      function(fmt::format("() => {{ const say = new XMLHttpRequest(); say.open('GET', '{}', false); say.send();"
                           " setTimeout(() => fetch('{}')); for (;;); }}",
                           Beacons::mark(begun), Beacons::mark(over))));
  lab.beacons().wait_request(begun);
  nap(5);
  const auto ended = call.cancel();
  return {ended.ms, between(ended.cancelled_at, lab.beacons().wait_request(over))};
}

// A link to what never answers: the click is done, and the navigation that it began is to end.
Cancelled cancel_click(Lab& lab) {
  const auto key = lab.new_key();
  lab.client().call("browser_evaluate",
                    function(fmt::format("() => {{ document.body.innerHTML = '<a id=away href=\"{}\">away</a>' }}",
                                         Beacons::hang(key))));
  auto call = lab.client().start("browser_click", {{"target", "#away"}});
  lab.beacons().wait_request(key);
  const auto ended = call.cancel();
  return {ended.ms, between(ended.cancelled_at, lab.beacons().wait_hangup(key))};
}

// Nothing outside tells when the browser gave the picture up.
Cancelled cancel_screenshot(Lab& lab) {
  auto call = lab.client().start("browser_take_screenshot", {{"fullPage", true}});
  nap(5);
  return {call.cancel().ms};
}

// The page notes each input; the last one tells when the typing had stopped.
Cancelled cancel_typing(Lab& lab) {
  lab.client().call("browser_evaluate",
                    function("() => { const field = document.getElementById('field'); field.value = '';"
                             " field.oninput = () => { window.lastInput = Date.now() } }"));
  auto call =
      lab.client().start("browser_type", {{"target", "#field"}, {"text", std::string(5000, 'x')}, {"slowly", true}});
  nap(80);
  const double cancelled_at = wall_ms();
  const auto ended = call.cancel();
  nap(20);
  const auto last = lab.client().call("browser_evaluate", function("() => window.lastInput")).result;
  return {ended.ms, std::max(0.0, last.at("structuredContent").at("value").get<double>() - cancelled_at)};
}

// A call that waits for the tab, which another one holds.
Cancelled cancel_queued(Lab& lab) {
  const auto key = lab.new_key();
  auto holder = lab.client().start(
      "browser_evaluate",
      function(fmt::format("async () => {{ await fetch('{}'); await new Promise(() => 0) }}", Beacons::mark(key))));
  lab.beacons().wait_request(key);
  auto queued = lab.client().start("browser_evaluate", function("() => 1"));
  nap(10);
  const Cancelled result{queued.cancel().ms};
  holder.cancel();
  return result;
}

void measure_kind(Lab& lab, const std::string& kind, const std::string& page, Cancelled (*cancel)(Lab&),
                  bool tells_stop) {
  const auto stream = fmt::format("cancel to the stream's end: {}", kind);
  const auto stop = fmt::format("abort to stopped: {}", kind);
  std::vector<std::string> names{stream};
  if (tells_stop) names.push_back(stop);
  lab.section(names, [&] {
    lab.client().call("browser_navigate", {{"url", lab.site().url(page)}});
    cancel(lab);
    Row ends{.name = stream + ", p50", .goal = Goal::at_most(kStreamGoal)};
    Row stops{.name = stop + ", p50", .goal = Goal::at_most(kStopP50)};
    const int rounds = lab.settings().quick ? 10 : 100;
    for (int round = 0; round < rounds; ++round) {
      check_interrupted();
      const auto cancelled = cancel(lab);
      ends.bridle.push_back(cancelled.stream_ms);
      if (cancelled.stopped_ms) stops.bridle.push_back(*cancelled.stopped_ms);
    }
    const auto add_both = [&](Row row, const std::string& name, double p99) {
      if (!lab.wants(name) || row.bridle.empty()) return;
      lab.add(row);
      row.name = name + ", p99";
      row.percent = 99;
      row.goal = Goal::at_most(p99);
      lab.add(std::move(row));
    };
    add_both(std::move(ends), stream, kStopP99);
    add_both(std::move(stops), stop, kStopP99);
  });
}

}  // namespace

void measure_cancels(Lab& lab) {
  measure_kind(lab, "navigation", "/plain", cancel_navigation, true);
  measure_kind(lab, "wait", "/plain", cancel_wait, false);
  measure_kind(lab, "evaluate, promise", "/plain", cancel_promise, true);
  measure_kind(lab, "evaluate, busy loop", "/plain", cancel_loop, true);
  measure_kind(lab, "click's navigation", "/plain", cancel_click, true);
  measure_kind(lab, "screenshot", "/elements?n=2000", cancel_screenshot, false);
  measure_kind(lab, "slow typing", "/typing", cancel_typing, true);
  measure_kind(lab, "queued call", "/plain", cancel_queued, false);
}

}  // namespace bridle::bench
