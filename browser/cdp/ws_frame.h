#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

// RFC 6455, the client's half: frames and the opening handshake, as pure functions over bytes.
namespace bridle::ws {

// The peer broke RFC 6455, or sent more than is taken: the connection must be failed (7.1.7).
class ProtocolError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class Opcode : std::uint8_t { continuation = 0, text = 1, binary = 2, close = 8, ping = 9, pong = 10 };

// A whole message, or a control frame.
struct Message {
  Opcode opcode;  // never continuation
  std::string payload;
};

// One final frame, masked as every frame of a client must be (5.3).
std::string encode_frame(Opcode opcode, std::string_view payload, std::array<std::uint8_t, 4> mask);
// A close frame's payload (5.5.1).
std::string close_payload(std::uint16_t code, std::string_view reason);

// Reads what a server sends: unmasked frames, messages in fragments, control frames between those. Not shared between
// threads.
class FrameReader {
 public:
  // `max_message`: bytes of one message, all fragments together.
  explicit FrameReader(std::size_t max_message) : max_message_(max_message) {}

  void feed(std::string_view bytes) { buffer_.append(bytes); }
  // The next whole message; nullopt until there is more to read. Throws ProtocolError; the reader is of no use then.
  std::optional<Message> next();

 private:
  struct Header {
    bool final = false;
    Opcode opcode{};
    std::size_t size = 0;    // of the payload
    std::size_t length = 0;  // of the header itself
  };
  std::optional<Header> read_header() const;
  void check(const Header& header) const;
  void drop_consumed();

  const std::size_t max_message_;
  std::string buffer_;
  std::size_t consumed_ = 0;  // start of the first unread frame
  std::optional<Opcode> fragmented_;
  std::string fragments_;
};

std::string base64(std::string_view bytes);
// Sec-WebSocket-Accept for a key (4.2.2).
std::string accept_for(std::string_view key);
// A key from 16 random bytes (4.1).
std::string key_from(const std::array<std::uint8_t, 16>& random);
// The client's opening handshake. `authorization` "" sends none.
std::string handshake_request(std::string_view host_and_port, std::string_view target, std::string_view key,
                              std::string_view authorization);
// Checks the server's answer, a whole head up to and with its empty line. Throws ProtocolError with what the server
// answered.
void check_handshake(std::string_view head, std::string_view key);

}  // namespace bridle::ws
