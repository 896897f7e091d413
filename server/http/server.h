#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/deadline.h"
#include "server/http/peer_user.h"

// HTTP/1.1 on loopback, over cpp-httplib with the remedies that its defects call for. The only header of this
// project through which anything sees HTTP; http_server.cpp is the only file that includes httplib.h.
namespace bridle {

// A peer's connection as a handler sees it. Valid while the handler, and the stream it returns, run.
class HttpPeer {
 public:
  virtual ~HttpPeer() = default;
  // True once the peer closed its side (FIN, RST or half-close), noticed without reading or writing.
  virtual bool closed() const = 0;
  // Calls `fn` once, from the watcher's thread (or inline when it already happened), when the peer closes its side.
  // Dropping the returned handle unregisters, waiting for a call that runs. `fn` only notifies.
  [[nodiscard]] virtual std::shared_ptr<void> on_close(std::function<void()> fn) = 0;
  // Whose process it is; unknown unless HttpServerOptions::identify_peers.
  virtual PeerUser user() const = 0;
  // The peer's address and port, from the socket.
  virtual std::string address() const = 0;
  virtual int port() const = 0;
};

struct HttpRequest {
  std::string method;                                        // as sent: GET, POST, DELETE, OPTIONS, ...
  std::string path;                                          // decoded path without the query
  std::string query;                                         // raw
  std::vector<std::pair<std::string, std::string>> headers;  // in order, values trimmed of OWS
  std::string body;
  HttpPeer* peer = nullptr;

  // First value of a header, names compared case-insensitively; nullptr when absent.
  const std::string* header(std::string_view name) const;
  // All values of it.
  std::vector<std::string> header_values(std::string_view name) const;
  // A query parameter, percent-decoded; "" when absent.
  std::string query_param(std::string_view name) const;
};

// The body of a streamed answer, written by the connection's own thread only.
class HttpStream {
 public:
  virtual ~HttpStream() = default;
  // False once the peer is gone or took no bytes for limits::kWriteTime. Blocks at most that long.
  virtual bool write(std::string_view bytes) = 0;
};

struct HttpReply {
  int status = 200;
  std::vector<std::pair<std::string, std::string>> headers;  // without Content-Length; with Content-Type
  std::string body;
  // When set: `body` is ignored, the head goes out with chunked encoding, and the function writes the body on the
  // connection's thread. It returns to end the stream cleanly. An exception aborts the connection.
  std::function<void(HttpStream&)> stream;
  bool close = false;  // end the connection after this answer
  bool drop = false;   // end the connection without any answer

  static HttpReply json(int status, std::string body);
  static HttpReply text(int status, std::string body);
  static HttpReply empty(int status);
};

struct HttpServerOptions {
  std::string host = "127.0.0.1";
  int port = 0;  // 0 picks one
  // Bounds; defaults in base/limits.h.
  std::size_t max_head_bytes;
  std::size_t max_target_bytes;
  std::size_t max_body_bytes;
  std::size_t max_connections;
  Millis head_time;   // a whole head, from its first byte (and the first byte of a new connection)
  Millis body_time;   // a whole body
  Millis idle_time;   // between two requests
  Millis write_time;  // a peer that takes no bytes for this long is gone
  bool identify_peers = false;
  HttpServerOptions();
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
