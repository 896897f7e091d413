#pragma once

#include <atomic>
#include <list>
#include <string>
#include <thread>
#include <vector>

#include "base/concurrency/abort.h"
#include "base/concurrency/sync.h"
#include "base/text/json.h"
#include "config/options.h"

namespace bridle {

// How long the end of another server's run is waited for.
inline constexpr Millis kRunGoodbye{1000};

// Carries the messages of a pipe (one a line) to a bridle that runs, over Streamable HTTP, and its messages back. Each
// request has a thread for as long as its answer's stream takes.
class TaskLink {
 public:
  TaskLink(const Options& options, int pipe);
  // Until the pipe's other end is closed. A run that is then still under way is ended at the server too: its session is
  // deleted, as it goes on without its stream. Closes this end last.
  void run();

 private:
  void carry(const Json& message);
  void post(const Json& message);
  void end_session();
  std::vector<std::string> headers() EXCLUDES(mutex_);
  void say(const std::string& line);

  const Options& options_;
  const int pipe_;
  std::string url_{};
  std::string token_{};
  AbortController over_{};
  std::list<std::thread> threads_{};
  std::atomic<bool> run_open_{false};
  Mutex mutex_;
  std::string session_ GUARDED_BY(mutex_);
};

}  // namespace bridle
