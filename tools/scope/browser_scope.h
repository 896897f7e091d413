#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/concurrency/sync.h"
#include "base/concurrency/timed_job.h"
#include "browser/chromium/host.h"
#include "browser/page/snapshot.h"
#include "browser/routes/route_table.h"
#include "browser/storage/storage_state.h"
#include "config/network/secret_places.h"
#include "config/network/url_policy.h"
#include "tools/contract/tool.h"
#include "tools/files/client_roots.h"
#include "tools/files/downloads/download_grants.h"
#include "tools/files/downloads/downloads.h"
#include "tools/files/output_folder.h"
#include "tools/files/session_files.h"
#include "tools/files/session_record.h"
#include "tools/files/upload_copies.h"
#include "tools/scope/action_record.h"
#include "tools/scope/isolated_tabs.h"
#include "tools/scope/origin_consents.h"
#include "tools/scope/tab_list.h"

namespace bridle {

class LeftOrigins;
class PageCall;
class ScopeTools;
class VideoStore;

// What all browser tools share. Read-only once the server runs.
struct BrowserSettings {
  LaunchOptions launch{};
  UrlPolicy policy{};
  std::shared_ptr<DownloadStore> downloads{};  // null until BrowserTools has made it
  std::shared_ptr<IsolatedTabs> isolated{};    // the same
  Background* background = nullptr;            // the same; outlives all scopes
  std::shared_ptr<VideoStore> videos{};        // the same
  std::shared_ptr<ScopeTools> page_tools{};    // null: the set webmcp is nobody's
  std::optional<ViewSize> save_video{};        // of every tab, px; of 0: as large as its viewport [tool.save-video]
  // Begins the video of a call's tab, the first time. Empty until BrowserTools has set it, and without save_video.
  std::function<void(PageCall&)> film{};
  bool browser_per_session = false;
  Millis isolated_idle = limits::kSessionIdle;
  std::shared_ptr<OutputFolder> files = std::make_shared<OutputFolder>();  // holds all sessions' files; never null
  // Where a client that started bridle works; "" where that isn't known [tool.uploads.working-folder].
  std::string working_folder{};
  std::vector<std::string> caps{};       // sets of tools that a client has from the start [tool.sets]
  std::vector<std::string> lazy_caps{};  // those that it may turn on
  SecretPlaces secret_places{};          // where the values of --secrets may be typed
  std::vector<std::string> confirm{};    // what the person is asked about; see OriginConsents
  // What each session's own context has from its start; null: nothing.
  std::shared_ptr<const StorageState> storage_state{};
  std::string config = "{}";              // for browser_get_config; holds no secret
  std::string test_id = "data-testid";    // the attribute that tests name elements by
  std::string image_responses = "allow";  // allow, omit, only
  std::string snapshot_mode = "delta";    // of results of actions: full, delta, none
  bool snapshot_boxes = false;
  std::string console_level = "info";
  bool save_session = false;
  std::size_t max_output = limits::kMaxOutput;
  Millis action_timeout = limits::kActionTimeout;
  Millis navigation_timeout = limits::kNavigationTimeout;
};

// One client's browser: a BrowserContext of its own, its tabs in the order they opened, which one is current, and what
// the client was last told of each [nav.origin] [nav.own-tabs]. Any thread.
class BrowserScope : public ToolScope, public std::enable_shared_from_this<BrowserScope> {
 public:
  // `shared`: the scope serves all callers without a session, so a tab that one of them opened isolated is told to
  // nobody else.
  BrowserScope(std::shared_ptr<BrowserHost> host, const BrowserSettings& settings, bool shared = false);
  ~BrowserScope() override;

  // Tabs of isolated contexts come last and are marked as such; a shared scope leaves them out.
  Json tabs() const override;
  bool knows_tab(const std::string& id) const override;
  bool has_set(const std::string& set) const override;
  void roots_changed() override { roots_.change(); }
  KnownRoots& roots() { return roots_; }
  std::vector<std::shared_ptr<const ToolSpec>> own_tools() const override;
  // False: it was on.
  bool turn_on_set(const std::string& set);
  // Whether what is done is drawn into the videos that begin here, as it is at first [tool.video].
  bool films_actions() const { return films_actions_; }
  void film_actions(bool shown) { films_actions_ = shown; }
  bool is_shared() const { return kind_ == Kind::shared; }

  // Makes an isolated scope beside this one (see IsolatedTabs). It is registered once its first tab exists
  // (keep_isolated). If it is destroyed earlier, no tab was created and nothing has to be closed. Throws ToolError when
  // there are too many.
  std::shared_ptr<BrowserScope> make_isolated();
  void keep_isolated(const std::shared_ptr<BrowserScope>& isolated);
  void close_isolated(const BrowserScope& isolated);
  // Whether this scope is an isolated one. None of its tabs is ever the current tab: callers always name them.
  bool is_isolated() const { return kind_ == Kind::isolated; }
  // The scope that has the tab: an isolated one of this scope's own, or else this scope, also for "" and for unknown
  // ids. An isolated scope doesn't count as idle while the returned pointer lives.
  std::shared_ptr<BrowserScope> holder(const std::string& tab_id);

  // The tab `id` names, or the current one for "". A first tab is opened when there is none and none was lost; of an
  // attached browser it is the one in front, which is let go of at the end. Throws
  // ToolError (unknown id: lists those open; the current tab was closed: names what remains), LaunchError, Aborted.
  std::shared_ptr<Tab> tab(const CallContext& ctx, const std::string& id);
  // Opens about:blank in a new tab. It becomes the current one by select(), not before: an aborted call's tab never
  // does.
  std::shared_ptr<Tab> open_tab(const CallContext& ctx);
  void select(const std::string& id);
  // The tab whose page opened this one; nullptr where that is none of the scope's, or was closed.
  std::shared_ptr<Tab> opener_of(const Tab& popup) const;
  // After an action that has closed its own tab: the current tab, in whose place its opener comes, or else the newest.
  // The next call then has nothing more to tell of it. nullptr: none is left.
  std::shared_ptr<Tab> take_place_of(const Tab& closed);
  // All tabs that are listed, in the order of their indexes: its own, then those of isolated contexts.
  std::vector<std::shared_ptr<Tab>> listed_tabs() const;
  // The tab at a 0-based index of tabs(); throws ToolError with how many there are.
  std::shared_ptr<Tab> tab_at(long index) const;
  std::shared_ptr<Tab> find(const std::string& id) const;  // nullptr: not one of ours
  // The tabs of an attached browser (--cdp-endpoint) that no session has, each with a name to select it by.
  struct ForeignTab {
    std::string id{};
    std::string title{};
    std::string url{};
  };
  std::vector<ForeignTab> foreign_tabs(const CallContext& ctx);
  // Takes one of them into this session; nullptr when `id` names none. It is left open when the session ends.
  std::shared_ptr<Tab> attach_foreign(const CallContext& ctx, const std::string& id);
  std::string current_id() const;
  // Closes a tab; the one before it becomes current. Not an error when it is gone already.
  void close_tab(const CallContext& ctx, const std::shared_ptr<Tab>& tab);
  // Lets go of the tab that take_front() took: nobody has chosen it, so it stays open. False: it is another one.
  bool let_go(const CallContext& ctx, const std::shared_ptr<Tab>& tab);
  // Closes all of them and the context: the next call starts afresh. True: nobody uses the browser with the kept
  // profile any more, so that it has ended (BrowserHost::end_unused).
  bool close_all(const CallContext& ctx);

  // Tabs that the tab `opener_tab_id` opened and that no result has mentioned yet.
  std::vector<std::shared_ptr<Tab>> take_popups(const std::string& opener_tab_id);
  // Adds a line to the next result of that tab: what a cancelled call had done [cancel.browser.told].
  void note(const std::string& tab_id, std::string line);
  std::vector<std::string> take_notes(const std::string& tab_id);

  // The origin of the document that the caller was last told of a tab; empty when of none.
  DocumentOrigin told_origin(const std::string& tab_id) const;
  void tell_origin(const std::string& tab_id, const DocumentOrigin& origin);
  // The number of the last console error that a result of that tab has told of; from now on that is `newest`.
  int take_console_mark(const std::string& tab_id, int newest);

  // Where what the session does is noted; null while the set `testing` is off, and for isolated tabs.
  ActionRecord* record() { return !is_isolated() && has_set("testing") ? &record_ : nullptr; }

  // What this session writes and downloads, and may upload from. An isolated scope has its session's; where callers
  // share a scope, it has its own, as its tabs are of those who know them.
  const std::shared_ptr<SessionFiles>& files() const { return files_; }
  // The files, where the browser can read them. Throws ToolError, Aborted.
  std::vector<std::filesystem::path> readable_files(const CallContext& ctx,
                                                    const std::vector<std::filesystem::path>& files);
  // Which of its pages' downloads an action of the caller has begun.
  DownloadGrants& grants() { return *grants_; }
  // What its caller and the person have said of origins; of an isolated scope apart from its session's.
  OriginConsents& consents() { return *consents_; }
  // What is answered or changed of its tabs' requests; null without a timer. An isolated scope has its own.
  const std::shared_ptr<RouteTable>& routes();
  // Waits until its browser, if it has one, has taken all commands that were posted to it.
  void await_posted(const CallContext& ctx) const;
  // The tabs' running downloads.
  std::vector<DownloadStore::Download> downloads() const;

  // The browser and our context in it, both made when needed; neither is null. Throws Aborted, LaunchError, CdpError.
  struct Place {
    std::shared_ptr<Browser> browser{};
    std::shared_ptr<const BrowserContext> context{};
  };
  Place ensure_context(const CallContext& ctx);

  // The session's record; null without --save-session.
  SessionRecord* session_record() { return session_record_.get(); }
  // The turn to change what tabs emulate: a change concerns a tab and those that it opened.
  TabQueue& emulation_turns() { return emulation_turns_; }

  RefSpace& refs() { return *refs_; }
  BrowserHost& host() { return *host_; }
  const BrowserSettings& settings() const { return settings_; }

 private:
  void begin_downloads(const CallContext& ctx, Browser& browser, const std::shared_ptr<const BrowserContext>& context);
  std::string why_not_downloaded(const std::string& tab_id, const std::string& url);
  BrowserScope(const BrowserScope& owner, std::shared_ptr<void> room);
  std::string gone_words(const std::string& id) const;
  std::string restart_note(const Browser& ended) const;
  // The foreign tab that the user has in front, taken into this session; null where there is none, and but for the
  // first time: what a caller has let go of or closed is not taken again unasked.
  std::shared_ptr<Tab> take_front(const CallContext& ctx);
  std::unique_ptr<LeftOrigins> watch_origins(const std::shared_ptr<Browser>& browser,
                                             const std::shared_ptr<const BrowserContext>& context) const;
  void begin_with_state(const CallContext& ctx, Browser& browser, const BrowserContext& context);
  void on_tab(const std::shared_ptr<Tab>& tab);  // reader thread
  std::shared_ptr<RouteTable> make_routes() const;
  void update_routes();

  const std::shared_ptr<BrowserHost> host_;
  const BrowserSettings& settings_;
  enum class Kind { session, shared, isolated };
  const Kind kind_;
  const std::shared_ptr<SessionFiles> files_;
  UploadCopies upload_copies_{};
  ActionRecord record_{};

  const std::unique_ptr<SessionRecord> session_record_ =
      settings_.save_session ? std::make_unique<SessionRecord>(files_) : nullptr;
  KnownRoots roots_{};
  std::atomic<bool> films_actions_{true};
  const std::shared_ptr<DownloadGrants> grants_ = std::make_shared<DownloadGrants>();
  const std::shared_ptr<OriginConsents> consents_ = std::make_shared<OriginConsents>(settings_.confirm);
  const std::shared_ptr<RefSpace> refs_;  // an isolated context's is its owner's: no ref of one is one of the other
  const std::shared_ptr<RouteTable> routes_;
  std::shared_ptr<void> room_{};                     // of an isolated one, until it is kept; its maker's
  const std::weak_ptr<const BrowserScope> owner_{};  // of an isolated one: who made it

  TabQueue emulation_turns_;
  mutable Mutex mutex_;
  CondVar changed_;
  std::shared_ptr<Browser> browser_ GUARDED_BY(mutex_);
  std::shared_ptr<const BrowserContext> context_ GUARDED_BY(mutex_);  // of browser_; null without
  std::unique_ptr<LeftOrigins> left_origins_ GUARDED_BY(mutex_);      // null without the set storage
  bool opening_ GUARDED_BY(mutex_) = false;
  bool offered_front_ GUARDED_BY(mutex_) = false;  // or a tab of its own was opened: see take_front()
  std::string front_id_ GUARDED_BY(mutex_);
  TabList tabs_ GUARDED_BY(mutex_);
  std::set<std::string> sets_ GUARDED_BY(mutex_);  // of tools
  std::vector<std::string> restart_notes_ GUARDED_BY(mutex_);
};

}  // namespace bridle
