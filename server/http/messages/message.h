#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// What a handler gets and gives: a request, the peer that sent it, and the reply.
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
  // Whose it is, as far as the kernel tells: "user 1000", else "address 192.0.2.7". Nobody can choose it.
  virtual const std::string& owner() const = 0;
  // The peer has proven that it may use the server, by the token: it is no stranger any more [wire.shares]. For the
  // handler's own thread.
  virtual void trust() = 0;
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
  std::shared_ptr<void> body_room;  // what the body takes of the server's budget [wire.bodies]
  HttpPeer* peer = nullptr;

  // First value of a header, names compared case-insensitively; nullptr when absent.
  const std::string* header(std::string_view name) const;
  // All values of it.
  std::vector<std::string> header_values(std::string_view name) const;
  // A query parameter, percent-decoded; "" when absent.
  std::string query_param(std::string_view name) const;
  // Forgets the body, whose room is then free for others. For handlers that have parsed it and go on for long.
  void drop_body();
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

  // Header lines that every answer has, whoever writes it [wire.answer-headers]: a browser must neither guess its type,
  // nor show it in a page, nor run it. A document of ours (GET /status) gets an origin of its own, which is nobody's.
  // An answer of the panel has a stricter or wider policy of its own in the place of this one [panel.entry.headers].
  static constexpr std::pair<std::string_view, std::string_view> kAlways[] = {
      {"X-Content-Type-Options", "nosniff"},
      {"Cross-Origin-Resource-Policy", "same-origin"},
      {"Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; sandbox"}};
  static const std::string& always_text();  // the same as lines of a head

  static HttpReply json(int status, std::string body);
  static HttpReply text(int status, std::string body);
  static HttpReply empty(int status);
};

}  // namespace bridle
