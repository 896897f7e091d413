#include <algorithm>
#include <string>
#include <vector>

#include "bench/lab.h"

// What the server uses, and what its answers cost a model. Each in a server of its own.
namespace bridle::bench {
namespace {

constexpr const char* kFresh = "memory, fresh (PSS MiB)";
constexpr const char* kOnePage = "memory, one page (PSS MiB)";
constexpr const char* kLarge = "memory, after a 20000-element snapshot (PSS MiB)";
constexpr const char* kIdle = "CPU of 100 idle clients in 5 s (ms)";
constexpr const char* kSnapshot = "tokens, snapshot of 2000 elements";
constexpr const char* kDelta = "tokens, answer to one click";
constexpr const char* kVideoCost = "video at 15 fps: what it costs the page (% of its frames)";
constexpr const char* kVideoMemory = "video at 15 fps: memory (PSS MiB more)";
// How many frames the page draws in 3 s that take it 8 ms each.
constexpr const char* kFrames =
    "() => new Promise((done) => { const box = document.createElement('div'); document.body.append(box);"
    "box.style.cssText = 'position:fixed;width:200px;height:200px;background:red'; const end = performance.now() + "
    "3000;"
    "let frames = 0; const draw = () => { const now = performance.now(); if (now > end) { box.remove(); done(frames); "
    "return } while (performance.now() < now + 8); box.style.left = (frames++ * 7) % 800 + 'px'; "
    "requestAnimationFrame(draw) }; requestAnimationFrame(draw) })";
constexpr int kVideoRounds = 5;
constexpr int kIdleClients = 100;
constexpr int kIdleMs = 5000;
constexpr double kCharsPerToken = 4;

double tokens(const std::string& utf8) {
  const auto characters = std::count_if(utf8.begin(), utf8.end(), [](char c) { return (c & 0xC0) != 0x80; });
  return static_cast<double>(characters) / kCharsPerToken;
}

void measure_memory(Lab& lab) {
  lab.section({kFresh, kOnePage, kLarge}, [&] {
    const BridleProcess server(lab.settings().bridle);
    lab.add_value(kFresh, {}, server.pss_mib());
    McpClient client(server.port());
    client.call("browser_navigate", {{"url", lab.site().url("/plain")}});
    client.call("browser_snapshot");
    lab.add_value(kOnePage, Goal::at_most(20), server.pss_mib());
    client.call("browser_navigate", {{"url", lab.site().url("/elements?n=20000")}});
    client.call("browser_snapshot");
    lab.add_value(kLarge, Goal::at_most(40), server.pss_mib());
  });
}

void measure_video(Lab& lab) {
  lab.section({kVideoCost, kVideoMemory}, [&] {
    const BridleProcess server(lab.settings().bridle, {"--caps", "devtools"});
    McpClient client(server.port());
    client.call("browser_navigate", {{"url", lab.site().url("/plain")}});
    client.call("browser_snapshot");
    const auto frames = [&] {
      return std::stod(client.call("browser_evaluate", {{"function", kFrames}}).text().substr(11));
    };
    const double memory = server.pss_mib();
    double without = 0;
    double with = 0;
    double most = memory;
    for (int round = 0; round < lab.rounds(kVideoRounds); ++round) {
      without += frames();
      client.call("browser_video", {{"action", "start"}, {"fps", 15}});
      with += frames();
      most = std::max(most, server.pss_mib());
      client.call("browser_video", {{"action", "stop"}});
    }
    lab.add_value(kVideoCost, Goal::at_most(10), 100 * (1 - with / without));
    lab.add_value(kVideoMemory, Goal::at_most(30), most - memory);
  });
}

void measure_idle(Lab& lab) {
  lab.section({kIdle}, [&] {
    const BridleProcess server(lab.settings().bridle);
    std::vector<McpClient> clients;
    std::vector<wire::RawClient> streams;
    clients.reserve(kIdleClients);
    for (int i = 0; i < kIdleClients; ++i) {
      clients.emplace_back(server.port());
      streams.push_back(clients.back().open_stream());
    }
    ::poll(nullptr, 0, 200);  // what the connecting left to do
    const double before = server.cpu_ms();
    ::poll(nullptr, 0, kIdleMs);
    lab.add_value(kIdle, Goal::at_most(20), server.cpu_ms() - before);
  });
}

void measure_tokens(Lab& lab) {
  lab.section({kSnapshot, kDelta}, [&] {
    lab.client().call("browser_navigate", {{"url", lab.site().url("/elements?n=2000")}});
    lab.add_value(kSnapshot, Goal::at_most(20'000), tokens(lab.client().call("browser_snapshot").text()));
    lab.add_value(kDelta, Goal::at_most(300), tokens(lab.client().call("browser_click", {{"target", "#e2"}}).text()));
  });
}

}  // namespace

void measure_resources(Lab& lab) {
  measure_memory(lab);
  measure_video(lab);
  measure_idle(lab);
  measure_tokens(lab);
}

}  // namespace bridle::bench
