#pragma once

#include <netinet/in.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "server/http/head.h"
#include "server/http/peer_watcher.h"
#include "server/http/server.h"

namespace bridle {

// Any socket address and its length.
struct SocketAddress {
  sockaddr_storage storage{};
  socklen_t size = sizeof storage;

  std::string address() const;  // numeric, without the port
  int port() const;
};

// One accepted connection: reads whole requests under the bounds of HttpServerOptions, writes answers. Reads and
// writes belong to the connection's thread; the HttpPeer half may be used from any thread.
class HttpConnection final : public HttpPeer {
 public:
  // Takes `fd`. `stop_fd` becomes readable, for good, when the server stops: it ends every read at once.
  HttpConnection(int fd, SocketAddress peer, int stop_fd, const HttpServerOptions& options, PeerWatcher& watcher);
  ~HttpConnection() override;
  HttpConnection(const HttpConnection&) = delete;
  HttpConnection& operator=(const HttpConnection&) = delete;

  enum class Read {
    request,  // head and body are whole
    refused,  // to be answered with `refusal`, then closed
    over,     // nothing to answer: the peer left, the time between requests ran out, or the server stops
  };
  // Reads the next request. Bytes behind it stay for the next call.
  Read read(HttpHead& head, std::string& body, HttpRefusal& refusal);

  // Sends all of it, waiting at most write_time for each step of progress. False, and for good, once the peer is
  // gone. `more`: further bytes follow at once.
  bool write(std::string_view bytes, bool more = false);

  // A small plain-text answer that announces the close.
  void refuse(const HttpRefusal& refusal, bool with_body);

  // Ends our side, then discards what the peer still sends until it closes too or a short time is over: closing
  // with unread bytes resets the connection, and the peer may lose the answer.
  void finish();

  // Gives the descriptor back unclosed, unused: nothing else may be called afterwards.
  void release();

  // Ends both sides under whoever uses the connection. Any thread, while the connection lives.
  void shut_down();

  // HttpPeer.
  bool closed() const override;
  std::shared_ptr<void> on_close(std::function<void()> fn) override;
  PeerUser user() const override { return user_; }
  std::string address() const override { return peer_.address(); }
  int port() const override { return peer_.port(); }

 private:
  enum class Fill { bytes, end, timeout, stopped };
  Fill fill(Deadline deadline);
  std::optional<Read> fill_more(Deadline deadline, HttpRefusal& refusal);
  Read read_head(HttpHead& head, HttpRefusal& refusal);
  Read read_body(const HttpHead& head, std::string& body, HttpRefusal& refusal);
  Read read_sized(std::size_t size, Deadline deadline, std::string& body, HttpRefusal& refusal);
  Read read_chunked(Deadline deadline, std::string& body, HttpRefusal& refusal);
  std::string_view unread() const { return std::string_view(buffer_).substr(used_); }
  void consume(std::size_t size);

  Fd fd_;
  const SocketAddress peer_;
  const int stop_fd_;
  const HttpServerOptions& options_;
  const HttpHeadLimits limits_;
  const PeerUser user_;
  const std::shared_ptr<PeerWatcher::Watch> watch_;
  std::string buffer_;  // received; [used_, end) is not consumed yet
  std::size_t used_ = 0;
  bool first_ = true;    // no request was read yet
  bool broken_ = false;  // a write failed
};

}  // namespace bridle
