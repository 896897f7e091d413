#pragma once

#include <netinet/in.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "server/http/body_budget.h"
#include "server/http/connection_shares.h"
#include "server/http/messages/head.h"
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

// A whole answer that refuses a request in plain text and announces the close.
std::string refusal_text(const HttpRefusal& refusal, bool with_body = true);

// One accepted connection: reads whole requests under the bounds of HttpServerOptions, writes answers. Reads and
// writes belong to the connection's thread; the HttpPeer half may be used from any thread.
class HttpConnection final : public HttpPeer {
 public:
  // Whose connection it is, and its place among the strangers' unless the peer is none.
  struct Owner {
    std::string name{};  // see HttpPeer::owner()
    std::unique_ptr<ConnectionShares::Place> place{};
  };
  // Takes `fd`. `stop_fd` becomes readable, for good, when the server stops: it ends every read at once.
  HttpConnection(int fd, SocketAddress peer, Owner owner, int stop_fd, const HttpServerOptions& options,
                 PeerWatcher& watcher);
  ~HttpConnection() override;
  HttpConnection(const HttpConnection&) = delete;
  HttpConnection& operator=(const HttpConnection&) = delete;

  enum class Read {
    request,  // the head, or the body, is whole
    refused,  // to be answered with `refusal`, then closed
    over,     // nothing to answer: the peer left, the time between requests ran out, or the server stops
  };
  // Reads the next request's head. Bytes behind it stay for the next call.
  Read read_head(HttpHead& head, HttpRefusal& refusal);
  // Reads the body that belongs to `head`, as far as `room` has bytes for it. Without it, the connection can't serve
  // another request, unless there is none.
  Read read_body(const HttpHead& head, std::string& body, BodyBudget::Reservation& room, HttpRefusal& refusal);

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
  const std::string& owner() const override { return owner_.name; }
  void trust() override { owner_.place.reset(); }
  std::string address() const override { return peer_.address(); }
  int port() const override { return peer_.port(); }

 private:
  enum class Fill { bytes, end, timeout, stopped };
  Fill fill(Deadline deadline);
  std::optional<Read> fill_more(Deadline deadline, HttpRefusal& refusal);
  Read read_sized(std::size_t size, Deadline deadline, std::string& body, BodyBudget::Reservation& room,
                  HttpRefusal& refusal);
  Read read_chunked(Deadline deadline, std::string& body, BodyBudget::Reservation& room, HttpRefusal& refusal);
  std::string_view unread() const { return std::string_view(buffer_).substr(used_); }
  void consume(std::size_t size);

  Fd fd_;
  const SocketAddress peer_;
  Owner owner_;
  const int stop_fd_;
  const HttpServerOptions& options_;
  const HttpHeadLimits limits_;
  const std::shared_ptr<PeerWatcher::Watch> watch_;
  std::string buffer_;  // received; [used_, end) is not consumed yet
  std::size_t used_ = 0;
  bool first_ = true;    // no request was read yet
  bool broken_ = false;  // a write failed
};

}  // namespace bridle
