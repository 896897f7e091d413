#include "server/do_command.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <thread>
#include <utility>

#include "base/concurrency/thread.h"
#include "base/fd.h"
#include "base/text/log.h"
#include "server/agent/history.h"
#include "server/program.h"
#include "server/task_client.h"
#include "server/task_link.h"

namespace bridle {
namespace {

// Two ends of a pipe in both directions, for a client and a server within this process.
std::array<Fd, 2> make_pair() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw std::runtime_error("no socket can be made");
  return {Fd(ends[0]), Fd(ends[1])};
}

// A thread that ends once the client's end of the pipe is closed, which is closed however the client has ended.
class Companion {
 public:
  Companion(std::thread thread, const Fd& pipe) : thread_(std::move(thread)), pipe_(pipe) {}
  ~Companion() {
    ::shutdown(pipe_.get(), SHUT_RDWR);
    thread_.join();
  }
  Companion(const Companion&) = delete;
  Companion& operator=(const Companion&) = delete;

 private:
  std::thread thread_;
  const Fd& pipe_;
};

int work_with_own_browser(const Options& options, const Extension& extension) {
  Options own = options;
  own.stdio = true;
  own.caps.emplace_back("agent");
  if (own.agent.model_url.empty()) {
    throw std::runtime_error(
        "there is no model to work on the task: give --model-url http://HOST/v1 and --model NAME (and its key in "
        "BRIDLE_MODEL_KEY), or --url of a bridle that runs");
  }
  Program program(own, extension);
  program.sweep();
  const auto [ours, theirs] = make_pair();
  int code = 0;
  {
    const Companion serving(
        start_thread("bridle-do", [&program, end = theirs.get()] { program.server().run_stdio(end, end); }), ours);
    code = TaskClient(options, ours.get()).run();
  }
  program.server().shutdown("the run is over");
  program.end_browsers();
  return code;
}

}  // namespace

int run_do(const Options& options, const Extension& extension) {
  if (options.agent.server_url.empty()) return work_with_own_browser(options, extension);
  const auto [ours, theirs] = make_pair();
  const Companion link(start_thread("bridle-do", [&options, end = theirs.get()] { TaskLink(options, end).run(); }),
                       ours);
  return TaskClient(options, ours.get()).run();
}

int run_runs(const Options& options) {
  const auto folder = runs_folder(options);
  if (!options.agent.run_id.empty()) {
    const auto text = agent::read_history(folder, options.agent.run_id);
    if (!text) throw std::runtime_error("there is no run " + loggable(options.agent.run_id, 60) + "; see bridle runs");
    if (!options.agent.playwright) {
      std::fputs(text->c_str(), stdout);
      return 0;
    }
    const auto test = run_as_test(*text, options.test_id_attribute);
    std::fputs(test.text.c_str(), stdout);
    for (const auto& one : test.left_out) std::fprintf(stderr, "left out: %s\n", one.c_str());
    return 0;
  }
  for (const auto& run : agent::past_runs(folder)) {
    const auto outcome = run.status == "completed" ? (run.success ? "success" : "failed") : run.status;
    std::printf("%s  %-9s %3d steps  %s\n", run.id.c_str(), outcome.c_str(), run.steps,
                loggable(run.task, 100).c_str());
  }
  return 0;
}

}  // namespace bridle
