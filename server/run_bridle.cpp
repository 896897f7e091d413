#include "server/run_bridle.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/concurrency/thread.h"
#include "base/concurrency/timed_job.h"
#include "base/fd.h"
#include "base/temp_folder.h"
#include "base/text/log.h"
#include "base/text/named_secrets.h"
#include "base/text/text.h"
#include "browser/chromium/browser_user.h"
#include "browser/chromium/process.h"
#include "config/clients/print_config.h"
#include "config/clients/translate_config.h"
#include "config/options.h"
#include "server/cli_client.h"
#include "server/doctor.h"
#include "server/result_store.h"
#include "server/server.h"
#include "server/transports/stdio_refusal.h"
#include "tools/browser_tools.h"
#include "tools/contract/tool.h"
#include "tools/files/download_staging.h"
#include "tools/files/file_system.h"
#include "tools/files/upload_copies.h"
#include "tools/resources/page_resources.h"

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

BrowserSettings browser_settings(const Options& options, std::function<std::vector<int>()> own_ports) {
  BrowserSettings settings;
  settings.launch.executable = options.executable_path;
  settings.launch.channel = options.channel;
  settings.launch.args = options.browser_args;
  settings.launch.shared_context = options.shared_browser_context;
  settings.launch.cdp_headers = options.cdp_headers;
  settings.launch.cdp_timeout = options.cdp_timeout;
  settings.launch.idle = browser_idle(options);
  settings.launch.headless = options.headless;
  settings.launch.no_sandbox = options.no_sandbox;
  settings.browser_per_session = options.browser_per_session;
  if (options.viewport_width > 0) settings.launch.width = options.viewport_width;
  if (options.viewport_height > 0) settings.launch.height = options.viewport_height;
  settings.launch.cdp_endpoint = options.cdp_endpoint;
  settings.launch.user_data_dir = options.user_data_dir;
  settings.launch.origins = OriginRules(options.allowed_origins, options.blocked_origins);
  settings.launch.block_private_networks = options.block_private_networks;
  if (!options.proxy_server.empty()) settings.launch.proxy = ProxyServer::parse(options.proxy_server);
  settings.launch.proxy_bypass = ProxyBypass(options.proxy_bypass);
  settings.launch.own_ports = std::move(own_ports);
  settings.policy.origins = settings.launch.origins;
  settings.policy.allow_file_access = options.allow_file_access;
  settings.launch.ignore_https_errors = options.ignore_https_errors;
  settings.files = std::make_shared<OutputFolder>(
      options.output_dir, options.allowed_upload_dirs,
      OutputLimits{
          .download = options.max_download, .session = options.output_max_session, .whole = options.output_max_size});
  settings.caps = options.caps;
  settings.lazy_caps = options.lazy_caps;
  settings.confirm = options.confirm;
  const auto& asked = options.confirm;
  settings.launch.holds_forms = std::find(asked.begin(), asked.end(), "submit") != asked.end();
  if (!options.storage_state.empty()) {
    try {
      settings.storage_state = std::make_shared<const StorageState>(read_storage_state(options.storage_state));
    } catch (const StorageStateError& error) {
      throw std::runtime_error("--storage-state " + options.storage_state + ": " + error.what());
    }
  }
  settings.test_id = options.test_id_attribute;
  settings.max_output = options.max_output;
  settings.image_responses = options.image_responses;
  settings.snapshot_mode = options.snapshot_mode;
  settings.snapshot_boxes = options.snapshot_boxes;
  settings.console_level = options.console_level;
  settings.save_session = options.save_session;
  settings.action_timeout = options.timeout_action;
  settings.navigation_timeout = options.timeout_navigation;
  settings.isolated_idle = options.session_idle_timeout;
  return settings;
}

// Removes what bridles that were killed have left; off the start's path, as a large profile takes a while.
void sweep_profiles() {
  TempFolder::sweep(kUploadsPrefix);
  TempFolder::sweep(kDownloadsPrefix);
  if (const int swept = ProfileDir::sweep(); swept > 0) {
    spdlog::info("removed {} profile folder{} that a killed bridle had left", swept, swept == 1 ? "" : "s");
  }
}

// The client's end of stdin ends everything, as a signal does.
int serve_stdio(Server& server, BrowserTools& browser, Background& background) {
  const SignalThread signals(server);
  background.threads.submit(sweep_profiles);
  server.run_stdio(STDIN_FILENO, STDOUT_FILENO);
  const bool clean = server.shutdown("stdin ended");
  browser.shutdown();
  background.threads.join();
  // The signal thread may still be looking at the server, and a call that ignores its signal at everything.
  std::_Exit(clean ? 0 : 1);
}

// The path of the running program.
std::string own_path() { return std::filesystem::read_symlink("/proc/self/exe").string(); }

int serve(const Options& options, const Extension& extension) {
  if (!options.cdp_endpoint.empty() && !(options.allowed_origins.empty() && options.blocked_origins.empty())) {
    spdlog::warn(
        "the browser at --cdp-endpoint runs already and can't be given a proxy: the lists hold for what its pages "
        "fetch, "
        "but they are no boundary for WebSockets, prefetches and WebRTC");
  }
  Toolbox toolbox;
  Catalogue catalogue;
  ResultStore results;
  Background background;
  // The browser is launched by the first call that needs it, when the port is known.
  std::atomic<int> own_port{0};
  const auto own_ports = [&own_port] { return own_port == 0 ? std::vector<int>() : std::vector<int>{own_port.load()}; };
  BrowserTools browser(browser_settings(options, own_ports),
                       background);  // tells the catalogue of downloads until it ends
  if (extension.browser_tools) {
    browser.add_to(toolbox, catalogue);
    add_page_resources(catalogue, toolbox);
    browser.add_to(catalogue);
    add_page_prompts(catalogue);
    add_result_resources(catalogue, results);
  }
  if (extension.add) extension.add(toolbox, catalogue, [&browser](ToolContext& ctx) { return browser.hold_tab(ctx); });

  ServerOptions server_options;
  server_options.http.host = options.host;
  server_options.http.port = options.port;
  server_options.sessions.idle = options.session_idle_timeout;
  server_options.results = &results;
  server_options.allowed_hosts = options.allowed_hosts;
  if (!options.token_file.empty()) server_options.token = read_token_file(options.token_file);

  const bool loopback = options.host == "localhost" || options.host == "::1" || options.host == "[::1]" ||
                        options.host.starts_with("127.");
  if (!options.stdio && !loopback && server_options.token.empty()) {
    spdlog::warn("listening on {} without --token-file: only this user's processes on this machine will be served",
                 options.host);
  }

  Server server(std::move(server_options), toolbox, catalogue, background);
  if (options.stdio) return serve_stdio(server, browser, background);
  server.bind();
  own_port = server.port();
  const SignalThread signals(server);
  std::printf("bridle listening on http://%s:%d/mcp\n", server.own_hosts().front().c_str(), server.port());
  std::fflush(stdout);
  Options served = options;
  served.port = server.port();
  std::fputs(connect_help(served, own_path()).c_str(), stderr);
  background.threads.submit(sweep_profiles);
  server.run();
  const bool clean = SignalThread::wait();
  browser.shutdown();
  background.threads.join();
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
      case Options::Command::doctor:
        return run_doctor(options);
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
