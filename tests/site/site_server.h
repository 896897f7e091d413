// The web that the tests browse: a small HTTP/1.1 server with two origins, a table of pages that are slow, broken,
// hostile or plain, and a log of what it was asked and who hung up on it.
//
// Two habits of Chromium matter to tests that let requests hang:
//   - it opens at most six connections to one origin, so a seventh hanging request never gets here;
//   - two requests for the same URL at the same time wait for each other in its cache: give each a query of its own.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/concurrency/wake_fd.h"
#include "base/fd.h"
#include "tests/site/connection.h"
#include "tests/site/request_log.h"
#include "tests/site/response.h"

namespace bridle::site {

// Any thread may call any member; only the destructor wants to be alone. A `path` argument with a '?' means that exact
// target, one without means the path with any query, "" means every request.
class SiteServer {
 public:
  // Binds 127.0.0.1 and serves at once. Port 0 takes a free one. Throws std::system_error.
  explicit SiteServer(std::uint16_t port = 0);
  ~SiteServer() { stop(); }
  SiteServer(const SiteServer&) = delete;
  SiteServer& operator=(const SiteServer&) = delete;

  // Ends every answer where it is, closes every connection, joins every thread. No page's delay holds it up; a handler
  // of set_handler() must use the waits of Response for that to be so.
  void stop();

  // The name that each connection's thread has in /proc.
  static constexpr const char* kConnectionThread = "site-connection";

  std::uint16_t port() const { return ports_[0]; }
  std::uint16_t other_port() const { return ports_[1]; }
  std::string origin() const;        // http://127.0.0.1:PORT
  std::string other_origin() const;  // http://127.0.0.1:OTHER_PORT: another origin, the same site
  std::string cross_site() const;    // http://localhost:OTHER_PORT: another site, in a process of its own
  std::string url(std::string_view path = "/") const { return origin().append(path); }
  std::string other_url(std::string_view path = "/") const { return other_origin().append(path); }
  std::string cross_site_url(std::string_view path = "/") const { return cross_site().append(path); }

  // On both origins, before the table's routes.
  void set_page(std::string path, std::string html);
  void set_handler(std::string path, Handler handler);

  // "/path": the answers under way to that path go on, without any further delay. "K": requests for /held?key=K are
  // answered, those to come too, until reset_log().
  void release(std::string_view name) { releases_.release(name); }

  std::vector<RequestRecord> requests(std::string_view path = "") const { return log_.requests(path); }
  bool wait_for_request(std::string_view path, Millis timeout, std::size_t count = 1) const {
    return log_.wait_for_request(path, timeout, count);
  }
  // A hang-up: the peer closed the connection, by FIN or RST, with the answer unfinished. Noticed at once.
  std::size_t hangups(std::string_view path = "") const { return log_.hangups(path).size(); }
  std::vector<HangupRecord> hangup_records(std::string_view path = "") const { return log_.hangups(path); }
  // The time of the count-th hang-up, comparable with steady_now().
  std::optional<Millis> wait_for_hangup(std::string_view path, Millis timeout, std::size_t count = 1) const;
  std::optional<HangupRecord> wait_for_hangup_record(std::string_view path, Millis timeout,
                                                     std::size_t count = 1) const {
    return log_.wait_for_hangup(path, timeout, count);
  }
  // Connections with an unfinished answer.
  std::size_t open_connections(std::string_view path = "") const { return log_.open_count(path); }
  bool wait_for_open_connections(std::string_view path, std::size_t count, Millis timeout) const {
    return log_.wait_for_open(path, count, timeout);
  }
  // Forgets requests, hang-ups and released keys; what is open stays open, but its end is no longer recorded.
  void reset_log();

 private:
  struct Peer {
    std::thread thread;
    std::atomic<bool> done = false;
  };

  void accept_loop();
  void accept_one(int listener);
  void join_finished();
  Handler find_handler(const Request& request);
  void set_origins(Request& request, std::uint16_t port) const;

  WakeFd stop_event_;
  std::array<Fd, 2> listeners_;
  std::array<std::uint16_t, 2> ports_{};
  RequestLog log_;
  Releases releases_;
  Service service_;
  std::mutex pages_mutex_;
  std::map<std::string, Handler> pages_;  // guarded by pages_mutex_
  std::mutex stop_mutex_;                 // lets one stop() do the work and another wait for it
  std::list<Peer> peers_;                 // the acceptor's own; after it was joined, stop()'s
  std::thread acceptor_;                  // guarded by stop_mutex_
};

}  // namespace bridle::site
