#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "browser/cdp/incoming_message.h"

struct wslay_event_context;

// RFC 6455's frames, the client's half, by libwslay: bytes in, messages out, without a socket.
namespace bridle::ws {

inline constexpr std::uint16_t kNormalClosure = 1000;  // 7.4.1
inline constexpr std::uint16_t kProtocolError = 1002;

// The peer broke RFC 6455: the connection must be failed (7.1.7), with a close frame of this code.
class ProtocolError : public std::runtime_error {
 public:
  explicit ProtocolError(const std::string& words, std::uint16_t close_code = kProtocolError)
      : std::runtime_error(words), code(close_code) {}
  const std::uint16_t code;
};

struct ContextDeleter {
  void operator()(wslay_event_context* context) const;
};
using Context = std::unique_ptr<wslay_event_context, ContextDeleter>;

// Makes the frames that we send: final, and masked with fresh random bytes as every frame of a client must be (5.3).
// Not shared between threads.
class FrameWriter {
 public:
  FrameWriter();
  FrameWriter(const FrameWriter&) = delete;
  FrameWriter& operator=(const FrameWriter&) = delete;

  // The frame's bytes; "" after close().
  std::string text(std::string_view message);
  std::string close(std::uint16_t code);

 private:
  std::string queued(std::uint8_t opcode, std::string_view payload);
  Context context_;
  std::string frames_;
};

// Reads what a server sends: messages in fragments, control frames in between. Answers pings and closes itself. Not
// shared between threads.
class FrameReader {
 public:
  // `max_message`: bytes of one message, all fragments together. A longer one is not kept: see IncomingMessage.
  explicit FrameReader(std::size_t max_message);
  FrameReader(const FrameReader&) = delete;
  FrameReader& operator=(const FrameReader&) = delete;

  void feed(std::string_view bytes);
  // The next whole text message; nullopt until there is more to read. Messages of other kinds are dropped. Throws
  // ProtocolError when what came after the last good message broke the rules; the reader is of no use then.
  std::optional<std::string> next();
  // Frames to be sent now: pongs, and the answer to a close.
  std::string take_replies();
  // The server closed: nothing comes after the messages that next() still has.
  bool closed() const;

 private:
  struct Callbacks;
  Context context_;
  std::string_view unread_;  // of the bytes being fed
  IncomingMessage message_;  // the text message that has not ended yet
  bool is_text_ = false;     // it is one: messages of other kinds are dropped
  bool in_text_ = false;     // the frame that arrives now is part of it
  std::deque<std::string> messages_;
  std::string replies_;
  std::optional<ProtocolError> failure_;
};

}  // namespace bridle::ws
