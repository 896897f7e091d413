#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/concurrency/deadline.h"
#include "base/limits.h"
#include "server/calls/stream/reply_stream.h"
#include "server/http/messages/message.h"

// Server-sent events: from a reply stream to the wire.
namespace bridle {

// One frame as an event. `id` empty: none.
std::string sse_event(const Frame& frame, const std::string& id);
// An event with an id and empty data, which primes the client to resume from here, and says how soon (SEP-1699).
std::string sse_priming(const std::string& id);

struct SseOptions {
  std::string stream_name{};     // set: events carry ids, and the stream starts with a priming event
  std::uint64_t after = 0;       // where a resumed stream goes on
  std::optional<Frame> first{};  // taken from the reader already
  Millis keep_alive = limits::kKeepAlive;
  std::function<void()> on_idle{};  // when nothing was sent for keep_alive
  Clock::time_point late{};         // when to call on_late, once, if the stream is still open
  std::function<void()> on_late{};  // set: see above
};
enum class SseEnd {
  finished,   // the reply stream is over, or the reader was interrupted
  replaced,   // a newer reader took over
  peer_gone,  // the peer takes no more bytes
};
// Writes until the end. On the connection's thread.
SseEnd pump_sse(ReplyStream::Reader& reader, HttpStream& out, const SseOptions& options);

// Open event streams, for /status: counts one while it lives.
class StreamCount {
 public:
  explicit StreamCount(std::atomic<long>& count) : count_(count) { ++count_; }
  ~StreamCount() { --count_; }
  StreamCount(const StreamCount&) = delete;
  StreamCount& operator=(const StreamCount&) = delete;

 private:
  std::atomic<long>& count_;
};

// An answer of status 200 whose body `write` streams as events.
HttpReply sse_reply(std::function<void(HttpStream&)> write);

}  // namespace bridle
