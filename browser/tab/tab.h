#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/concurrency/call_context.h"
#include "base/concurrency/sync.h"
#include "browser/cdp/command_watch.h"
#include "browser/cdp/connection.h"
#include "browser/cdp/pending_reply.h"
#include "browser/emulation/emulated_sessions.h"
#include "browser/tab/extra/tab_extras.h"
#include "browser/tab/queue.h"
#include "browser/tab/request_filter.h"
#include "browser/tab/tab_monitor.h"

namespace bridle {

// A command couldn't be answered because a dialog opened and blocks the page.
class DialogOpened : public std::runtime_error {
 public:
  explicit DialogOpened(JavaScriptDialog open) : std::runtime_error("a dialog opened"), dialog(std::move(open)) {}
  JavaScriptDialog dialog;
};

// Where the mouse was put, by whichever input, in CSS px of the main frame's viewport, and the button that
// browser_mouse holds down, or "" [tool.mouse].
struct Pointer {
  double x = 0;
  double y = 0;
  std::string held{};
};

// One page target: its CDP session and what its events have told. Any thread may call any method; events come in on
// the connection's reader thread. Held by shared_ptr; the browser's directory and the calls in flight share it.
class Tab : public TabMonitor, public std::enable_shared_from_this<Tab> {
 public:
  struct Info {
    std::string target_id;   // also the main frame's id
    std::string context_id;  // BrowserContext::id()
    std::string opener_id;   // target id of the opener, "" without
    bool existed = false;    // there before we attached: of a browser that isn't ours
    bool foreign = false;    // and opened by somebody else: never closed but on request
    std::string family{};    // target id of the tab that its line of openers began with; its own without
  };
  // What every tab of a browser is given.
  struct Setup {
    std::shared_ptr<const RequestFilter> filter{};  // null: no request is filtered
    std::string_view page_script{};                 // for our world of each new document; lives as long as the process
    std::string_view script_kit{};  // the same, for the page's own world (browser/page/world/script_kit.h)
    // Told of the http or https origin of each document that commits in a frame, "" of one that has none, and "" when
    // the tab has gone. Must not block; may be empty.
    std::function<void(const std::string& context_id, const std::string& origin)> saw_origin{};
    // Told of a response that has cleared what its origin had stored. The same.
    std::function<void(const std::string& context_id)> saw_clearing{};
    std::shared_ptr<RouteTable> routes{};                            // of the tab's session; null: it can't have any
    std::shared_ptr<const Emulation> emulation{};                    // of a tab without an opener; null: nothing
    std::shared_ptr<const std::vector<std::string>> init_scripts{};  // for the page's own world [tool.init-script]
    bool bypass_service_workers = false;
    // How many tabs have come to the front of the context's window; null in a browser that isn't ours.
    std::shared_ptr<std::atomic<long>> fronts{};
  };
  Tab(std::string id, Info info, CdpSession session, Setup setup);

  // Registers for events and posts the commands that every tab needs. On the reader thread, before anything else.
  // A width of 0 leaves the viewport as it is.
  void attach(int width, int height);
  // No more events; whoever waits fails with `why`. Reader thread or owner.
  void mark_gone(const std::string& why);

  // Why a form may not be posted to this URL, "" if it may; asked only where the tab has a request filter. It must not
  // block. On the reader thread, right after attach().
  using FormJudge = std::function<std::string(const std::string& url)>;
  void judge_forms(FormJudge judge) { form_judge_ = std::move(judge); }

  // [tool.tab.drawn] [why.tabs-drawn-behind] Brings it before what has come to the front of its window since it was
  // there itself: Chromium draws few frames of what is behind, or none. Nothing in a browser that isn't ours, where a
  // person chooses. Posts, never waits; any thread.
  void come_to_front() {
    if (!setup_.fronts || front_ == *setup_.fronts) return;
    note_front();
    session_.post("Page.bringToFront");
  }
  // It has been brought there by a session of its own.
  void note_front() {
    if (setup_.fronts) front_ = ++*setup_.fronts;
  }

  // Makes the browser hold what the routes of this moment may take, and go offline or online as they say. Posts, never
  // waits; nothing where that is as it was when it was last called.
  void update_routes();
  // From now on a server that asks the page's XMLHttpRequests for a name and a password is told that there are none,
  // where nothing else answers it: one that the page waits for in its main thread keeps it so for ever
  // [why.auth-prompt]. False where requests are held for the lists. Posts, never waits.
  bool refuse_challenges();

  // Answers a Fetch event about one of the tab's requests, which its own session or the browser's has sent. Reader
  // thread.
  void on_request_paused(const CdpSession& sender, std::string_view method, const Json& params);

  // What is emulated in the tab, its frames and its workers; null: nothing.
  std::shared_ptr<const Emulation> emulation() const { return emulated_.current(); }
  // The same of a new tab, before attach().
  void begin_emulation(std::shared_ptr<const Emulation> emulation) { emulated_.begin(std::move(emulation)); }
  // From now on it is that: sends the commands, and yields the replies of the page's own session. By one thread at a
  // time.
  std::vector<PendingReply> change_emulation(const std::shared_ptr<const Emulation>& next);
  // The same, and waits for the replies. Throws as call(); what was sent stays in force.
  void emulate(const CallContext& ctx, const std::shared_ptr<const Emulation>& next);
  // Sends the timezone and locale that are emulated once more. Chromium keeps them for a whole process on behalf of one
  // of the tabs that share it, and forgets them with that tab [why.clock-of-a-process].
  void keep_clock() const;
  // Told when the page has gone to another document while it emulates a timezone or a locale: it may have left its
  // process, and the two with it. On the reader thread, right after attach().
  void when_clock_moves(std::function<void()> told) { clock_moves_ = std::move(told); }
  // The size of the page while its viewport isn't emulated: makes it so.
  void resize(const CallContext& ctx, ViewSize size);

  static constexpr const char* kSecretPrefix = "i-";
  // The name under which others may see the tab, in logs and in /status: of a secret id only its beginning.
  std::string label() const;
  const Info& info() const { return info_; }
  const CdpSession& session() const { return session_; }
  std::string_view page_script() const { return setup_.page_script; }
  TabQueue& queue() { return queue_; }
  // For looks at the whole page, which don't wait for the calls above: one walks it several times and asks the browser
  // in between, so two at once would mix up what they have noted [why.one-walk-at-a-time].
  TabQueue& walks() { return walks_; }

  // Only for who has the tab's turn (queue()).
  Pointer& pointer() { return pointer_; }
  // What tools keep from one call to the next for as long as the tab lives, by name. What is dropped, or left at the
  // tab's end, must end without waiting.
  std::map<std::string, std::shared_ptr<void>, std::less<>>& kept() { return kept_; }

  // The number of the last request that was begun before the last call that acts on the page (TabState::requests).
  int acted_after() const { return acted_after_; }
  void note_action() { acted_after_ = state().requests; }

  // What goes on in the tab beyond the calls that began it. Ended with the tab.
  TabExtras& extras() { return extras_; }
  // Who is told of the commands that are sent to the tab. One at a time.
  CommandWatch& command_watch() { return watch_; }

  // Sends without waiting. `frame_session` "" is the tab's own. The reply wakes the tab's waits.
  [[nodiscard]] PendingReply send(std::string_view method, const Json& params, const std::string& frame_session = {});
  // The same, but the reply is ignored.
  void post(std::string_view method, const Json& params, const std::string& frame_session = {}) const;
  // Sends a command and waits for its result, a dialog that blocks it (also one that is open already), or the tab's
  // end. Throws Aborted, CdpError, CdpClosed, CdpTimeout, DialogOpened, TabGone.
  Json call(const CallContext& ctx, std::string_view method, const Json& params = Json::object(),
            Millis limit = limits::kCdpCommand, const std::string& frame_session = {});
  // The same, but yields the raw message: for large payloads.
  std::string call_raw(const CallContext& ctx, std::string_view method, const Json& params, Millis limit,
                       const std::string& frame_session = {});
  // Sends several commands without waiting in between and waits for all their replies: an input that the page must see
  // as one. Once the signal has fired nothing is sent, except where the caller asks for it in order to release pressed
  // buttons and keys. A frame that gets another document meanwhile may never answer, so its replies are waited for a
  // moment only [why.replies-of-lost-documents]. Throws as call().
  struct Command {
    std::string_view method;
    Json params;
  };
  enum class Sends { unless_aborted, even_aborted };
  void call_all(const CallContext& ctx, const std::vector<Command>& commands, Sends sends = Sends::unless_aborted,
                Millis limit = limits::kCdpCommand);
  // Closes it without waiting, whatever its page does meanwhile: asks whether to leave (beforeunload), or goes on to
  // another document. Any thread.
  void close();
  // Answers the open dialog. The CDP error when there is none comes through.
  void handle_dialog(const CallContext& ctx, bool accept, const std::string& prompt_text);

 private:
  // What a wait for replies came to.
  struct Outcome {
    bool decided = false;  // false: ctx's deadline
    std::optional<JavaScriptDialog> dialog{};
  };
  // `documents_before`: as before the commands were sent, where another document may take their replies along.
  Outcome await_replies(const CallContext& ctx, const std::vector<PendingReply>& replies,
                        std::optional<std::uint64_t> documents_before);

  void on_event(const std::string& session, std::string_view method, std::string_view message);
  void on_dropped(std::string_view method, const Json& params);
  void on_child_target(std::string_view method, const Json& params);
  bool passed_proxy(std::string_view method, const Json& params) const;
  // Whether the event tells that the session's newest document fetches much, once for each document.
  bool is_busy_document(const std::string& session, std::string_view method);
  Json refusal_by_proxy(TabView& view, const std::string& session, std::string_view method, const Json& params) const;
  // Waits for replies to commands that were sent when there were so many documents; throws as call(). What `may_fail`
  // names may fail.
  void await_results(const CallContext& ctx, std::vector<PendingReply>& sent, std::uint64_t documents, Millis limit,
                     const std::function<bool(const PendingReply&)>& may_fail = nullptr);
  void post_setup(const CdpSession& session, bool main);
  bool is_routed() const { return setup_.routes && !setup_.routes->empty(); }
  // Posts which of the session's requests the browser is to hold back for us.
  void hold_requests(const CdpSession& session, bool is_worker = false) const;
  void post_hold(const CdpSession& session, bool is_worker) const;
  // [tool.network-state]
  void post_offline(const CdpSession& session, bool offline) const;
  bool has_credentials() const;
  bool has_clock() const;
  bool answer_site(const CdpSession& sender, const Json& params);
  void learn_document();
  void tell_origins(const Json& frame_tree) const;

  const Info info_;
  const CdpSession session_;
  const Setup setup_;
  TabQueue queue_;
  TabQueue walks_;
  Pointer pointer_;
  std::map<std::string, std::shared_ptr<void>, std::less<>> kept_{};
  std::atomic<int> acted_after_{0};
  std::atomic<bool> closes_{false};
  std::atomic<long> front_{0};  // of Setup::fronts, when it was in front
  TabExtras extras_;
  EmulatedSessions emulated_;
  std::atomic<bool> refuses_challenges_{false};
  // The lists are kept by the browser's proxy, and documents alone are held for them. Set by the reader thread.
  std::atomic<bool> proxy_judges_{false};
  // Used by the reader thread alone.
  FormJudge form_judge_{};
  std::function<void()> clock_moves_{};
  std::set<std::string> workers_{};             // their sessions
  std::deque<std::string> credential_given_{};  // the newest requests that were given a site's credential
  std::map<std::string, int> requests_since_document_{};

  // As update_routes() has seen it: RouteTable::version() and offline().
  std::atomic<long> routes_version_{0};
  std::atomic<bool> offline_{false};

  struct Child {
    std::string session;
    bool is_worker = false;
  };
  CommandWatch watch_{};

  Mutex sessions_mutex_;
  std::vector<Child> child_sessions_ GUARDED_BY(sessions_mutex_);
};

}  // namespace bridle
