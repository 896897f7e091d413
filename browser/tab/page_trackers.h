#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/deadline.h"
#include "browser/cdp/message.h"

// The small event-fed state machines of a tab beside its NavigationTracker. Pure: no thread, no CDP call; their owner
// serialises access.
namespace bridle {

// An open JavaScript dialog blocks its page: whoever waits for the page must look here first.
class DialogGate {
 public:
  struct Dialog {
    std::uint64_t seq = 0;
    std::string type{};  // alert, confirm, prompt, beforeunload
    std::string message{};
    std::string default_prompt{};
    std::string url{};
  };
  bool on_event(std::string_view method, const Json& params);
  static bool wants(std::string_view method) { return method.starts_with("Page.javascriptDialog"); }

  const std::optional<Dialog>& open() const { return open_; }
  // Counts openings: compare with an earlier value to learn whether one opened since.
  std::uint64_t seq() const { return seq_; }
  void reset() { open_.reset(); }

 private:
  std::uint64_t seq_ = 0;
  std::optional<Dialog> open_;
};

// A file chooser that the page has opened and the browser doesn't show (Page.setInterceptFileChooserDialog): it waits
// for browser_file_upload. Kept until answered, replaced by the next one or gone with its document.
class ChooserGate {
 public:
  struct Chooser {
    std::uint64_t seq = 0;
    std::string session{};
    std::string frame_id{};
    long long backend_node_id = 0;  // 0: of no element (showOpenFilePicker)
    bool multiple = false;
  };
  bool on_event(const std::string& session, std::string_view method, const Json& params);
  static bool wants(std::string_view method) { return method == "Page.fileChooserOpened"; }

  const std::optional<Chooser>& open() const { return open_; }
  std::uint64_t seq() const { return seq_; }
  void reset() { open_.reset(); }

 private:
  std::uint64_t seq_ = 0;
  std::optional<Chooser> open_;
};

// A native drag that was intercepted (Input.setInterceptDrags): what it carries, for Input.dispatchDragEvent.
class DragGate {
 public:
  bool on_event(std::string_view method, const Json& params);
  static bool wants(std::string_view method) { return method == "Input.dragIntercepted"; }

  bool intercepted() const { return !data_.is_null(); }
  Json take() { return std::exchange(data_, Json()); }

 private:
  Json data_;
};

// The tab's frames and their JavaScript worlds, over the sessions of all processes involved.
class FrameTracker {
 public:
  struct Frame {
    std::string id{};
    std::string parent{};   // "" for the main frame
    std::string session{};  // CDP session that reaches it
    std::string url{};
    std::string main_world{};   // uniqueContextId; "" while there is none
    std::string main_origin{};  // that world's security origin; "://" for an opaque one
    int main_context_id = 0;
    std::string bridle_world{};  // our isolated world's
    int bridle_context_id = 0;
    std::string scripted_world{};  // the bridle_world into which the page script was put
    bool navigating = false;       // a document is on its way
  };
  static constexpr const char* kWorldName = "bridle";

  bool on_event(const std::string& session, std::string_view method, const Json& params);
  static bool wants(std::string_view method);
  // A frame that lives in another process got its own session; its contexts come through that.
  void adopt(const std::string& session, const std::string& frame_id, const std::string& parent);
  void drop_session(const std::string& session);

  // From now on the browser puts the page script into each new world of this session, before the page's own scripts.
  void expect_script(const std::string& session) { script_session_ = session; }

  // nullptr when unknown.
  const Frame* find(const std::string& id) const;
  Frame* find(const std::string& id);
  std::vector<Frame> children(const std::string& parent) const;
  // Ids of all frames below it, parents first.
  std::vector<std::string> descendants(const std::string& id) const;
  // Counts the documents and the processes that frames have had: a mark to compare with.
  std::uint64_t documents() const { return documents_; }
  std::size_t size() const { return frames_.size(); }

 private:
  Frame& entry(const std::string& id);
  void remove_with_children(const std::string& id);
  void on_context_created(const std::string& session, const Json& context);
  void on_context_destroyed(const std::string& unique_id);

  std::map<std::string, Frame> frames_;
  std::uint64_t documents_ = 0;
  std::string script_session_;
};

// The requests of a tab, newest last, with what is still in flight.
class NetworkLog {
 public:
  struct Entry {
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
    // A fetch whose whole body is there. Chromium doesn't say that it has finished where the answer isn't stored and
    // the page leaves the body unread.
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

    bool over() const { return finished || whole; }
  };
  bool on_event(const std::string& session, std::string_view method, const Json& params, Clock::time_point now);
  static bool wants(std::string_view method);
  void clear_in_flight(const std::string& session);

  // How many requests were started so far: a mark to compare with.
  int started() const { return next_index_ - 1; }
  // Requests after `mark` (0: all) that a page's content may depend on and that haven't ended.
  int busy_since(int mark) const;
  // The same, any type: what a page is still loading.
  int in_flight() const;
  // When the last such request after `mark` ended or started; nullopt when there was none.
  std::optional<Clock::time_point> last_activity_since(int mark) const;
  const std::deque<Entry>& entries() const { return entries_; }
  int dropped() const { return dropped_; }

 private:
  Entry* find(const std::string& session, const std::string& request_id);

  int next_index_ = 1;
  int dropped_ = 0;
  std::deque<Entry> entries_;
  std::unordered_map<std::string, int> open_;  // session/request id -> index, unfinished only
};

// What the page wrote to its console, and its uncaught exceptions.
class ConsoleLog {
 public:
  struct Entry {
    int index = 0;
    std::string level{};  // error, warning, info, debug
    std::string text{};
    std::string url{};
    int line = 0;
    std::string loader_id{};  // the document it belongs to
  };
  bool on_event(std::string_view method, const Json& params, const std::string& loader_id);
  static bool wants(std::string_view method);

  const std::deque<Entry>& entries() const { return entries_; }
  int last_index() const { return next_index_ - 1; }
  int dropped() const { return dropped_; }

 private:
  void add(Entry entry);

  int next_index_ = 1;
  int dropped_ = 0;
  std::deque<Entry> entries_;
};

}  // namespace bridle
