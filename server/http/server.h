#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/concurrency/deadline.h"
#include "base/limits.h"
#include "server/http/messages/message.h"

// HTTP/1.1 on loopback. README.md says what cpp-httplib does in it, and which of its defects each part stands for.
namespace bridle {

struct HttpServerOptions {
  std::string host = "localhost";  // see HttpListener::bind()
  int port = 0;                    // 0 picks one
  std::size_t max_head_bytes = limits::kHeadBytes;
  std::size_t max_target_bytes = limits::kTargetBytes;
  std::size_t max_body_bytes = limits::kBodyBytes;
  std::size_t max_connections = limits::kConnections;
  std::size_t max_strangers = limits::kStrangers;          // connections of peers that are not known to be our user's
  std::size_t max_one_stranger = limits::kOneStranger;     // ... and of each of them
  std::size_t max_buffered_bodies = limits::kBodiesBytes;  // of all requests together: 503
  Millis head_time = limits::kHeadTime;  // a whole head, from its first byte (and the first byte of a new connection)
  Millis body_time = limits::kBodyTime;  // a whole body
  Millis idle_time = limits::kIdleConnection;  // between two requests
  Millis write_time = limits::kWriteTime;      // a peer that takes no bytes for this long is gone
  bool identify_peers = false;                 // ask the kernel whose process each peer is, and share connections out
  bool own_user_only = false;                  // refuse all peers but our user's processes, before they are read from
};

// Threads: run() accepts in the calling thread; one thread a connection runs `handler` and its stream; one epoll
// thread watches peers. The handler is called concurrently and may throw (answered 500 without the exception's text).
class HttpServer {
 public:
  using Handler = std::function<HttpReply(HttpRequest&)>;
  // Looks at a request without its body: a reply refuses the request, and then its body is never read.
  using HeadCheck = std::function<std::optional<HttpReply>(const HttpRequest&)>;

  HttpServer(HttpServerOptions options, Handler handler, HeadCheck check = {});
  ~HttpServer();  // stop() and wait
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  // Binds and listens. Throws std::runtime_error with a sentence for the user (port taken: says so, and names --port).
  void bind();
  // After bind(): the port, and what HttpListener::own_hosts() says.
  int port() const;
  const std::vector<std::string>& own_hosts() const;
  // Serves until stop(). Call once, after bind().
  void run();
  // Stops accepting, wakes idle keep-alive connections, waits up to `grace` for the running handlers and streams
  // (which the caller has told to end), then shuts the sockets down. Any thread; idempotent.
  void stop(Millis grace);

  struct Counters {
    long connections;  // open now
    long threads;      // connection threads alive now
    long watched;      // on_close registrations alive now
    long long accepted_total;
    long long refused_total;          // connections that were refused unread, for whatever reason
    long long foreign_refused_total;  // ... of these, because they were not our user's
    long strangers;                   // connections now of peers that are not known to be our user's
    std::size_t body_bytes;           // of request bodies held now
  };
  Counters counters() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace bridle
