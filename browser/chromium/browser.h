#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/concurrency/call_context.h"
#include "base/concurrency/sync.h"
#include "browser/cdp/connection.h"
#include "browser/chromium/browser_context.h"
#include "browser/chromium/download_router.h"
#include "browser/chromium/process.h"
#include "browser/chromium/seen_origins.h"
#include "browser/chromium/tab_directory.h"
#include "browser/proxy/forward_proxy.h"
#include "browser/tab/request_filter.h"

namespace bridle {

// A tab that nobody who talks to bridle has opened, in a browser that we are attached to.
struct ForeignTarget {
  std::string target_id{};
  std::string title{};
  std::string url{};
};

// One running Chromium: its process, where we launched it, and the connection to it. A browser that bridle is attached
// to (--cdp-endpoint) belongs to somebody else. Each session has a BrowserContext of it; a TabDirectory holds its tabs,
// and a DownloadRouter passes on the events of its downloads. Any thread; held by shared_ptr. After its end every
// command fails with CdpClosed and its tabs are gone; a new one comes from BrowserHost.
class Browser {
 public:
  // Launches and waits for the first reply. Throws LaunchError (with exit status and stderr's tail), Aborted.
  // As root it is started as another user first, and once more as root if it doesn't start so [security.root].
  static std::shared_ptr<Browser> launch(const CallContext& ctx, const LaunchOptions& options);
  // Attaches to the browser at options.cdp_endpoint. That browser is never closed by bridle, and of its tabs only those
  // are touched that bridle opened or that a caller selected. Throws LaunchError, Aborted.
  static std::shared_ptr<Browser> connect(const CallContext& ctx, const LaunchOptions& options);
  ~Browser();

  bool alive() const { return !ended_ && connection_->open(); }
  pid_t pid() const { return pid_; }  // -1 when attached
  // Who it runs as; tells nothing when attached.
  const BrowserUser& user() const { return user_; }
  std::string version() const { return version_; }
  // Why it ended; empty while alive.
  std::string end_reason() const;

  bool attached() const { return !options_.cdp_endpoint.empty(); }
  // Whether all sessions share its default context, and with it its logins: those of the user's profile, or those that
  // a fresh profile has come to (--shared-browser-context).
  bool shares_profile() const { return attached() || options_.shared_context || !options_.user_data_dir.empty(); }

  // Makes a session's context. `isolated`: with cookies, storage and cache apart from all others, even where the
  // profile is shared. Throws Aborted, CdpError, CdpClosed, CdpTimeout.
  std::shared_ptr<const BrowserContext> create_context(const CallContext& ctx, bool isolated = false);
  // The listener is told of each new tab of the context, and `routes` serve what its tabs request; see TabDirectory.
  void listen_tabs(std::shared_ptr<const BrowserContext> context, TabDirectory::Listener listener,
                   std::shared_ptr<RouteTable> routes = nullptr);
  // The routes have changed: tells the service and shared workers that they serve. Tab::update_routes() does the tabs.
  // Posts, never waits.
  void update_worker_routes(const RouteTable& routes);
  // Ends the context and its tabs, but lets go of the foreign ones. Never waits; a browser that is gone is fine.
  void dispose_context(const BrowserContext& context);

  // Whether any session has a context of it.
  bool in_use() const { return !tabs_.contexts().empty(); }
  // The permissions that all sites have in a context, by their names on the web: those, and no others. nullopt: as the
  // browser has them, or as --grant-permissions says. A context that shares its profile shares them with it. Throws as
  // create_context().
  using Permissions = std::optional<std::vector<std::string>>;
  Permissions permissions(const std::string& context_id) const;
  void set_permissions(const CallContext& ctx, const std::string& context_id, const Permissions& permissions);
  // The same without waiting.
  void post_permissions(const std::string& context_id, const Permissions& permissions);
  // A tab and all that are emulated with it: its opener, and what they have opened.
  std::vector<std::shared_ptr<Tab>> family_of(const Tab& tab) const { return tabs_.family_of(tab); }
  // What every tab emulates from its start; null: nothing.
  const std::shared_ptr<const Emulation>& start_emulation() const { return emulation_; }
  // "156", of the version.
  std::string major_version() const;

  // Opens about:blank. The tab is attached and its set-up commands are on their way.
  std::shared_ptr<Tab> create_tab(const CallContext& ctx, const BrowserContext& context);
  // Closes a tab; a beforeunload dialog can't hold it. Never waits for the page.
  void close_tab(const CallContext& ctx, Tab& tab);
  // Detaches from a foreign tab, which stays open.
  void let_go(const CallContext& ctx, const Tab& tab);

  // The foreign tabs of a browser that we are attached to; none of one that is ours.
  std::vector<ForeignTarget> foreign_tabs(const CallContext& ctx);
  // The one that the user has in front; nullopt: that is none of these, or nobody can tell. Throws Aborted.
  std::optional<ForeignTarget> front_tab(const CallContext& ctx);
  // Attaches to one of them, which the caller selected. Throws CdpError when it is gone.
  std::shared_ptr<Tab> attach_tab(const CallContext& ctx, const BrowserContext& context, const std::string& target_id);

  // The origins of the documents that the context's tabs show, also of those without an address of their own
  // (about:blank), which have their opener's. nullopt: of one it isn't known yet.
  std::optional<std::set<std::string>> shown_origins(const BrowserContext& context) const;

  DownloadRouter& downloads() { return downloads_; }
  // The proxy that all its traffic goes through; null where there is none.
  const ForwardProxy* proxy() const { return proxy_.get(); }

  // Ends the browser: its pipe, then (after limits::kBrowserExit) the process group; then its profile is removed.
  // Returns when all of that is done. An attached browser is only detached from.
  void close();
  // The same, with the reason that whoever used it is told.
  void close_because(const std::string& reason);

  long tab_count() const { return static_cast<long>(tabs_.size()); }
  long pending_commands() const { return connection_->pending(); }
  const LaunchOptions& options() const { return options_; }
  CdpConnection& connection() { return *connection_; }
  const std::shared_ptr<CdpConnection>& shared_connection() const { return connection_; }
  // Where the contexts' pages have been.
  SeenOrigins& seen_origins() { return *seen_origins_; }
  const SeenOrigins& seen_origins() const { return *seen_origins_; }

 private:
  // `process` null: attached. `proxy` null: its traffic goes out by itself.
  Browser(LaunchOptions options, std::unique_ptr<CdpTransport> transport, std::unique_ptr<ChromiumProcess> process,
          std::unique_ptr<const ForwardProxy> proxy);
  static std::shared_ptr<Browser> launch_as(const CallContext& ctx, const LaunchOptions& options,
                                            std::optional<BrowserUser> user);
  std::shared_ptr<Tab> await_tab(const CallContext& ctx, const std::string& target_id);
  void attach_expected(const std::string& target_id);
  void on_event(std::string_view method, std::string_view message);
  void on_attached(const Json& params);
  void on_target_created(const Json& info);
  void on_detached(const std::string& session);
  void on_request_paused(std::string_view method, const Json& params);
  void on_closed(const std::string& reason);
  void begin_worker(const CdpSession& session, const std::string& context_id);
  void hold_worker(const CdpSession& session, const RouteTable* routes) const;
  void forget_worker(const std::string& session);
  std::unique_ptr<ChromiumProcess> take_process();
  void begin_emulation();
  void keep_clocks(const Tab& left);
  void drop_permissions(const BrowserContext& context);
  std::shared_ptr<const BrowserContext> make_context(const CallContext& ctx, bool isolated);
  EmulationCommand permissions_command(const BrowserContext& context, const Permissions& permissions) const;
  EmulationCommand change_permissions(const std::string& context_id, const Permissions& permissions);

  const LaunchOptions options_;
  const pid_t pid_;
  const BrowserUser user_;
  const std::unique_ptr<const ForwardProxy> proxy_;    // ends after the process, which is below
  const std::shared_ptr<const RequestFilter> filter_;  // null: nothing is filtered
  const std::shared_ptr<SeenOrigins> seen_origins_ = std::make_shared<SeenOrigins>();
  const std::shared_ptr<CdpConnection> connection_;
  TabDirectory tabs_;
  DownloadRouter downloads_;
  std::shared_ptr<const Emulation> emulation_{};  // of every tab from its start; written before the first one
  std::string version_;
  std::atomic<bool> ended_{false};

  mutable Mutex mutex_;
  std::unique_ptr<ChromiumProcess> process_ GUARDED_BY(mutex_);
  bool launched_ GUARDED_BY(mutex_) = false;
  // Service and shared workers, by session; null: no routes serve it.
  std::map<std::string, std::shared_ptr<RouteTable>> workers_ GUARDED_BY(mutex_);
  std::map<std::string, std::vector<std::string>> permissions_ GUARDED_BY(mutex_);  // by context, where they were set
  std::thread reaper_ GUARDED_BY(mutex_);  // ends the process of a browser that ended by itself
  std::string end_reason_ GUARDED_BY(mutex_);
  std::string closed_because_ GUARDED_BY(mutex_);
};

}  // namespace bridle
