#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/concurrency/call_context.h"
#include "base/concurrency/sync.h"
#include "browser/tab/tab_state.h"
#include "browser/tab/url_settle.h"

namespace bridle {

struct TabView;

// The tab can't answer any more: closed, crashed, or its browser gone. what() says which and what to do.
class TabGone : public std::runtime_error {
 public:
  TabGone(const std::string& words, bool is_crash) : std::runtime_error(words), crashed(is_crash) {}
  bool crashed;
};

// What the events of a tab have told, between the reader thread, which brings them, and the threads that ask and wait.
// Any thread may call any public method. The trackers stay inside, under a lock; what they know is handed out as
// values, and nothing of a caller's runs under that lock.
class TabMonitor {
 public:
  TabMonitor(const TabMonitor&) = delete;
  TabMonitor& operator=(const TabMonitor&) = delete;

  const std::string& id() const { return id_; }  // bridle's own: "t1", never reused; or a secret handle, "i-..."
  const std::string& main_frame() const { return main_frame_; }

  TabState state() const;
  // Throws TabGone when gone, or when crashed and `even_crashed` is false.
  void throw_if_gone(bool even_crashed = false) const;
  // Waits until `ready()`, which is called first and after each event and each reply to Tab::send(), without the lock.
  // False at ctx's deadline. Throws Aborted.
  template <typename Ready>
  bool wait(const CallContext& ctx, const Ready& ready) {
    const WaitGauge gauge;
    for (;;) {
      const auto seen = changes();
      const bool is_ready = ready();
      ctx.signal.throw_if_aborted();
      if (is_ready) return true;
      // A page whose events never cease must not hold the caller beyond its deadline.
      if (ctx.deadline.expired()) return false;
      if (!wait_for_change(ctx, seen)) return ready();
    }
  }
  void wait_until_ready(const CallContext& ctx);  // its set-up commands were answered
  void wait_until_gone(const CallContext& ctx);
  // Waits until a document is there and read and nothing is about to replace it, or until a dialog, a crash or the
  // tab's end.
  void wait_until_usable(const CallContext& ctx);
  // Waits while something is about to replace the document.
  void wait_while_navigating(const CallContext& ctx);
  // True when the page's URL has `part` in it; false at ctx's deadline. Throws TabGone.
  bool wait_for_url(const CallContext& ctx, const std::string& part);
  // Whether the page is on its way to somewhere else. The first call says so too for a tab that a page has opened and
  // in which nothing has committed yet.
  bool begin_use();

  DocumentOrigin document_origin() const;
  // The same, once the document's world has told of it: for a moment after a commit the origin is only the URL's.
  DocumentOrigin settled_document_origin(const CallContext& ctx);

  // Whether the page has asked, since `since`, for a tab that has not come: the browser opens one for a Ctrl, Shift or
  // middle click without naming its opener, and tells of the click before the tab [why.tabs-without-opener].
  bool asked_for_tab(Clock::time_point since) const;
  // Such a tab has come; what was asked for before `since` is forgotten.
  void got_tab(Clock::time_point since);

  // --- navigation, for browser/page

  // Begins to watch a navigation that starts after this call, or with CommitWatch::Kind::follow one that has started
  // already; decide() tells how it ended.
  CommitWatch watch_commit(CommitWatch::Kind kind);
  struct Progress {
    TabState state{};
    std::optional<CommitDecision> decision{};
  };
  Progress decide(CommitWatch& watch) const;
  // The URLs on the way to the document that is there, in order (NavigationTracker::trail_since).
  std::vector<std::string> trail_since(std::uint64_t commit_seq, const std::string& first_loader) const;
  // Drops a requested navigation that came to nothing. The caller decides when that is certain.
  void forget_requested_navigation();
  void set_title(const std::string& title);
  void note_awaited();  // TabState::awaited, of the document that is there

  // --- frames; "" is the main one

  std::optional<FrameState> frame(const std::string& frame_id) const;  // nullopt: not on the page
  bool has_frame(const std::string& frame_id) const { return frame(frame_id).has_value(); }
  // The CDP session that reaches the frame; "" when the frame is not on the page.
  std::string frame_session(const std::string& frame_id) const;
  // Ids of all but the main one, parents first.
  std::vector<std::string> frames_below_main() const;
  // Adds the origins of all its frames' documents, but for opaque ones. False: of one it isn't known yet.
  bool add_origins(std::set<std::string>& origins) const;
  // Notes into which of the frame's worlds the page script was put; "" into none.
  void set_scripted_world(const std::string& frame_id, const std::string& world);
  // Notes the script kit (browser/page/world/script_kit.h) of the frame's `main_world`; "" it has none.
  void set_script_kit(const std::string& frame_id, const std::string& main_world, const std::string& object_id);

  // --- what it has logged

  ConsoleLines console(bool earlier_documents) const;
  int last_console_index() const;
  std::vector<ConsoleEntry> console_after(int index, std::string_view level) const;
  // Since the navigation that made the document.
  NetworkRequests requests_of_document() const;
  // By NetworkRequest::index; `first` and `last` are those there are, 0 without any.
  struct LoggedRequest {
    std::optional<NetworkRequest> request{};
    int first = 0;
    int last = 0;
  };
  LoggedRequest logged_request(int index) const;
  int requests_in_flight() const;
  bool brings_content() const;  // NetworkLog::brings_content
  std::optional<UnansweredRequest> unanswered_request(Clock::time_point before) const;
  int begin_action_requests();                        // NetworkLog::begin_action
  NetworkActivity network_since(int requests) const;  // TabState::requests is the mark
  void give_up_sockets();                             // SocketLog::give_up

  // --- what waits to be taken

  // Requests that were refused since it was last taken, by the reason.
  std::map<std::string, int> take_blocked_requests();
  std::optional<FileChooser> file_chooser() const;  // that is open
  void close_file_chooser();
  int take_cancelled_pickers();  // since the last call, see FileChooserGate
  // What the document that was left had told (page::Snapshot::before); "" if nothing.
  std::string take_told_by_last();
  // What a native drag carries that was intercepted (Input.setInterceptDrags); null without one.
  Json take_drag();
  // Waits until there is one; null at ctx's deadline. Throws Aborted, TabGone.
  Json await_drag(const CallContext& ctx);

  static long waiters() noexcept { return waiters_; }  // gauge over all tabs

 protected:
  // `opened_by_page`: such a tab is on its way to somewhere from the start.
  TabMonitor(std::string id, std::string main_frame, bool opened_by_page);
  ~TabMonitor();

  // Calls `change` with the trackers locked, then wakes the waits. `change` must neither wait nor call out.
  template <typename Change>
  void update(const Change& change) {
    {
      MutexLock lock(mutex_);
      change(*view_);
    }
    notify();
  }
  void notify();
  // False when it was already.
  bool set_gone(const std::string& why);

 private:
  struct WaitGauge {
    WaitGauge() { ++waiters_; }
    ~WaitGauge() { --waiters_; }
  };
  std::uint64_t changes() const;
  // True when something has changed since; false at ctx's deadline.
  bool wait_for_change(const CallContext& ctx, std::uint64_t seen);
  const std::string& frame_or_main(const std::string& frame_id) const;

  static std::atomic<long> waiters_;

  const std::string id_;
  const std::string main_frame_;
  const bool opened_by_page_;
  mutable Mutex mutex_;
  CondVar changed_;
  std::uint64_t changes_ GUARDED_BY(mutex_) = 0;
  const std::unique_ptr<TabView> view_ GUARDED_BY(mutex_);  // never null
};

}  // namespace bridle
