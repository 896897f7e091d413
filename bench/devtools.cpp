#include <spdlog/fmt/fmt.h>

#include <fstream>

#include "bench/lab.h"

// What the set devtools takes for a trace and a heap snapshot of an ordinary size.
namespace bridle::bench {
namespace {

constexpr double kMiB = 1024.0 * 1024;

// A page that builds, lays out and paints for as long as it is asked to.
constexpr const char* kBusyPage =
    "<!doctype html><title>Busy</title><div id=rows></div><script>"
    "const busyFor = (ms) => new Promise((resolve) => { const end = performance.now() + ms; const step = () => {"
    "for (let i = 0; i < 40; i++) { const row = document.createElement('p'); row.textContent = 'row ' + i; "
    "rows.append(row) }"
    "if (rows.childNodes.length > 800) rows.replaceChildren();"
    "const until = performance.now() + 8; while (performance.now() < until) JSON.stringify([...Array(50).keys()]);"
    "performance.now() < end ? setTimeout(step, 5) : resolve(true) }; step() })</script>";
// Some 50 MB as a snapshot.
constexpr const char* kFullPage =
    "<!doctype html><title>Full</title><script>class Thing { constructor(i) { this.name = 'thing ' + i; this.next = "
    "null;"
    "this.list = [i, i + 1, { a: i }] } } window.all = [];"
    "for (let i = 0; i < 100000; i++) { const thing = new Thing(i); if (i) thing.next = all[i - 1]; all.push(thing) }"
    "</script>";

void measure_trace(Lab& lab) {
  const std::string name = "trace of 5 s: stop, saved and summed up";
  lab.section({name}, [&] {
    BridleProcess process(lab.settings().bridle, {"--caps", "devtools"});
    McpClient client(process.port());
    lab.site().set_page("/bench/busy", kBusyPage);
    client.call("browser_navigate", {{"url", lab.site().url("/bench/busy")}});
    lab.measure({.name = name, .goal = Goal::at_most(1000)}, lab.rounds(5), [&] {
      client.call("browser_trace", {{"action", "start"}});
      client.call("browser_evaluate", {{"function", "() => busyFor(5000)"}});
      return client.call("browser_trace", {{"action", "stop"}}).ms;
    });
  });
}

void measure_heap(Lab& lab) {
  const std::string summary = "heap snapshot of 50 MB: summary";
  const std::string memory = "heap snapshot of 50 MB: the server's peak, MiB";
  lab.section({summary, memory}, [&] {
    BridleProcess process(lab.settings().bridle, {"--caps", "devtools"});
    McpClient client(process.port());
    lab.site().set_page("/bench/full", kFullPage);
    client.call("browser_navigate", {{"url", lab.site().url("/bench/full")}});
    const auto taken = client.call("browser_heap", {{"action", "take"}});
    const auto path = taken.result.at("structuredContent").at("path").get<std::string>();
    lab.measure({.name = summary, .goal = Goal::at_most(3000)}, lab.rounds(5), [&] {
      return client.call("browser_heap", {{"action", "summary"}, {"filename", path}}).ms;
    });
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    Row row{.name = memory, .goal = Goal::at_most(300)};
    row.bridle.push_back(process.peak_mib());
    if (static_cast<double>(file.tellg()) < 40 * kMiB) row.failure = "the snapshot is smaller than it should be";
    lab.add(std::move(row));
  });
}

}  // namespace

void measure_devtools(Lab& lab) {
  measure_trace(lab);
  measure_heap(lab);
}

}  // namespace bridle::bench
