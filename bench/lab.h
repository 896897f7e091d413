#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/concurrency/sync.h"
#include "bench/bare_browser.h"
#include "bench/bridle_process.h"
#include "bench/mcp_client.h"
#include "bench/report.h"
#include "tests/site/site_server.h"

namespace bridle::bench {

struct Settings {
  std::string bridle = BRIDLE_BINARY;
  bool quick = false;
  std::string only{};  // rows whose name holds it
  std::string json{};
};

// Handlers of the fixture site that note, finer than its log does, when a request came and when its peer hung up.
//   /bench/hang?k=KEY  is never answered
//   /bench/mark?k=KEY  is answered at once
class Beacons {
 public:
  explicit Beacons(site::SiteServer& server);
  static std::string hang(const std::string& key) { return "/bench/hang?k=" + key; }
  static std::string mark(const std::string& key) { return "/bench/mark?k=" + key; }
  // Throw std::runtime_error when nothing comes in time.
  Clock::time_point wait_request(const std::string& key);
  Clock::time_point wait_hangup(const std::string& key);
  // For a handler of one's own: notes the request and then the hang-up that it is held open for. Any thread.
  void hold(site::Response& response, const std::string& key);

 private:
  using Times = std::map<std::string, Clock::time_point>;
  void note(Times& times, const std::string& key);
  Clock::time_point wait(const Times& times, const std::string& key, const char* what);

  Mutex mutex_;
  CondVar changed_;
  Times requests_;  // guarded by mutex_
  Times hangups_;   // guarded by mutex_
};

// What the measurements share: the site, the bare browser and a bridle with one client, each made when it is first
// needed, and the report. One thread.
class Lab {
 public:
  using Measure = std::function<double()>;  // does what is untimed, and returns the milliseconds of the rest

  Lab(Settings settings, Report& report) : settings_(std::move(settings)), report_(report) {}

  const Settings& settings() const { return settings_; }
  site::SiteServer& site() { return site_; }
  Beacons& beacons() { return beacons_; }
  BareBrowser& bare();
  McpClient& client();
  void open(const std::string& path);  // in both
  std::string new_key() { return std::to_string(next_key_++); }

  bool wants(const std::string& name) const { return name.find(settings_.only) != std::string::npos; }
  int rounds(int full) const;
  // Runs `bare` and `bridle` in turns, the first of each unrecorded, and adds the row.
  void compare(Row row, int rounds, const Measure& bare, const Measure& bridle);
  // The same for what bare CDP has nothing like.
  void measure(Row row, int rounds, const Measure& bridle);
  void add(Row row) { report_.add(std::move(row)); }
  // A row of one figure, when it is wanted.
  void add_value(const char* name, Goal goal, double value) {
    if (wants(name)) add({.name = name, .goal = goal, .bridle = {value}});
  }
  // Runs `body` when one of the rows that it adds is wanted; what it throws becomes a failed row of the first's name.
  void section(const std::vector<std::string>& names, const std::function<void()>& body);

 private:
  const Settings settings_;
  Report& report_;
  site::SiteServer site_;
  Beacons beacons_{site_};
  std::unique_ptr<BareBrowser> bare_;
  std::optional<BridleProcess> server_;
  std::optional<McpClient> client_;
  int next_key_ = 1;
};

// Ctrl-C was pressed: everything unwinds.
class Interrupted {};
// Throws Interrupted once SIGINT or SIGTERM came.
void check_interrupted();
void watch_signals();

// The parts of the table.
void measure_starts(Lab& lab);
void measure_lists(Lab& lab);
void measure_routes(Lab& lab);
void measure_actions(Lab& lab);
void measure_snapshots(Lab& lab);
void measure_cancels(Lab& lab);
void measure_runs(Lab& lab);
void measure_devtools(Lab& lab);
void measure_sets(Lab& lab);
void measure_panel(Lab& lab);
void measure_resources(Lab& lab);

}  // namespace bridle::bench
