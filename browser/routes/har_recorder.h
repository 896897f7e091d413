#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/concurrency/call_context.h"
#include "base/concurrency/sync.h"
#include "browser/cdp/connection.h"

namespace bridle {

// One request as the browser's events tell of it. Times are CDP's: seconds of a clock that only goes on.
struct RecordedRequest {
  Json sent{};              // Network.requestWillBeSent, but for its initiator
  Json response{};          // Network.Response; null: none came
  double ended = 0;         // 0: it was still under way at the end
  std::string error{};      // why it failed
  double transferred = -1;  // bytes, head and body
  double received = 0;      // bytes of the body, decoded
  std::size_t page = 0;     // index of the page that it belongs to, counted from 1; 0: of none
  bool has_body = false;    // the browser was asked for it
  std::string body{};       // the browser's raw answer to Network.getResponseBody
  std::string no_body{};    // why there is none
};

// A document in a tab.
struct RecordedPage {
  std::string url{};
  double wall_time = 0;  // seconds since 1970
  double began = 0;
  double content_load = 0;  // 0: not seen
  double load = 0;
};

struct Recording {
  std::vector<RecordedPage> pages{};
  std::vector<RecordedRequest> requests{};
  std::size_t left_out = 0;  // requests over the bound
};

// Keeps what the tabs of a session request, for a HAR file [tool.har]. Bounded: requests, and the bytes of bodies, each
// and in all. Bodies are asked for as requests end and kept as they come, so that the reader thread parses none.
class HarRecorder : public std::enable_shared_from_this<HarRecorder> {
 public:
  explicit HarRecorder(bool with_bodies) : with_bodies_(with_bodies) {}

  static bool wants(std::string_view method);
  // `main_frame`: of the tab, where it is its own session; "" of a frame's in another process. Reader thread.
  void on_event(const CdpSession& session, const std::string& main_frame, std::string_view method, const Json& params);

  // Waits for the bodies that were asked for, as long as ctx allows and a moment at most, and yields a copy of all.
  // Throws Aborted.
  Recording recording(const CallContext& ctx);

 private:
  void begin(const CdpSession& session, const std::string& main_frame, const Json& params) REQUIRES(mutex_);
  bool end(RecordedRequest& request, const Json& params) REQUIRES(mutex_);
  void on_body(std::size_t index, double reserved, CdpReply reply) EXCLUDES(mutex_);

  const bool with_bodies_;
  Mutex mutex_;
  CondVar changed_;
  Recording all_ GUARDED_BY(mutex_);
  std::map<std::string, std::size_t> open_ GUARDED_BY(mutex_);   // session/request -> index of requests
  std::map<std::string, std::size_t> pages_ GUARDED_BY(mutex_);  // tab's session -> number of its newest page
  double body_bytes_ GUARDED_BY(mutex_) = 0;
  int awaited_ GUARDED_BY(mutex_) = 0;
};

}  // namespace bridle
