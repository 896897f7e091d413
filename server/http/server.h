#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/deadline.h"
#include "base/limits.h"
#include "server/http/message.h"

// HTTP/1.1 on loopback. README.md says what cpp-httplib does in it, and which of its defects each part stands for.
namespace bridle {

struct HttpServerOptions {
  std::string host = "127.0.0.1";
  int port = 0;  // 0 picks one
  std::size_t max_head_bytes = limits::kHeadBytes;
  std::size_t max_target_bytes = limits::kTargetBytes;
  std::size_t max_body_bytes = limits::kBodyBytes;
  std::size_t max_connections = limits::kConnections;
  Millis head_time = limits::kHeadTime;  // a whole head, from its first byte (and the first byte of a new connection)
  Millis body_time = limits::kBodyTime;  // a whole body
  Millis idle_time = limits::kIdleConnection;  // between two requests
  Millis write_time = limits::kWriteTime;      // a peer that takes no bytes for this long is gone
  bool identify_peers = false;                 // ask the kernel whose process each peer is
};

// Threads: run() accepts in the calling thread; one thread a connection runs `handler` and its stream; one epoll
// thread watches peers. The handler is called concurrently and may throw (answered 500 without the exception's text).
class HttpServer {
 public:
  using Handler = std::function<HttpReply(const HttpRequest&)>;

  HttpServer(HttpServerOptions options, Handler handler);
  ~HttpServer();  // stop() and wait
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  // Binds and listens. Throws std::runtime_error with a sentence for the user (port taken: says so, and names --port).
  void bind();
  int port() const;  // after bind()
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
    long long refused_total;  // over the connection cap: 503
  };
  Counters counters() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace bridle
