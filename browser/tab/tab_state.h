#pragma once

#include <cstdint>
#include <string>

#include "base/deadline.h"
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
  long long backend_node_id = 0;  // 0: of no element (showOpenFilePicker)
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
  std::string scripted_world{};  // the bridle_world into which the page script was put
  bool navigating = false;       // a document is on its way
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

// A line of the page's console, or an uncaught exception.
struct ConsoleEntry {
  int index = 0;
  std::string level{};  // error, warning, info, debug
  std::string text{};
  std::string url{};
  int line = 0;
  std::string loader_id{};  // the document it belongs to
};

}  // namespace bridle
