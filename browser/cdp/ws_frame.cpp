#include "browser/cdp/ws_frame.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <vector>

namespace bridle::ws {
namespace {

constexpr std::size_t kControlPayload = 125;  // 5.5
constexpr std::string_view kGuid = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

bool is_control(Opcode opcode) { return (static_cast<unsigned>(opcode) & 8U) != 0; }

std::uint64_t big_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (const char c : bytes) value = (value << 8) | static_cast<std::uint8_t>(c);
  return value;
}

void append_big_endian(std::string& out, std::uint64_t value, int bytes) {
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) out.push_back(static_cast<char>((value >> shift) & 0xFF));
}

// SHA-1 (RFC 3174): what the handshake is bound to, and nothing that secrecy hangs on.
std::string sha1(std::string_view text) {
  std::array<std::uint32_t, 5> h{0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0};
  std::string data(text);
  data.push_back(static_cast<char>(0x80));
  while (data.size() % 64 != 56) data.push_back('\0');
  append_big_endian(data, text.size() * 8, 8);
  for (std::size_t block = 0; block < data.size(); block += 64) {
    std::array<std::uint32_t, 80> w{};
    for (std::size_t i = 0; i < 16; ++i) {
      w[i] = static_cast<std::uint32_t>(big_endian(std::string_view(data).substr(block + 4 * i, 4)));
    }
    for (std::size_t i = 16; i < 80; ++i) w[i] = std::rotl(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    auto [a, b, c, d, e] = h;
    for (std::size_t i = 0; i < 80; ++i) {
      std::uint32_t f = b ^ c ^ d;
      std::uint32_t k = i < 40 ? 0x6ED9EBA1 : 0xCA62C1D6;
      if (i < 20) {
        f = (b & c) | (~b & d);
        k = 0x5A827999;
      } else if (i >= 40 && i < 60) {
        f = (b & c) | (b & d) | (c & d);
        k = 0x8F1BBCDC;
      }
      const std::uint32_t next = std::rotl(a, 5) + f + e + k + w[i];
      e = d;
      d = c;
      c = std::rotl(b, 30);
      b = a;
      a = next;
    }
    h[0] += a;
    h[1] += b;
    h[2] += c;
    h[3] += d;
    h[4] += e;
  }
  std::string digest;
  for (const auto word : h) append_big_endian(digest, word, 4);
  return digest;
}

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

// A header's value without blanks around it; nullopt when it isn't there.
std::optional<std::string_view> header_value(std::string_view head, std::string_view name) {
  for (std::size_t at = head.find("\r\n"); at != std::string_view::npos && at + 2 < head.size();) {
    const auto end = std::min(head.find("\r\n", at + 2), head.size());
    const auto line = head.substr(at + 2, end - at - 2);
    at = end == head.size() ? std::string_view::npos : end;
    const auto colon = line.find(':');
    if (colon == std::string_view::npos || lower(line.substr(0, colon)) != name) continue;
    auto value = line.substr(colon + 1);
    while (value.starts_with(' ') || value.starts_with('\t')) value.remove_prefix(1);
    while (value.ends_with(' ') || value.ends_with('\t')) value.remove_suffix(1);
    return value;
  }
  return std::nullopt;
}

}  // namespace

std::string encode_frame(Opcode opcode, std::string_view payload, std::array<std::uint8_t, 4> mask) {
  std::string frame;
  frame.reserve(payload.size() + 14);
  frame.push_back(static_cast<char>(0x80 | static_cast<unsigned>(opcode)));
  if (payload.size() <= kControlPayload) {
    frame.push_back(static_cast<char>(0x80 | payload.size()));
  } else if (payload.size() <= 0xFFFF) {
    frame.push_back(static_cast<char>(0x80 | 126));
    append_big_endian(frame, payload.size(), 2);
  } else {
    frame.push_back(static_cast<char>(0x80 | 127));
    append_big_endian(frame, payload.size(), 8);
  }
  for (const auto byte : mask) frame.push_back(static_cast<char>(byte));
  for (std::size_t i = 0; i < payload.size(); ++i) {
    frame.push_back(static_cast<char>(static_cast<std::uint8_t>(payload[i]) ^ mask[i % 4]));
  }
  return frame;
}

std::string close_payload(std::uint16_t code, std::string_view reason) {
  std::string payload;
  append_big_endian(payload, code, 2);
  payload.append(reason.substr(0, kControlPayload - 2));
  return payload;
}

std::optional<FrameReader::Header> FrameReader::read_header() const {
  const auto rest = std::string_view(buffer_).substr(consumed_);
  if (rest.size() < 2) return std::nullopt;
  const auto first = static_cast<std::uint8_t>(rest[0]);
  const auto second = static_cast<std::uint8_t>(rest[1]);
  if ((first & 0x70) != 0) throw ProtocolError("a frame uses an extension that was not agreed on");
  if ((second & 0x80) != 0) throw ProtocolError("a frame of the server is masked");
  Header header{(first & 0x80) != 0, static_cast<Opcode>(first & 0x0F), second, 2};
  if (second >= 126) {
    const std::size_t bytes = second == 126 ? 2 : 8;
    if (rest.size() < 2 + bytes) return std::nullopt;
    const auto size = big_endian(rest.substr(2, bytes));
    if (size <= (bytes == 2 ? kControlPayload : 0xFFFFU))
      throw ProtocolError("a frame's length is not in its short form");
    if (size > max_message_) throw ProtocolError("a message is over the size limit");
    header.size = static_cast<std::size_t>(size);
    header.length += bytes;
  }
  check(header);
  return header;
}

void FrameReader::check(const Header& header) const {
  switch (header.opcode) {
    case Opcode::close:
    case Opcode::ping:
    case Opcode::pong:
      if (!header.final) throw ProtocolError("a control frame is fragmented");
      if (header.size > kControlPayload) throw ProtocolError("a control frame is too long");
      return;
    case Opcode::continuation:
      if (!fragmented_) throw ProtocolError("a continuation continues nothing");
      break;
    case Opcode::text:
    case Opcode::binary:
      if (fragmented_) throw ProtocolError("a message began within another");
      break;
    default:
      throw ProtocolError("a frame's opcode is unknown");
  }
  if (header.size > max_message_ - std::min(max_message_, fragments_.size())) {
    throw ProtocolError("a message is over the size limit");
  }
}

std::optional<Message> FrameReader::next() {
  for (;;) {
    const auto header = read_header();
    if (!header || buffer_.size() - consumed_ < header->length + header->size) {
      drop_consumed();
      return std::nullopt;
    }
    const auto payload = std::string_view(buffer_).substr(consumed_ + header->length, header->size);
    consumed_ += header->length + header->size;
    if (is_control(header->opcode)) return Message{header->opcode, std::string(payload)};
    if (header->final && !fragmented_) return Message{header->opcode, std::string(payload)};
    if (!fragmented_) fragmented_ = header->opcode;
    fragments_.append(payload);
    if (!header->final) continue;
    Message whole{*fragmented_, std::move(fragments_)};
    fragments_.clear();
    fragmented_.reset();
    return whole;
  }
}

void FrameReader::drop_consumed() {
  if (consumed_ == 0) return;
  buffer_.erase(0, consumed_);
  consumed_ = 0;
  // A large message must not pin its size for the life of the connection.
  constexpr std::size_t kKept = 1024 * 1024;
  if (buffer_.empty() && buffer_.capacity() > kKept) buffer_.shrink_to_fit();
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto group = bytes.substr(i, 3);
    const auto bits = big_endian(group) << (8 * (3 - group.size()));
    for (std::size_t j = 0; j < 4; ++j) out.push_back(j <= group.size() ? kAlphabet[(bits >> (18 - 6 * j)) & 63] : '=');
  }
  return out;
}

std::string accept_for(std::string_view key) { return base64(sha1(std::string(key).append(kGuid))); }

std::string key_from(const std::array<std::uint8_t, 16>& random) {
  return base64(std::string(random.begin(), random.end()));
}

std::string handshake_request(std::string_view host_and_port, std::string_view target, std::string_view key,
                              std::string_view authorization) {
  std::string request = "GET " + std::string(target) + " HTTP/1.1\r\nHost: " + std::string(host_and_port) +
                        "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: " + std::string(key) +
                        "\r\nSec-WebSocket-Version: 13\r\n";
  if (!authorization.empty()) request += "Authorization: " + std::string(authorization) + "\r\n";
  return request + "\r\n";
}

void check_handshake(std::string_view head, std::string_view key) {
  const auto status = head.substr(0, head.find("\r\n"));
  if (!status.starts_with("HTTP/1.1 101")) {
    throw ProtocolError("it answered the WebSocket handshake with \"" + std::string(status.substr(0, 100)) + "\"");
  }
  const auto upgrade = header_value(head, "upgrade");
  const auto connection = header_value(head, "connection");
  const auto accept = header_value(head, "sec-websocket-accept");
  if (!upgrade || lower(*upgrade) != "websocket" || !connection ||
      lower(*connection).find("upgrade") == std::string::npos || !accept || *accept != accept_for(key)) {
    throw ProtocolError("its answer to the WebSocket handshake is not one of a WebSocket server");
  }
  if (header_value(head, "sec-websocket-extensions")) {
    throw ProtocolError("it uses a WebSocket extension that was not offered");
  }
}

}  // namespace bridle::ws
