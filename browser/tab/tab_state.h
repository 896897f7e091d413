#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/concurrency/deadline.h"
#include "browser/cdp/message.h"

namespace bridle {

// A JavaScript dialog that is open and blocks its page.
struct JavaScriptDialog {
  std::uint64_t seq = 0;
  std::string type{};  // alert, confirm, prompt, beforeunload
  std::string message{};
  std::string default_prompt{};
  std::string url{};
};

// A file chooser that the page has opened.
struct FileChooser {
  std::uint64_t seq = 0;
  std::string session{};
  std::string frame_id{};
  long long backend_node_id = 0;
  bool multiple = false;
};

// A frame as its sessions have told of it.
struct FrameState {
  std::string id{};
  std::string parent{};   // "" for the main frame
  std::string session{};  // CDP session that reaches it
  std::string url{};
  std::string main_world{};   // uniqueContextId; "" while there is none
  std::string main_origin{};  // that world's security origin; "://" for an opaque one
  int main_context_id = 0;
  std::string bridle_world{};  // our isolated world's
  int bridle_context_id = 0;
  std::string scripted_world{};    // the bridle_world into which the page script was put
  std::string script_kit{};        // object id of the script kit in script_kit_world; "" there is none
  std::string script_kit_world{};  // the main_world that was searched for it
  bool navigating = false;         // a document is on its way
};

// A request of the page's. Each hop of a redirect is one.
struct NetworkRequest {
  int index = 0;  // from 1, never reused
  std::string request_id{};
  std::string session{};
  std::string frame_id{};
  std::string loader_id{};
  std::string method{};
  std::string url{};
  std::string type{};  // Document, XHR, Fetch, Image, ...
  int status = 0;
  std::string status_text{};
  std::string mime_type{};
  bool finished = false;
  // The whole body of a fetch has come. Chromium doesn't say that a fetch has finished if the answer isn't stored and
  // the page leaves its body unread [why.body-length-ends-fetch].
  bool whole = false;
  double body_length = -1;   // as the answer states it, bytes on the wire; -1 unknown
  double body_received = 0;  // of those
  std::string error{};
  Json request_headers{};
  Json response_headers{};
  bool has_post_data = false;
  std::string post_data{};
  Clock::time_point started{};
  Clock::time_point ended{};
  double encoded_bytes = 0;

  // It was under way when an action began, or renews one that was: the page keeps it up for itself, whoever acts.
  bool standing = false;
  bool renews = false;

  bool left = false;  // the document that asked for it has gone, so nothing on the page waits for it

  bool over() const { return finished || whole; }

  // The script that a worker runs. It belongs to no document, and its end is told to the worker's session alone.
  bool is_of_worker() const { return type == "Script" && loader_id.empty(); }
};

// A request that the server hasn't answered: its NetworkRequest::index and its URL.
struct UnansweredRequest {
  int index = 0;
  std::string url{};
};

// A line of the page's console, or an uncaught exception.
struct ConsoleEntry {
  int index = 0;
  std::string level{};  // error, warning, info, debug
  std::string text{};
  std::string url{};
  int line = 0;             // from 1; 0: none
  std::string loader_id{};  // the document it belongs to
};

// The security origin of a document as a key, "" before any. An opaque origin equals that of no other document, so its
// key belongs to its document alone [nav.origin.security].
struct DocumentOrigin {
  std::string key{};
  std::string loader_id{};  // the document's; its origin never changes, only what is known of it
};

// What a tab is doing at one moment, as its events have told. A value: it stays as it was.
struct TabState {
  bool ready = false;    // the set-up commands were answered: events come in, worlds are known
  bool crashed = false;  // the renderer died; a navigation revives the tab
  bool gone = false;     // closed, detached, or its browser ended
  std::string gone_why{};
  std::optional<JavaScriptDialog> dialog{};  // that is open
  std::string url{};                         // with its fragment
  std::string title{};                       // as last read

  // What will replace the document: started, or only requested as yet.
  bool navigation_pending = false;
  std::string pending_url{};
  std::uint64_t started_seq = 0;  // of a navigation that has started and not ended; 0: none has
  std::string started_loader_id{};
  bool loading = false;  // between frameStartedLoading and frameStoppedLoading

  // The document that is there. One that was there before we attached has no commit and no lifecycle events.
  std::uint64_t commit_seq = 0;  // 0: nothing committed yet
  std::string loader_id{};
  bool is_error_page = false;
  std::string unreachable_url{};  // of an error page: what could not be reached, behind all redirects
  int status = 0;                 // HTTP status of the final hop; 0 without one
  std::string status_text{};      // the server's words for it; HTTP/2 has none
  bool dom_content_loaded = false;
  std::string broke_off{};  // net::ERR_* of a document that came in part
  bool loaded = false;
  bool awaited = false;  // for its end and its load it was waited once, by who opened it or acted in it first
  bool network_idle = false;

  // Where the document leads on by itself in so many seconds from its load on [nav.refresh]; "" nowhere.
  std::string refresh_url{};
  double refresh_seconds = 0;

  // Marks: compare with an earlier state's to learn what happened since.
  std::uint64_t navigation_seq = 0;
  std::uint64_t same_document_seq = 0;
  std::uint64_t download_seq = 0;
  std::uint64_t last_started_seq = 0;  // of the last navigation that has started, which may have ended
  std::string last_started_url{};
  std::uint64_t dialog_seq = 0;
  std::uint64_t documents = 0;  // of all frames
  int requests = 0;             // started so far

  // Nothing can be waited for of its page.
  bool blocked() const { return gone || crashed || dialog.has_value(); }
  // Anything that makes waiting for the document's own progress pointless.
  bool interrupted() const { return blocked() || navigation_pending; }
};

// What a tab has logged, as a copy.
struct ConsoleLines {
  std::vector<ConsoleEntry> entries{};
  int dropped = 0;  // older ones, which the log had no room for
};
struct NetworkRequests {
  std::vector<NetworkRequest> entries{};
  int dropped = 0;
};
// The requests after a mark that a page's content may depend on.
struct NetworkActivity {
  int busy = 0;            // not ended
  int fetches = 0;         // those of them that a script fetches: fetch(), XMLHttpRequest, scripts, style sheets
  int scripts = 0;         // those of the fetches that are scripts
  std::string fetching{};  // the URL of the oldest of the fetches
  std::optional<Clock::time_point> last{};        // when the last one started or ended
  std::optional<Clock::time_point> last_fetch{};  // the same of fetch() and XMLHttpRequest alone
  // Messages over WebSockets count as fetches in `last` and `last_fetch`.
  std::optional<Clock::time_point> owed{};   // when the oldest that has no answer yet was sent
  std::optional<Clock::time_point> heard{};  // when the last answer came
};

}  // namespace bridle
