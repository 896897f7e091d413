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
#include "browser/cdp/connection.h"
#include "browser/chromium/process.h"
#include "browser/tab/request_filter.h"
#include "browser/tab/tab.h"

namespace bridle {

// One running Chromium and its tabs: one that we launched, or somebody's that we are attached to (--cdp-endpoint). With
// a profile of the user's (--user-data-dir, --cdp-endpoint) its default context is shared by all sessions; what keeps
// them apart then is who opened which tab. Any thread; held by shared_ptr. After its end every call fails with
// CdpClosed and its tabs are gone; a new one comes from BrowserHost.
class Browser {
 public:
  // Launches and waits for the first reply. Throws LaunchError (with exit status and stderr's tail), Aborted.
  static std::shared_ptr<Browser> launch(const CallContext& ctx, const LaunchOptions& options);
  // Attaches to the browser at options.cdp_endpoint. It is never closed by us, and none of its tabs is touched but
  // those that we open or adopt. Throws LaunchError, Aborted.
  static std::shared_ptr<Browser> connect(const CallContext& ctx, const LaunchOptions& options);
  ~Browser();

  bool alive() const { return !ended_ && connection_->open(); }
  pid_t pid() const { return pid_; }
  std::string version() const { return version_; }
  // Why it ended; empty while alive.
  std::string end_reason() const;

  bool attached() const { return !options_.cdp_endpoint.empty(); }
  bool shares_context() const { return attached() || !options_.user_data_dir.empty(); }

  // A context of its own: cookies, storage and cache apart from all others. Where the sessions share one, only a name
  // for what its owner opens there, unless it is to be `isolated` all the same.
  std::string create_context(const CallContext& ctx, bool isolated = false);
  // Closes the context and its tabs, but lets go of those that were adopted. Never waits; a browser that is gone is
  // fine.
  void dispose_context(const std::string& context_id);

  // Opens about:blank. The tab is attached and its set-up commands are on their way.
  std::shared_ptr<Tab> create_tab(const CallContext& ctx, const std::string& context_id);
  // The other tabs of a browser that isn't ours; empty for one that is.
  struct Stranger {
    std::string target_id{};
    std::string title{};
    std::string url{};
  };
  std::vector<Stranger> strangers(const CallContext& ctx);
  // Attaches to one of them, which the caller selected. Throws CdpError when it is gone.
  std::shared_ptr<Tab> adopt_tab(const CallContext& ctx, const std::string& context_id, const std::string& target_id);
  // Closes a tab; a beforeunload dialog can't hold it. Never waits for the page.
  void close_tab(const CallContext& ctx, Tab& tab);

  // Tells of each new tab, opened by a page or by create_tab: once, on the reader thread; must not block. The tabs' ids
  // count up, or can't be guessed: those are handles for whoever was told of them.
  using TabListener = std::function<void(const std::shared_ptr<Tab>&)>;
  enum class TabIds { counted, secret };
  void listen_tabs(const std::string& context_id, TabListener listener, TabIds ids = TabIds::counted);
  void unlisten_tabs(const std::string& context_id);

  // Ends the browser: its pipe, then (after limits::kBrowserExit) the process group; then its profile is removed.
  // Returns when all of that is done.
  void close();

  long tab_count() const;
  long pending_commands() const { return connection_->pending(); }
  const LaunchOptions& options() const { return options_; }
  CdpConnection& connection() { return *connection_; }

  // Keeps a context's downloads in a folder, each under its guid, and tells of them. Without this call Chromium does
  // with them what it pleases.
  void keep_downloads(const CallContext& ctx, const std::string& context_id, const std::string& folder);
  // Ends a download; its file goes. Never waits.
  void cancel_download(const std::string& context_id, const std::string& guid);
  // Browser.downloadWillBegin and Browser.downloadProgress of a context's tabs, with bridle's id of the tab that began
  // it ("" unknown). Reader thread; must not block.
  using DownloadListener = std::function<void(const std::string& tab_id, std::string_view method, const Json& params)>;
  void listen_downloads(const std::string& context_id, DownloadListener listener);

 private:
  explicit Browser(LaunchOptions options);
  void start(std::unique_ptr<CdpTransport> transport);
  std::shared_ptr<Tab> await_tab(const CallContext& ctx, const std::string& target_id);
  void on_event(std::string_view method, std::string_view message);
  void on_attached(const Json& params);
  void on_download(std::string_view method, const Json& params);
  std::shared_ptr<Tab> tab_of_frame(const std::string& frame_id) const;
  void on_created(const std::string& context_id, const std::string& target_id);
  void on_target_created(const Json& info);
  void expect(const std::string& target_id, const std::string& context_id, bool lent);
  std::string owner_locked(const std::string& target_id, const std::string& opener_id) REQUIRES(mutex_);
  std::string name_locked(const std::string& context_id) const REQUIRES(mutex_);
  void let_run(const CdpSession& session, bool is_worker);
  void on_detached(const std::string& session);
  void on_closed(const std::string& reason);
  std::unique_ptr<ChromiumProcess> take_process();

  const LaunchOptions options_;
  pid_t pid_ = -1;
  PipeTransport* pipe_ = nullptr;                      // owned by connection_
  const std::shared_ptr<const RequestFilter> filter_;  // null: nothing is filtered
  std::shared_ptr<CdpConnection> connection_;
  std::string version_;
  std::atomic<bool> ended_{false};

  mutable Mutex mutex_;
  CondVar changed_;
  std::unique_ptr<ChromiumProcess> process_ GUARDED_BY(mutex_);
  bool launched_ GUARDED_BY(mutex_) = false;
  std::thread reaper_ GUARDED_BY(mutex_);  // ends the process of a browser that ended by itself
  std::map<std::string, std::shared_ptr<Tab>> tabs_ GUARDED_BY(mutex_);  // by CDP session
  struct Listener {
    TabListener tell{};
    TabIds ids = TabIds::counted;
  };
  std::map<std::string, Listener> listeners_ GUARDED_BY(mutex_);           // by browser context
  std::map<std::string, DownloadListener> downloads_ GUARDED_BY(mutex_);   // by browser context
  std::map<std::string, std::string> download_owners_ GUARDED_BY(mutex_);  // context of each that runs, by guid
  // Where the sessions share a context, the browser's events don't tell whose a new tab is.
  struct Expected {
    std::string context_id{};
    bool lent = false;
  };
  int creating_ GUARDED_BY(mutex_) = 0;                          // Target.createTarget under way
  std::map<std::string, Expected> expected_ GUARDED_BY(mutex_);  // by target id: attached soon, and whose
  std::map<std::string, Json> unclaimed_ GUARDED_BY(mutex_);     // attached while creating_, held until it is known
  std::string end_reason_ GUARDED_BY(mutex_);
};

}  // namespace bridle
