#include <vector>

#include "base/text/codecs.h"
#include "browser/cdp/websocket_frames.h"
#include "browser/cdp/websocket_handshake.h"
#include "tests/support/catch.h"

using namespace bridle::ws;
using matchers::Contains;
using namespace std::string_literals;

namespace {

constexpr std::size_t kLimit = 1 << 20;

// A frame as a server sends it: unmasked.
std::string server_frame(unsigned opcode, const std::string& payload, bool final = true) {
  std::string frame(1, static_cast<char>((final ? 0x80U : 0U) | opcode));
  if (payload.size() < 126) {
    frame.push_back(static_cast<char>(payload.size()));
  } else if (payload.size() <= 0xFFFF) {
    frame.push_back(126);
    frame.push_back(static_cast<char>(payload.size() >> 8));
    frame.push_back(static_cast<char>(payload.size() & 0xFF));
  } else {
    frame.push_back(127);
    for (int shift = 56; shift >= 0; shift -= 8) frame.push_back(static_cast<char>((payload.size() >> shift) & 0xFF));
  }
  return frame + payload;
}

// What the reader makes of `bytes`, fed in pieces of `step`.
struct Outcome {
  std::vector<std::string> messages{};
  std::string replies{};  // frames, masked
  bool closed = false;
};

Outcome read(const std::string& bytes, std::size_t step, std::size_t limit = kLimit) {
  FrameReader reader(limit);
  Outcome outcome;
  for (std::size_t at = 0; at < bytes.size(); at += step) {
    reader.feed(std::string_view(bytes).substr(at, step));
    outcome.replies += reader.take_replies();
    while (auto message = reader.next()) outcome.messages.push_back(std::move(*message));
  }
  outcome.closed = reader.closed();
  return outcome;
}

// A frame of ours, taken apart.
struct Sent {
  int opcode = 0;
  std::string mask{};
  std::string payload{};
  std::size_t size = 0;  // of the whole frame
};

Sent take_apart(std::string_view frame) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(frame.at(i)); };
  REQUIRE((byte(0) & 0xF0) == 0x80);  // final, no extension
  REQUIRE((byte(1) & 0x80) != 0);     // masked
  std::size_t size = byte(1) & 0x7FU;
  std::size_t at = 2;
  if (size >= 126) {
    const std::size_t bytes = size == 126 ? 2 : 8;
    size = 0;
    for (std::size_t i = 0; i < bytes; ++i) size = size << 8 | byte(at++);
  }
  Sent sent{byte(0) & 0x0F, std::string(frame.substr(at, 4)), {}, at + 4 + size};
  for (std::size_t i = 0; i < size; ++i) {
    sent.payload += static_cast<char>(byte(at + 4 + i) ^ static_cast<unsigned char>(sent.mask[i % 4]));
  }
  return sent;
}

// How `bytes` fail: the words and the code to close with.
std::string failure(const std::string& bytes, std::size_t limit = kLimit) {
  try {
    read(bytes, bytes.size(), limit);
  } catch (const ProtocolError& error) {
    return std::to_string(error.code) + " " + error.what();
  }
  return "read";
}

}  // namespace

TEST_CASE("the handshake's answer is bound to the key (RFC 6455, 1.3)", "[ws]") {
  CHECK(accept_for("dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
  // 16 bytes, different each time.
  CHECK(bridle::from_base64(make_key()).value().size() == 16);
  CHECK(make_key() != make_key());
}

TEST_CASE("the handshake's request", "[ws]") {
  const auto request = handshake_request("localhost:9222", "/devtools/browser/x?a=b", "KEY", {});
  CHECK(request.starts_with("GET /devtools/browser/x?a=b HTTP/1.1\r\nHost: localhost:9222\r\n"));
  CHECK_THAT(request, Contains("\r\nUpgrade: websocket\r\n") && Contains("\r\nConnection: Upgrade\r\n") &&
                          Contains("\r\nSec-WebSocket-Key: KEY\r\n") && Contains("\r\nSec-WebSocket-Version: 13\r\n") &&
                          !Contains("Origin") && !Contains("Authorization"));
  CHECK(request.ends_with("\r\n\r\n"));
  CHECK_THAT(handshake_request("h", "/", "K", {"Authorization: Basic eA==", "X-Key: y"}),
             Contains("\r\nAuthorization: Basic eA==\r\nX-Key: y\r\n\r\n"));
}

TEST_CASE("the handshake's answer is checked", "[ws]") {
  const std::string key = "dGhlIHNhbXBsZSBub25jZQ==";
  const std::string good =
      "HTTP/1.1 101 Switching Protocols\r\nupgrade: WebSocket\r\nConnection: keep-alive, Upgrade\r\n"
      "Sec-WebSocket-Accept:  s3pPLMBiTxaQ9kYGzzhZRbK+xOo= \r\n\r\n";
  CHECK_NOTHROW(check_handshake(good, key));
  CHECK_THROWS_WITH(check_handshake(good, "another"), Contains("WebSocket server"));
  CHECK_THROWS_WITH(check_handshake("HTTP/1.1 403 Forbidden\r\n\r\n", key), Contains("403 Forbidden"));
  CHECK_THROWS_WITH(check_handshake("HTTP/1.1 101 X\r\n\r\n", key), Contains("WebSocket server"));
  CHECK_THROWS_WITH(check_handshake("", key), Contains("answered"));
  auto extended = good;
  extended.insert(extended.size() - 2, "Sec-WebSocket-Extensions: permessage-deflate\r\n");
  CHECK_THROWS_WITH(check_handshake(extended, key), Contains("extension"));
}

TEST_CASE("what we send is masked, and as short as it can be", "[ws]") {
  FrameWriter writer;
  for (const std::size_t size : {0U, 1U, 125U, 126U, 127U, 65535U, 65536U, 70000U}) {
    const std::string message(size, 'x');
    const auto frame = writer.text(message);
    const auto sent = take_apart(frame);
    const std::size_t header = size < 126 ? 6 : size <= 0xFFFF ? 8 : 14;
    CAPTURE(size);
    CHECK(frame.size() == size + header);
    CHECK(sent.size == frame.size());
    CHECK(sent.opcode == 1);
    CHECK(sent.payload == message);
  }
  CHECK(take_apart(writer.text("a")).mask != take_apart(writer.text("a")).mask);
  const auto last = take_apart(writer.close(kNormalClosure));
  CHECK(last.opcode == 8);
  CHECK(last.payload == "\x03\xe8"s);
  CHECK(writer.text("late").empty());
}

TEST_CASE("messages of every length, in pieces of any size", "[ws]") {
  for (const std::size_t size : {0U, 1U, 125U, 126U, 127U, 65535U, 65536U, 200000U}) {
    std::string payload;
    for (std::size_t i = 0; i < size; ++i) payload.push_back(static_cast<char>('a' + i % 26));
    const auto bytes = server_frame(1, payload) + server_frame(1, "next");
    for (const std::size_t step : {std::size_t{1}, std::size_t{3}, std::size_t{4096}, bytes.size()}) {
      if (step == 1 && size > 70000) continue;
      CAPTURE(size, step);
      const auto messages = read(bytes, step).messages;
      REQUIRE(messages.size() == 2);
      CHECK(messages[0] == payload);
      CHECK(messages[1] == "next");
    }
  }
}

TEST_CASE("fragments are joined; control frames in between are answered", "[ws]") {
  const auto bytes = server_frame(1, "one ", false) + server_frame(9, "ping") + server_frame(0, "two ", false) +
                     server_frame(10, "") + server_frame(0, "three") + server_frame(8, "\x03\xe9gone"s) +
                     server_frame(1, "late");
  for (const std::size_t step : {std::size_t{1}, bytes.size()}) {
    const auto outcome = read(bytes, step);
    CHECK(outcome.messages == std::vector<std::string>{"one two three"});
    CHECK(outcome.closed);
    auto replies = outcome.replies;
    if (step == 1) {  // a ping that arrives together with the close needs no pong any more (5.5.2)
      const auto pong = take_apart(replies);
      CHECK(pong.opcode == 10);
      CHECK(pong.payload == "ping");
      replies.erase(0, pong.size);
    }
    const auto close = take_apart(replies);
    CHECK(close.opcode == 8);
    CHECK(close.payload.starts_with("\x03\xe9"));
    CHECK(close.size == replies.size());
  }
}

TEST_CASE("a message that isn't text is dropped", "[ws]") {
  CHECK(read(server_frame(2, "\xff") + server_frame(1, "a"), 100).messages == std::vector<std::string>{"a"});
}

TEST_CASE("what breaks the protocol is refused, after the messages before it", "[ws]") {
  const std::vector<std::pair<const char*, std::string>> broken{
      {"an extension that was not agreed on", "\xC1\x00"s},
      {"masked", "\x81\x80zzzz"s},
      {"an unknown opcode", "\x83\x00"s},
      {"an unknown control opcode", "\x8B\x00"s},
      {"a fragmented control frame", "\x09\x00"s},
      {"a control frame that is too long", "\x89\x7E\x00\x7E"s + std::string(126, 'x')},
      {"a continuation of nothing", server_frame(0, "x")},
      {"a message within another", server_frame(1, "x", false) + server_frame(1, "y")},
      {"a length that is not in its short form", "\x81\x7E\x00\x05hello"s},
      {"a longer one", "\x81\x7F\x00\x00\x00\x00\x00\x00\xFF\xFF"s},
      {"a length of more than 63 bits", "\x81\x7F\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"s}};
  for (const auto& [what, bytes] : broken) {
    CAPTURE(what);
    CHECK(failure(bytes) == "1002 a frame breaks RFC 6455");
    FrameReader reader(kLimit);
    reader.feed(server_frame(1, "good") + bytes);
    CHECK(reader.next() == "good");
    CHECK_THROWS_AS(reader.next(), ProtocolError);
    CHECK(reader.take_replies().empty());  // whoever catches it closes
    reader.feed(server_frame(1, "late"));
    CHECK_THROWS_AS(reader.next(), ProtocolError);
  }
  CHECK(failure(server_frame(1, "\xff")) == "1007 a text message is not UTF-8");
}

TEST_CASE("a message that is too long is dropped to its end, fragments together, and the next ones are read",
          "[ws] [tool.large-message]") {
  const auto long_reply = "{\"id\":7,\"result\":{\"a\":\"" + std::string(300, 'x') + "\"}}";
  const auto reads = [](const std::string& bytes) {
    const auto whole = read(bytes, bytes.size(), 200).messages;
    CHECK(read(bytes, 1, 200).messages == whole);
    return whole;
  };
  const auto next = server_frame(1, "next");
  CHECK(reads(server_frame(1, std::string(200, 'x'))) == std::vector{std::string(200, 'x')});
  CHECK(reads(server_frame(1, std::string(201, 'x')) + next) == std::vector{""s, "next"s});
  const auto half = server_frame(1, std::string(100, 'x'), false);
  CHECK(reads(half + server_frame(0, std::string(100, 'x'))) == std::vector{std::string(200, 'x')});
  CHECK(reads(half + server_frame(9, "ping") + server_frame(0, std::string(101, 'x')) + next) ==
        std::vector{""s, "next"s});
  CHECK(reads(half + server_frame(0, std::string(100, 'x'), false) + server_frame(0, "x") + next) ==
        std::vector{""s, "next"s});
  for (const auto& bytes : {server_frame(1, long_reply),
                            server_frame(1, long_reply.substr(0, 3), false) + server_frame(0, long_reply.substr(3))}) {
    const auto messages = reads(bytes + next);
    REQUIRE(messages.size() == 2);
    CHECK_THAT(messages[0], Contains("\"error\"") && Contains("\"id\":7"));
    CHECK(messages[1] == "next");
  }
  // A length that a peer only claims costs nothing.
  CHECK(read("\x81\x7F\x00\x00\x0F\xFF\xFF\xFF\xFF\xFFx"s, 100, 200).messages.empty());
}
