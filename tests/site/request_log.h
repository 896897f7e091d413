// What the fixture server saw: requests, and peers that hung up before their answer was complete.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/site/http.h"

namespace bridle::site {

struct RequestRecord {
  std::uint64_t id = 0;
  std::string method;
  std::string target;
  std::string path;
  Headers headers;
  std::string body;
  std::string origin;              // the origin it was sent to
  Millis received{};               // when head and body had arrived
  std::optional<Millis> finished;  // when the answer was complete; empty while it isn't, and after a hang-up
};

struct HangupRecord {
  std::uint64_t request_id = 0;
  std::string target;
  std::string path;
  Millis received{};  // when the request had arrived
  Millis at{};        // when the server saw the peer leave
};

// Any thread may call anything here. A `path` argument with a '?' is compared with the whole target, one without with
// the path alone; "" is every request. Waits end early when close() is called, as if their time were up.
class RequestLog {
 public:
  std::uint64_t open(const Request& request);
  void finish(std::uint64_t id);
  void hang_up(std::uint64_t id);
  void abandon(std::uint64_t id);  // the server's own doing: it reset the connection, or it stops

  std::vector<RequestRecord> requests(std::string_view path) const;
  std::vector<HangupRecord> hangups(std::string_view path) const;
  std::size_t open_count(std::string_view path) const;

  bool wait_for_request(std::string_view path, Millis timeout, std::size_t count) const;
  // The count-th hang-up.
  std::optional<HangupRecord> wait_for_hangup(std::string_view path, Millis timeout, std::size_t count) const;
  bool wait_for_open(std::string_view path, std::size_t count, Millis timeout) const;

  // Forgets everything. Requests still open keep counting as open, but their end is not recorded any more: it belongs
  // to the test before.
  void reset();
  void close();

 private:
  struct OpenRequest {
    std::string target;
    std::string path;
    Millis received{};
    bool forgotten = false;
  };

  // All called with mutex_ held.
  std::size_t count_requests(std::string_view path) const;
  std::size_t count_open(std::string_view path) const;
  std::vector<HangupRecord> select_hangups(std::string_view path) const;
  template <typename Predicate>
  bool wait(std::unique_lock<std::mutex>& lock, Millis timeout, Predicate predicate) const;

  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::uint64_t last_id_ = 0;                  // guarded by mutex_
  std::deque<RequestRecord> requests_;         // guarded by mutex_
  std::deque<HangupRecord> hangups_;           // guarded by mutex_
  std::map<std::uint64_t, OpenRequest> open_;  // guarded by mutex_
  bool closed_ = false;                        // guarded by mutex_
};

}  // namespace bridle::site
