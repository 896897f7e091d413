#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/concurrency/deadline.h"
#include "base/fd.h"
#include "base/limits.h"
#include "browser/cdp/launch_error.h"
#include "browser/cdp/pipe_transport.h"
#include "browser/chromium/browser_user.h"
#include "browser/chromium/profile.h"
#include "browser/emulation/emulation.h"
#include "config/network/origin_rules.h"
#include "config/network/proxy_settings.h"

namespace bridle {

struct LaunchOptions {
  std::string executable{};                 // empty: looked for in PATH
  std::string channel{};                    // empty, or a name of channels(): which browser is looked for
  std::vector<std::string> args{};          // further switches; see add_browser_arg()
  std::vector<std::string> ignored_args{};  // switches of ours to leave out; those that keep a promise stay
  bool headless = true;
  bool no_sandbox = false;      // else see BrowserUser
  std::string user_data_dir{};  // empty: a fresh profile, removed at the end; else made when missing, and kept
  bool shared_context = false;  // all sessions share the fresh profile
  std::string cdp_endpoint{};   // not empty: nothing is launched; the browser there is used
  std::vector<std::string> cdp_headers{};  // "Name: value", sent there; secret
  Millis cdp_timeout = limits::kCdpConnect;
  int width = 1280;  // viewport, CSS px
  int height = 720;
  bool ignore_https_errors = false;
  std::optional<Millis> idle{};  // how long it may be unused before it is ended; nullopt: for ever
  OriginRules origins{};         // what may be fetched
  bool web_mcp = false;          // pages may register tools (document.modelContext)
  bool holds_forms = false;      // a tab's form judge is asked before a form is posted
  bool block_private_networks = false;
  std::optional<ProxyServer> proxy{};  // the user's own
  ProxyBypass proxy_bypass{};          // what is reached without it
  // The ports of bridle's own servers on this machine, which pages may not reach; asked at the launch. May be null.
  std::function<std::vector<int>()> own_ports{};
  // What is emulated in every tab and what runs in every document, from the first one on.
  std::shared_ptr<const Emulation> emulation{};  // null: nothing
  std::string device{};                          // taken over into `emulation` once the browser's version is known
  std::vector<std::string> permissions{};        // that every site has, by their names on the web
  std::shared_ptr<const std::vector<std::string>> init_scripts{};
  bool block_service_workers = false;
  std::string_view page_script{};  // for bridle's world of each new document; lives as long as the process
  std::string_view script_kit{};   // the same, for the page's own world
};

// One Chromium, launched with --remote-debugging-pipe through posix_spawn. Chromium exits when its pipe closes, so it
// ends with this process however that process ends. Not thread-safe, but for pid().
class ChromiumProcess {
 public:
  // Spawns. Throws LaunchError when the executable can't be found or spawned. The transport is ready at once; the
  // browser answers a few hundred ms later. `forward_proxy`: the port of the ForwardProxy that it is to use, or 0.
  // `user`: who it runs as; nullopt: as choose_browser_user() says.
  static std::unique_ptr<ChromiumProcess> launch(const LaunchOptions& options, int forward_proxy = 0,
                                                 std::optional<BrowserUser> user = std::nullopt);
  ~ChromiumProcess();  // close the transport first; waits limits::kBrowserExit, then kills the process group
  ChromiumProcess(const ChromiumProcess&) = delete;
  ChromiumProcess& operator=(const ChromiumProcess&) = delete;

  // The transport is handed over once, to the connection.
  std::unique_ptr<PipeTransport> take_transport() { return std::move(transport_); }
  pid_t pid() const { return pid_; }
  const BrowserUser& user() const { return user_; }
  // "exit status 1", "signal 9" or "still running" after `wait`; reaps.
  std::string exit_status(Millis wait);

  // The executable that `options` leads to; throws LaunchError naming what to install.
  static std::string find_executable(const LaunchOptions& options);

 private:
  ChromiumProcess() = default;
  bool reap(Millis wait);

  pid_t pid_ = -1;
  Fd pidfd_;
  bool reaped_ = false;
  bool overdue_ = false;  // was given its time to exit already
  int status_ = 0;
  BrowserUser user_;
  std::unique_ptr<ProfileDir> profile_;
  std::unique_ptr<TempFolder> home_;      // of another user with a kept profile
  std::unique_ptr<TempFolder> programs_;  // what stands in for programs of the system's that it would ask
  std::unique_ptr<PipeTransport> transport_;
};

}  // namespace bridle
