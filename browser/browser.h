#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/call_context.h"
#include "base/sync.h"
#include "browser/cdp_connection.h"
#include "browser/chromium_process.h"
#include "browser/tab.h"

namespace bridle {

// One running Chromium and its tabs. Any thread; held by shared_ptr. After its end every call fails with CdpClosed and
// its tabs are gone; a new one comes from BrowserHost.
class Browser {
 public:
  // Launches and waits for the first reply. Throws LaunchError (with exit status and stderr's tail), Aborted.
  static std::shared_ptr<Browser> launch(const CallContext& ctx, const LaunchOptions& options);
  ~Browser();

  bool alive() const { return !ended_ && connection_->open(); }
  pid_t pid() const { return pid_; }
  std::string version() const { return version_; }
  // Why it ended; empty while alive.
  std::string end_reason() const;

  // A context of its own: cookies, storage and cache apart from all others. "" is the default context (a profile
  // named by the user).
  std::string create_context(const CallContext& ctx);
  // Closes the context and its tabs. Never waits; a browser that is gone is fine.
  void dispose_context(const std::string& context_id);

  // Opens about:blank. The tab is attached and its set-up commands are on their way.
  std::shared_ptr<Tab> create_tab(const CallContext& ctx, const std::string& context_id);
  // Closes a tab; a beforeunload dialog can't hold it. Never waits for the page.
  void close_tab(const CallContext& ctx, Tab& tab);

  // Tells of each new tab, opened by a page or by create_tab: once, on the reader thread; must not block.
  using TabListener = std::function<void(const std::shared_ptr<Tab>&)>;
  void listen_tabs(const std::string& context_id, TabListener listener);
  void unlisten_tabs(const std::string& context_id);

  // Ends the browser: its pipe, then (after limits::kBrowserExit) the process group; then its profile is removed.
  // Returns when all of that is done.
  void close();

  long tab_count() const;
  long pending_commands() const { return connection_->pending(); }
  const LaunchOptions& options() const { return options_; }
  CdpConnection& connection() { return *connection_; }

  // Downloads of a context, by event: Browser.downloadWillBegin, Browser.downloadProgress. Reader thread.
  using DownloadListener = std::function<void(std::string_view method, const Json& params)>;
  void listen_downloads(DownloadListener listener);

 private:
  explicit Browser(LaunchOptions options) : options_(std::move(options)) {}
  void start(std::unique_ptr<CdpTransport> transport);
  std::shared_ptr<Tab> await_tab(const CallContext& ctx, const std::string& target_id);
  void on_event(std::string_view method, std::string_view message);
  void on_attached(const Json& params);
  void on_detached(const std::string& session);
  void on_closed(const std::string& reason);
  std::unique_ptr<ChromiumProcess> take_process();

  const LaunchOptions options_;
  pid_t pid_ = -1;
  PipeTransport* pipe_ = nullptr;  // owned by connection_
  std::shared_ptr<CdpConnection> connection_;
  std::string version_;
  std::atomic<bool> ended_{false};

  mutable Mutex mutex_;
  CondVar changed_;
  std::unique_ptr<ChromiumProcess> process_ GUARDED_BY(mutex_);
  bool launched_ GUARDED_BY(mutex_) = false;
  std::thread reaper_ GUARDED_BY(mutex_);  // ends the process of a browser that ended by itself
  std::map<std::string, std::shared_ptr<Tab>> tabs_ GUARDED_BY(mutex_);  // by CDP session
  std::map<std::string, TabListener> listeners_ GUARDED_BY(mutex_);      // by browser context
  DownloadListener downloads_ GUARDED_BY(mutex_);
  std::string end_reason_ GUARDED_BY(mutex_);
};

// Starts the browser when it is first needed, and again after it ended. Any thread.
class BrowserHost {
 public:
  explicit BrowserHost(LaunchOptions options) : options_(std::move(options)) {}
  ~BrowserHost();

  // The running browser; starts one when there is none. The launch goes on when the caller aborts: others, or the
  // next call, use it. Throws LaunchError, Aborted.
  std::shared_ptr<Browser> ensure(const CallContext& ctx);
  // The running browser, or null. Never waits.
  std::shared_ptr<Browser> current() const;
  // How many browsers were started so far: a changed number tells a scope that its tabs are of an earlier one.
  int generation() const;
  // Ends the browser and starts none any more.
  void shutdown();
  const LaunchOptions& options() const { return options_; }

 private:
  void launch_in_background() REQUIRES(mutex_);

  const LaunchOptions options_;
  mutable Mutex mutex_;
  CondVar changed_;
  std::shared_ptr<Browser> browser_ GUARDED_BY(mutex_);
  std::string launch_error_ GUARDED_BY(mutex_);
  int attempts_ GUARDED_BY(mutex_) = 0;  // launches ended, well or not
  int generation_ GUARDED_BY(mutex_) = 0;
  bool launching_ GUARDED_BY(mutex_) = false;
  bool shut_down_ GUARDED_BY(mutex_) = false;
  AbortController stop_;
  std::thread launcher_ GUARDED_BY(mutex_);
};

}  // namespace bridle
