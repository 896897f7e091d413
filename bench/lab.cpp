#include "bench/lab.h"

#include <signal.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>

namespace bridle::bench {
namespace {

constexpr Millis kBeaconPatience{10'000};
std::atomic<bool> interrupted{false};

}  // namespace

void watch_signals() {
  ::signal(SIGPIPE, SIG_IGN);
  for (const int signal : {SIGINT, SIGTERM}) ::signal(signal, [](int) { interrupted = true; });
}

void check_interrupted() {
  if (interrupted) throw Interrupted{};
}

Beacons::Beacons(site::SiteServer& server) {
  server.set_handler("/bench/hang", [this](const site::Request& request, site::Response& response) {
    hold(response, request.query_text("k"));
  });
  server.set_handler("/bench/mark", [this](const site::Request& request, site::Response& response) {
    note(requests_, request.query_text("k"));
    response.text("marked");
  });
}

void Beacons::hold(site::Response& response, const std::string& key) {
  note(requests_, key);
  if (!response.hold()) note(hangups_, key);
}

void Beacons::note(Times& times, const std::string& key) {
  MutexLock lock(mutex_);
  times.emplace(key, Clock::now());
  changed_.notify_all();
}

Clock::time_point Beacons::wait(const Times& times, const std::string& key, const char* what) {
  MutexLock lock(mutex_);
  const auto here = [&] { return times.contains(key); };
  if (!wait_until(CallContext{}.within(kBeaconPatience), changed_, lock, here)) {
    throw std::runtime_error(std::string("the site saw no ") + what);
  }
  return times.at(key);
}

Clock::time_point Beacons::wait_request(const std::string& key) { return wait(requests_, key, "request"); }
Clock::time_point Beacons::wait_hangup(const std::string& key) { return wait(hangups_, key, "hang-up"); }

BareBrowser& Lab::bare() {
  if (!bare_) bare_ = std::make_unique<BareBrowser>();
  return *bare_;
}

McpClient& Lab::client() {
  if (!client_) {
    server_.emplace(settings_.bridle);
    client_.emplace(server_->port());
  }
  return *client_;
}

void Lab::open(const std::string& path) {
  bare().navigate(site_.url(path));
  client().call("browser_navigate", {{"url", site_.url(path)}, {"waitUntil", "load"}});
}

int Lab::rounds(int full) const { return settings_.quick ? std::max(3, full / 8) : full; }

void Lab::compare(Row row, int rounds, const Measure& bare, const Measure& bridle) {
  if (!wants(row.name)) return;
  bare();
  bridle();
  for (int round = 0; round < rounds; ++round) {
    check_interrupted();
    // Who comes first changes, so that neither always finds the caches as the other left them.
    if (round % 2 == 0) row.bare.push_back(bare());
    row.bridle.push_back(bridle());
    if (round % 2 != 0) row.bare.push_back(bare());
  }
  add(std::move(row));
}

void Lab::measure(Row row, int rounds, const Measure& bridle) {
  if (!wants(row.name)) return;
  bridle();
  for (int round = 0; round < rounds; ++round) {
    check_interrupted();
    row.bridle.push_back(bridle());
  }
  add(std::move(row));
}

void Lab::section(const std::vector<std::string>& names, const std::function<void()>& body) {
  if (std::none_of(names.begin(), names.end(), [&](const std::string& name) { return wants(name); })) return;
  try {
    body();
  } catch (const std::exception& error) {
    Row row{.name = names.front()};
    row.failure = error.what();
    add(std::move(row));
    // The tab may be anywhere: the next rows get a new session in a new browser.
    client_.reset();
    server_.reset();
  }
}

}  // namespace bridle::bench
