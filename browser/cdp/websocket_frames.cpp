#include "browser/cdp/websocket_frames.h"

#include <wslay/wslay.h>

#include <limits>
#include <new>
#include <utility>

#include "base/text/random.h"

namespace bridle::ws {
namespace {

// Masks are there to keep proxies from taking a payload for a request (10.3): they must be unpredictable.
int make_mask(wslay_event_context*, std::uint8_t* mask, std::size_t size, void*) {
  try {
    random_bytes(size).copy(reinterpret_cast<char*>(mask), size);
    return 0;
  } catch (const std::exception&) {
    return -1;
  }
}

// `into`: the std::string that collects the frames.
ssize_t collect(wslay_event_context*, const std::uint8_t* bytes, std::size_t size, int, void* into) {
  static_cast<std::string*>(into)->append(reinterpret_cast<const char*>(bytes), size);
  return static_cast<ssize_t>(size);
}

Context make_context(const wslay_event_callbacks& callbacks, void* user) {
  wslay_event_context* context = nullptr;
  if (wslay_event_context_client_init(&context, &callbacks, user) != 0) throw std::bad_alloc();
  return Context(context);
}

// Why wslay gave up, by the code that it would close with.
ProtocolError failure_of(std::uint16_t code) {
  if (code == WSLAY_CODE_INVALID_FRAME_PAYLOAD_DATA) return ProtocolError("a text message is not UTF-8", code);
  return ProtocolError("a frame breaks RFC 6455");
}

}  // namespace

void ContextDeleter::operator()(wslay_event_context* context) const { wslay_event_context_free(context); }

FrameWriter::FrameWriter() {
  wslay_event_callbacks callbacks{};
  callbacks.send_callback = collect;
  callbacks.genmask_callback = make_mask;
  context_ = make_context(callbacks, &frames_);
}

std::string FrameWriter::queued(std::uint8_t opcode, std::string_view payload) {
  const wslay_event_msg message{opcode, reinterpret_cast<const std::uint8_t*>(payload.data()), payload.size()};
  if (wslay_event_queue_msg(context_.get(), &message) == WSLAY_ERR_NOMEM) throw std::bad_alloc();
  wslay_event_send(context_.get());
  return std::exchange(frames_, {});
}

std::string FrameWriter::text(std::string_view message) { return queued(WSLAY_TEXT_FRAME, message); }

std::string FrameWriter::close(std::uint16_t code) {
  const char payload[] = {static_cast<char>(code >> 8), static_cast<char>(code & 0xFF)};
  return queued(WSLAY_CONNECTION_CLOSE, {payload, sizeof payload});
}

struct FrameReader::Callbacks {
  static ssize_t take(wslay_event_context* context, std::uint8_t* into, std::size_t size, int, void* user) {
    auto& unread = static_cast<FrameReader*>(user)->unread_;
    const auto taken = unread.copy(reinterpret_cast<char*>(into), size);
    unread.remove_prefix(taken);
    if (taken > 0) return static_cast<ssize_t>(taken);
    wslay_event_set_error(context, WSLAY_ERR_WOULDBLOCK);
    return -1;
  }
  static ssize_t reply(wslay_event_context* context, const std::uint8_t* bytes, std::size_t size, int flags,
                       void* user) {
    return collect(context, bytes, size, flags, &static_cast<FrameReader*>(user)->replies_);
  }
  static void begin(wslay_event_context*, const wslay_event_on_frame_recv_start_arg* frame, void* user) {
    auto& reader = *static_cast<FrameReader*>(user);
    const auto opcode = frame->opcode;
    if (opcode == WSLAY_TEXT_FRAME || opcode == WSLAY_BINARY_FRAME) reader.is_text_ = opcode == WSLAY_TEXT_FRAME;
    reader.in_text_ = reader.is_text_ && (opcode == WSLAY_TEXT_FRAME || opcode == WSLAY_CONTINUATION_FRAME);
  }
  static void append(wslay_event_context*, const wslay_event_on_frame_recv_chunk_arg* chunk, void* user) {
    auto& reader = *static_cast<FrameReader*>(user);
    if (reader.in_text_) reader.message_.append({reinterpret_cast<const char*>(chunk->data), chunk->data_length});
  }
  static void end(wslay_event_context*, const wslay_event_on_msg_recv_arg* message, void* user) {
    auto& reader = *static_cast<FrameReader*>(user);
    if (message->opcode == WSLAY_TEXT_FRAME) reader.messages_.push_back(reader.message_.take());
  }
};

FrameReader::FrameReader(std::size_t max_message) : message_(max_message) {
  wslay_event_callbacks callbacks{};
  callbacks.recv_callback = Callbacks::take;
  callbacks.send_callback = Callbacks::reply;
  callbacks.genmask_callback = make_mask;
  callbacks.on_frame_recv_start_callback = Callbacks::begin;
  callbacks.on_frame_recv_chunk_callback = Callbacks::append;
  callbacks.on_msg_recv_callback = Callbacks::end;
  context_ = make_context(callbacks, this);
  // The bytes of a message are ours to keep or to drop; those of control frames, which are short, are kept as ever.
  wslay_event_config_set_no_buffering(context_.get(), 1);
  wslay_event_config_set_max_recv_msg_length(context_.get(), std::numeric_limits<std::int64_t>::max());
}

void FrameReader::feed(std::string_view bytes) {
  if (failure_ || closed()) return;
  unread_ = bytes;
  const int result = wslay_event_recv(context_.get());
  unread_ = {};
  const auto answered = replies_.size();
  wslay_event_send(context_.get());
  if (result == 0 && (closed() || wslay_event_get_read_enabled(context_.get()) != 0)) return;
  replies_.resize(answered);  // whoever catches the failure closes with its code
  failure_.emplace(failure_of(wslay_event_get_status_code_sent(context_.get())));
}

std::optional<std::string> FrameReader::next() {
  if (!messages_.empty()) {
    std::optional<std::string> message(std::move(messages_.front()));
    messages_.pop_front();
    return message;
  }
  if (failure_) throw ProtocolError(*failure_);
  return std::nullopt;
}

std::string FrameReader::take_replies() { return std::exchange(replies_, {}); }

bool FrameReader::closed() const { return wslay_event_get_close_received(context_.get()) != 0; }

}  // namespace bridle::ws
