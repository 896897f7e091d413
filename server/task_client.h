#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/text/json.h"
#include "config/options.h"

namespace bridle {

// The client's side of `bridle do`: an MCP client on one end of a pipe (a message a line), which calls browser_agent,
// prints what it tells, asks the person at the terminal, and turns Ctrl-C into a stop; a second Ctrl-C ends the process
// at once, and the run of another server with it. SIGINT and SIGTERM must be blocked in every thread.
class TaskClient {
 public:
  TaskClient(const Options& options, int pipe);
  // Until the run has ended. The exit code. Throws std::runtime_error.
  int run();

 private:
  // The next message; nullopt when the other side has closed. Handles signals meanwhile.
  std::optional<Json> next();
  Json await_answer(std::int64_t id);
  std::int64_t request(const std::string& method, Json params);
  void send(const Json& message);
  void on_message(const Json& message);
  void on_signal();
  void end_remote_run();
  bool read_pipe();
  struct Typed {
    enum class End { line, taken_back, closed };
    End end;
    std::string line;
  };
  std::optional<Json> ask_person(const Json& id, const Json& params);
  Typed read_line(const Json& id);
  // The first of the descriptors that has something; -1: none, a signal was handled.
  int wait_for(const std::vector<int>& descriptors);
  Json whole_run();
  int print_end(const Json& answer);

  const Options& options_;
  const int pipe_;
  const Fd signals_;
  std::string input_{};
  std::deque<Json> waiting_{};  // messages that came and were not looked at yet
  std::string typed_{};
  std::int64_t last_id_ = 0;
  std::string run_id_{};
  bool stopping_ = false;
};

}  // namespace bridle
