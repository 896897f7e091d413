#include "server/http/messages/sse.h"

#include <algorithm>
#include <utility>

#include "server/calls/stream/replay_store.h"

namespace bridle {
namespace {
constexpr std::string_view kRetryMs = "1000";
constexpr std::string_view kKeepAliveComment = ": keep-alive\n\n";
}  // namespace

// A message is JSON on one line: no line of its own can break the event.
std::string sse_event(const Frame& frame, const std::string& id) {
  std::string out;
  out.reserve(frame.text->size() + id.size() + frame.event.size() + 32);
  if (!id.empty()) out.append("id: ").append(id).append("\n");
  out.append("event: ").append(frame.event).append("\ndata: ").append(*frame.text).append("\n\n");
  return out;
}

std::string sse_priming(const std::string& id) {
  std::string out = "id: " + id + "\nretry: ";
  return out.append(kRetryMs).append("\ndata: \n\n");
}

SseEnd pump_sse(ReplyStream::Reader& reader, HttpStream& out, const SseOptions& options) {
  const bool with_ids = !options.stream_name.empty();
  const auto id_of = [&](std::uint64_t seq) {
    return with_ids ? ReplayStore::event_id(options.stream_name, seq) : std::string();
  };
  if (with_ids && !out.write(sse_priming(id_of(options.after)))) return SseEnd::peer_gone;
  if (options.first && !out.write(sse_event(*options.first, id_of(options.first->seq)))) return SseEnd::peer_gone;
  bool waits_for_late = static_cast<bool>(options.on_late);
  for (;;) {
    Frame frame;
    Millis idle = options.keep_alive;
    if (waits_for_late) {
      const auto left = std::chrono::ceil<Millis>(options.late - Clock::now());
      if (left <= Millis(0)) {
        waits_for_late = false;
        options.on_late();
      } else {
        idle = std::min(idle, left);
      }
    }
    switch (reader.next(idle, frame)) {
      case ReplyStream::Reader::Got::ended:
        return SseEnd::finished;
      case ReplyStream::Reader::Got::replaced:
        return SseEnd::replaced;
      case ReplyStream::Reader::Got::idle:
        if (idle < options.keep_alive) break;
        if (options.on_idle) options.on_idle();
        if (!out.write(kKeepAliveComment)) return SseEnd::peer_gone;
        break;
      case ReplyStream::Reader::Got::frame:
        if (!out.write(sse_event(frame, id_of(frame.seq)))) return SseEnd::peer_gone;
        break;
    }
  }
}

HttpReply sse_reply(std::function<void(HttpStream&)> write) {
  HttpReply reply;
  reply.headers = {
      {"Content-Type", "text/event-stream"}, {"Cache-Control", "no-cache, no-transform"}, {"X-Accel-Buffering", "no"}};
  reply.stream = std::move(write);
  return reply;
}

}  // namespace bridle
