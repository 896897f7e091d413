#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace bridle {

// What a transport reads at once, in bytes.
inline constexpr std::size_t kTransportReadChunk = 256 * 1024;
// A browser that takes no bytes while this much waits is stuck for good.
inline constexpr std::size_t kTransportOutgoingLimit = 64 * 1024 * 1024;

// The seam between CDP and the bytes under it: a pipe to our own Chromium, a WebSocket to somebody's, or a fake in
// tests. One message a call, without the delimiter.
//
// Threads: send() and close() from any thread; receive() from one (the connection's reader) only.
class CdpTransport {
 public:
  virtual ~CdpTransport() = default;

  // Queues a message and writes as much as the peer takes. Never blocks [why.cdp-writes-never-block]. False when
  // closed.
  virtual bool send(std::string_view message) = 0;
  // Blocks for the next message; nullopt once the transport is closed. Also flushes what send() left over.
  virtual std::optional<std::string> receive() = 0;
  // Ends receive(), now and for ever. Idempotent.
  virtual void close() = 0;
  // Why it ended, in words for an error; empty while open.
  virtual std::string close_reason() const = 0;
};

}  // namespace bridle
