#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "browser/cdp/message.h"

namespace bridle {

// What one tab's main frame is doing, told only by CDP events [nav.settle]. A pure state machine:
// no clock, no thread, no CDP call. Its owner serialises access.
//
// Only a main-frame frameNavigated is a commit. Every event that matters advances seq(), so that a wait can tell what
// happened after it began.
class NavigationTracker {
 public:
  explicit NavigationTracker(std::string main_frame_id) : main_frame_(std::move(main_frame_id)) {}

  struct Commit {
    std::uint64_t seq = 0;  // 0: nothing committed yet
    std::string loader_id{};
    std::string url{};              // with its fragment
    std::string security_origin{};  // of the URL: "://" for data: and the like, but not for a sandboxed document
    std::string unreachable_url{};  // of an error page: what couldn't be reached
    bool is_error_page() const { return !unreachable_url.empty(); }
  };
  // A navigation that was started and has neither committed nor ended.
  struct Started {
    std::uint64_t seq = 0;
    std::string loader_id{};
    std::string url{};
  };
  // A navigation that the renderer asked for and that hasn't started yet.
  struct Requested {
    std::uint64_t seq = 0;
    std::string url{};
    std::string reason{};  // anchorClick, formSubmissionGet, scriptInitiated, metaTagRefresh, ...
  };
  // Where the document leads on by itself, by its meta element or header, and in how many seconds from its load on.
  struct Refresh {
    std::string url{};
    double seconds = 0;
  };
  // All that is known of one loader, committed or not.
  struct Loader {
    std::uint64_t seq = 0;
    int status = 0;                        // HTTP status of the final hop, 0 without one
    std::string status_text{};             // the words that came with it: Not Found
    std::vector<std::string> redirects{};  // URLs redirected from, in order
    bool failed = false;
    std::string error_text{};   // net::ERR_* when failed
    std::string blocked_url{};  // what --allowed-origins or --blocked-origins refused: the navigation, or a hop of it
    std::string broke_off{};    // net::ERR_* of a document that came in part: no event tells of its end
    bool is_download = false;
    bool dom_content_loaded = false;
    bool loaded = false;
    bool network_idle = false;
    std::optional<Commit> commit{};  // another may have taken its place since
  };

  // True when the event was of interest and changed something.
  bool on_event(std::string_view method, const Json& params);
  // The methods on_event() reads, so that others needn't be parsed.
  static bool wants(std::string_view method);

  std::uint64_t seq() const { return seq_; }
  const std::string& main_frame() const { return main_frame_; }
  const Commit& commit() const { return commit_; }
  const std::optional<Started>& started() const { return started_; }
  const std::optional<Requested>& requested() const { return requested_; }
  // The URL now: the commit's, or where a same-document navigation took it.
  const std::string& url() const { return url_; }
  std::uint64_t same_document_seq() const { return same_document_seq_; }
  // seq of the last download that a navigation of this tab became.
  std::uint64_t download_seq() const { return download_seq_; }
  // The last one that has started, which may have ended since, with the URL that it was last redirected to.
  const std::optional<Started>& last_started() const { return last_started_; }
  // In half a second or later; what is sooner is pending.
  const std::optional<Refresh>& refresh() const { return refresh_; }
  // nullptr when unknown.
  const Loader* loader(const std::string& loader_id) const;
  const Loader& committed_loader() const;
  // The loader of the first navigation that has both started and committed since; empty: none has.
  std::string first_committed_since(std::uint64_t since) const;
  // The way to the document that is there, from the commit `since` on: what was redirected from, and the documents that
  // others took the place of, but for error pages, which may be of something older. `first`: the loader of the
  // navigation that this began with, before which nothing counts; empty: any.
  std::vector<std::string> trail_since(std::uint64_t since, const std::string& first) const;

  // Something will replace the document: started, requested, or scheduled for at once.
  bool navigation_pending() const { return started_ || requested_ || scheduled_now_; }
  // True between frameStartedLoading and frameStoppedLoading, while the document or something in it is on its way.
  // After a Page.stopLoading that took effect, frameStoppedLoading is often the only event.
  bool loading() const { return loading_; }
  // The target of what is pending; empty without.
  std::string pending_url() const;
  // Drops a requested navigation that came to nothing. The tracker's owner decides when that is certain.
  void forget_request() {
    requested_.reset();
    scheduled_now_ = false;
  }
  // A dismissed beforeunload dialog ends what is pending, and no event tells of it.
  void abandon_pending();
  // Our own policy refused a hop of a navigation of the main frame, which ends that navigation.
  void note_blocked(const std::string& loader_id, const std::string& url);
  // Takes over, from Page.getFrameTree, the document that was there before we listened. False, and nothing is done,
  // once a commit was seen: its events have come after all.
  bool learn_document(const Json& frame);

 private:
  void on_frame_navigated(const Json& params);
  void on_started_navigating(const Json& params);
  void on_request_will_be_sent(const Json& params);
  void on_lifecycle(const Json& params);
  void on_loading_failed(const Json& params);
  Loader& loader_entry(const std::string& loader_id);

  std::string main_frame_;
  std::uint64_t seq_ = 0;
  Commit commit_;
  std::optional<Started> started_;
  std::optional<Started> last_started_;
  std::optional<Requested> requested_;
  bool scheduled_now_ = false;
  bool loading_ = false;
  std::string scheduled_url_;
  std::optional<Refresh> refresh_;
  std::string url_;
  std::uint64_t same_document_seq_ = 0;
  std::uint64_t download_seq_ = 0;
  std::map<std::string, Loader> loaders_;  // the newest few
};

}  // namespace bridle
