#pragma once

#include <list>
#include <string>
#include <thread>

#include "base/concurrency/abort.h"
#include "base/concurrency/sync.h"
#include "base/text/json.h"
#include "config/options.h"

namespace bridle {

// Carries the messages of a pipe (one a line) to a bridle that runs, over Streamable HTTP, and its messages back. Each
// request has a thread for as long as its answer's stream takes.
class TaskLink {
 public:
  TaskLink(const Options& options, int pipe);
  // Until the pipe's other end is closed; then what is under way is ended.
  void run();

 private:
  void carry(const Json& message);
  void post(const Json& message);
  void say(const std::string& line);

  const Options& options_;
  const int pipe_;
  std::string url_{};
  std::string token_{};
  AbortController over_{};
  std::list<std::thread> threads_{};
  Mutex mutex_;
  std::string session_ GUARDED_BY(mutex_);
};

}  // namespace bridle
