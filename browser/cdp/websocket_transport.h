#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "base/concurrency/call_context.h"
#include "base/concurrency/sync.h"
#include "base/concurrency/wake_fd.h"
#include "base/limits.h"
#include "base/net/transfer.h"
#include "browser/cdp/transport.h"
#include "browser/cdp/websocket_frames.h"

namespace bridle {

// CDP over a WebSocket to a browser that runs already (RFC 6455 over libcurl's connection, so that https and wss work
// too). Threads as of CdpTransport.
class WebSocketTransport : public CdpTransport {
 public:
  // `endpoint`: http(s)://HOST:PORT, whose /json/version names the WebSocket, or ws(s)://... itself. Throws
  // LaunchError, saying what to do; the words leave out path and query, which may be secret. An abort ends the attempt
  // within a second.
  struct Settings {
    std::vector<std::string> headers{};    // "Name: value", sent with each request; never told
    Millis timeout = limits::kCdpConnect;  // of each step: the connection, an answer, the handshake
  };
  static std::unique_ptr<WebSocketTransport> connect(const CallContext& ctx, const std::string& endpoint,
                                                     const Settings& settings);
  static std::unique_ptr<WebSocketTransport> connect(const CallContext& ctx, const std::string& endpoint) {
    return connect(ctx, endpoint, {});
  }
  ~WebSocketTransport() override;

  // The target id of the page that was in front last in the browser at `endpoint`, by its /json/list; "" when it tells
  // of none. No page is touched. Throws Aborted, and LaunchError of an endpoint that is none.
  static std::string latest_page(const CallContext& ctx, const std::string& endpoint, const Settings& settings);

  bool send(std::string_view message) override;
  std::optional<std::string> receive() override;
  void close() override;
  std::string close_reason() const override;

 private:
  explicit WebSocketTransport(std::unique_ptr<net::Connection> connection);

  bool flush_locked() REQUIRES(mutex_);  // false: the connection is broken
  void end_locked(const std::string& reason) REQUIRES(mutex_);
  bool read_some();  // false: the connection ended
  std::optional<std::string> next_message();

  const WakeFd wake_;
  int socket_ = -1;  // the connection's
  std::atomic<bool> closed_{false};
  ws::FrameReader frames_;  // the reader's, as is the rest
  std::string chunk_;
  bool more_ = false;  // over TLS, what libcurl holds decrypted shows on no socket: ask until there is no more

  mutable Mutex mutex_;
  std::unique_ptr<net::Connection> connection_ GUARDED_BY(mutex_);  // its calls must not overlap
  ws::FrameWriter writer_ GUARDED_BY(mutex_);
  std::string outgoing_ GUARDED_BY(mutex_);  // what the socket hasn't taken yet
  std::string reason_ GUARDED_BY(mutex_);
};

}  // namespace bridle
