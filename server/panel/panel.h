#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/concurrency/call_context.h"
#include "base/concurrency/sync.h"
#include "base/concurrency/timed_job.h"
#include "base/text/json.h"
#include "server/http/messages/message.h"
#include "server/panel/entry.h"
#include "server/status_board.h"

namespace bridle {

// The control panel: a page at `/` for the person, its events, and what the person does there [panel]. What it shows is
// a projection of the status board; of its own it has who may see it, and who looks. Called concurrently, on connection
// threads. server/panel/README.md says what goes over the wire.
class Panel {
 public:
  struct Parts {
    StatusBoard& board;
    Background& background;
    AbortSignal alive{};  // the server's: fires at its end, and with it all streams end
    std::atomic<long>& streams;
    int port = 0;
    Millis hold_limit = limits::kHold;
    Millis viewer_gone = limits::kViewerGone;
  };
  explicit Panel(Parts parts);
  ~Panel();
  Panel(const Panel&) = delete;
  Panel& operator=(const Panel&) = delete;

  // Whether a request is the panel's: a browser's visit of `/`, and all below /panel/.
  static bool serves(const HttpRequest& request);
  // The request for a link is `bridle panel`'s, never a browser's: it needs the server's token instead of a cookie.
  static bool asks_for_link(const HttpRequest& request) { return request.path == "/panel/link"; }
  // The guards, which need no body: a refusal, or nullopt.
  std::optional<HttpReply> check(const HttpRequest& request) const;
  // A request that check() let pass.
  HttpReply handle(HttpRequest& request);

 private:
  struct Route;
  static const Route* find(std::string_view path);
  HttpReply answer(HttpRequest& request);
  HttpReply link(HttpRequest& request);
  HttpReply enter(HttpRequest& request);
  HttpReply events(HttpRequest& request);
  HttpReply past(HttpRequest& request);
  HttpReply stop(HttpRequest& request);
  HttpReply take_over(HttpRequest& request);
  HttpReply hand_back(HttpRequest& request);
  HttpReply input(HttpRequest& request);
  HttpReply dialog(HttpRequest& request);
  HttpReply answer_question(HttpRequest& request);
  HttpReply view(HttpRequest& request);
  HttpReply console(HttpRequest& request);
  HttpReply network(HttpRequest& request);
  HttpReply download(const std::string& id);
  HttpReply picture(const std::string& name);
  HttpReply file(const HttpRequest& request, std::string_view name);

  // While a viewer's events stream is open. At the end of its last one, what it holds is handed back after
  // limits::kViewerGone.
  class Presence;
  void stream_events(HttpStream& out, HttpPeer& peer, const std::string& viewer, const std::string& last);
  // Until `when` at the latest, or the server's end.
  CallContext until(Deadline when) const { return {.signal = parts_.alive, .deadline = when}; }
  void hand_back_of_gone();
  void hand_back_all(const std::string& viewer);
  // Ends a hold of this viewer; false: it has none. Throws nothing.
  bool end_hold(ToolScope& scope, const std::string& viewer) const;
  bool is_here(const std::string& viewer) EXCLUDES(mutex_);
  // The tab; null: there is none any more. Throws nothing.
  std::shared_ptr<LiveTab> live_tab(const std::string& session, const std::string& tab) const;
  void stream_view(HttpStream& out, HttpPeer& peer, LiveTab& tab, int width);
  HttpReply log_of(HttpRequest& request, Json (LiveTab::*log)() const) const;

  const Parts parts_;
  PanelEntry entry_;
  const std::string server_;  // names this run of the server
  const Clock::time_point began_ = Clock::now();

  struct Viewer {
    int streams = 0;
    Clock::time_point gone{};
  };
  Mutex mutex_;
  std::map<std::string, Viewer> viewers_ GUARDED_BY(mutex_);
  TimedJob gone_;  // last: its work uses everything above
};

}  // namespace bridle
