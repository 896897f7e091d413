#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/concurrency/timed_job.h"
#include "config/options.h"
#include "server/agent/agent_tool.h"
#include "server/result_store.h"
#include "server/run_bridle.h"
#include "server/server.h"
#include "tools/browser_tools.h"

namespace bridle {

// The program's parts, wired together: browser, tools, runs and server. Made and ended by the main thread.
class Program {
 public:
  // Throws std::runtime_error with a sentence for the user.
  Program(const Options& options, const Extension& extension);
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  Server& server() { return *server_; }
  // The port that the server listens on, which the browser must not reach.
  void set_own_port(int port) { own_port_ = port; }
  // Off the start's path: removes what bridles that were killed have left.
  void sweep();
  // After the server's shutdown: ends the browsers and the background's threads.
  void end_browsers();

 private:
  Toolbox toolbox_{};
  Catalogue catalogue_{};
  ResultStore results_{};
  Background background_{};
  std::atomic<int> own_port_{0};
  agent::AgentSettings agent_{};
  BrowserTools browser_;  // launches nothing before the first call that needs it; tells the catalogue of downloads
  std::unique_ptr<Server> server_;
};

// A run's history as a test of @playwright/test [agent.history.test].
struct RunAsTest {
  std::string text{};
  std::vector<std::string> left_out{};  // what no line stands for, and why
};
RunAsTest run_as_test(const std::string& history, const std::string& test_id);

// Where the histories of runs are: below --output-dir.
std::filesystem::path runs_folder(const Options& options);

}  // namespace bridle
