#include "server/run_bridle.h"

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <stdexcept>

#include "base/concurrency/thread.h"
#include "base/fd.h"
#include "base/text/log.h"
#include "base/text/named_secrets.h"
#include "base/text/text.h"
#include "browser/chromium/browser_user.h"
#include "browser/chromium/process.h"
#include "config/clients/print_config.h"
#include "config/clients/translate_config.h"
#include "config/options.h"
#include "server/cli_client.h"
#include "server/do_command.h"
#include "server/doctor.h"
#include "server/program.h"
#include "server/server.h"
#include "server/transports/stdio_refusal.h"
#include "tools/browser_tools.h"
#include "tools/contract/tool.h"
#include "tools/files/file_system.h"

namespace bridle {
namespace {

sigset_t ending_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  return set;
}

// Waits for SIGINT or SIGTERM and shuts the server down; a second one ends the process at once. Every other thread has
// both blocked. The thread is never joined: it may wait for ever.
class SignalThread {
 public:
  explicit SignalThread(Server& server) {
    start_thread("bridle-signal", [&server] {
      const sigset_t set = ending_signals();
      int signal = 0;
      sigwait(&set, &signal);
      start_thread("bridle-signal", [set] {
        int second = 0;
        sigwait(&set, &second);
        std::_Exit(130);
      }).detach();
      clean_ = server.shutdown(signal == SIGINT ? "SIGINT" : "SIGTERM");
      done_ = true;
      done_.notify_all();
    }).detach();
  }
  // After the server stopped serving: whether every call had ended.
  static bool wait() {
    done_.wait(false);
    return clean_;
  }

 private:
  static inline std::atomic<bool> clean_{true};
  static inline std::atomic<bool> done_{false};
};

// The client's end of stdin ends everything, as a signal does.
int serve_stdio(Program& program) {
  const SignalThread signals(program.server());
  program.sweep();
  program.server().run_stdio(STDIN_FILENO, STDOUT_FILENO);
  const bool clean = program.server().shutdown("stdin ended");
  program.end_browsers();
  // The signal thread may still be looking at the server, and a call that ignores its signal at everything.
  std::_Exit(clean ? 0 : 1);
}

// The path of the running program.
std::string own_path() { return std::filesystem::read_symlink("/proc/self/exe").string(); }

int serve(const Options& options, const Extension& extension) {
  Program program(options, extension);
  if (options.stdio) return serve_stdio(program);
  auto& server = program.server();
  server.bind();
  program.set_own_port(server.port());
  const SignalThread signals(server);
  std::printf("bridle listening on http://%s:%d/mcp\n", server.own_hosts().front().c_str(), server.port());
  std::fflush(stdout);
  Options served = options;
  served.port = server.port();
  std::fputs(connect_help(served, own_path()).c_str(), stderr);
  program.sweep();
  server.run();
  const bool clean = SignalThread::wait();
  program.end_browsers();
  // A call that ignores its signal still runs on its thread: nothing can be torn down under it.
  if (!clean) std::_Exit(1);
  return 0;
}

int run_doctor(const Options& options) {
  std::string chromium;
  std::string problem;
  try {
    chromium = ChromiumProcess::find_executable({.executable = options.executable_path, .channel = options.channel});
  } catch (const LaunchError& error) {
    problem = error.what();
  }
  Machine machine = look_at_machine(chromium, problem);
  machine.sandbox_helper = has_sandbox_helper();
  const auto user = choose_browser_user(false, chromium.empty() ? "/" : chromium, options.user_data_dir);
  machine.browser_user = user.user.uid;
  machine.no_sandbox_because = user.why;
  machine.no_sandbox_remedy = user.remedy;
  const OutputFolder output(options.output_dir);
  machine.output = output.path().string();
  machine.output_bytes = output.used();
  machine.output_free = free_bytes(output.path());
  const auto findings = examine(options, machine);
  std::fputs(doctors_report(findings).c_str(), stdout);
  return doctors_verdict(findings);
}

// Nobody waits at a terminal, where stderr is read.
void tell_waiting_client(const std::string& words) {
  if (::isatty(STDIN_FILENO) == 1) return;
  refuse_over_stdio("bridle did not start: " + std::string(trimmed(words, " \n")), STDIN_FILENO, STDOUT_FILENO);
}

}  // namespace

int run_bridle(int argc, char** argv, const Extension& extension) {
  signal(SIGPIPE, SIG_IGN);
  // Before any thread starts, so that only the signal thread takes them.
  const sigset_t set = ending_signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);

  const auto parsed =
      parse_options(argc, argv, [](const char* name) { return static_cast<const char*>(std::getenv(name)); });
  if (!parsed.options) {
    std::fputs(parsed.words.c_str(), parsed.exit_code == 0 ? stdout : stderr);
    if (parsed.exit_code != 0 && parsed.stdio) tell_waiting_client(parsed.words);
    return parsed.exit_code;
  }
  const Options& options = *parsed.options;
  set_named_secrets(options.secrets);
  init_log(options.log_level);
  raise_file_limit();
  try {
    switch (options.command) {
      case Options::Command::serve:
        return serve(options, extension);
      case Options::Command::status:
        return run_status(options);
      case Options::Command::stop:
        return run_stop(options);
      case Options::Command::panel:
        return run_panel(options);
      case Options::Command::doctor:
        return run_doctor(options);
      case Options::Command::run_task:
        return run_do(options, extension);
      case Options::Command::runs:
        return run_runs(options);
      case Options::Command::print_config: {
        const auto config =
            options.from.empty() ? client_config(options, own_path()) : translated_config(options, own_path());
        std::fputs(config.hint.c_str(), stderr);
        std::fputs(config.text.c_str(), stdout);
        return 0;
      }
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bridle: %s\n", error.what());
    if (options.command == Options::Command::serve && options.stdio) tell_waiting_client(error.what());
    return 1;
  }
  return 1;
}

}  // namespace bridle
