#include <vector>

#include "browser/cdp/ws_frame.h"
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
std::vector<Message> read(const std::string& bytes, std::size_t step, std::size_t limit = kLimit) {
  FrameReader reader(limit);
  std::vector<Message> found;
  for (std::size_t at = 0; at < bytes.size(); at += step) {
    reader.feed(std::string_view(bytes).substr(at, step));
    while (auto message = reader.next()) found.push_back(std::move(*message));
  }
  return found;
}

std::string failure(const std::string& bytes, std::size_t limit = kLimit) {
  try {
    read(bytes, bytes.size(), limit);
  } catch (const ProtocolError& error) {
    return error.what();
  }
  return "read";
}

}  // namespace

TEST_CASE("the handshake's answer is bound to the key (RFC 6455, 1.3)", "[ws]") {
  CHECK(accept_for("dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
  std::array<std::uint8_t, 16> bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i + 1);
  CHECK(key_from(bytes) == "AQIDBAUGBwgJCgsMDQ4PEA==");
  CHECK(base64("f") == "Zg==");
  CHECK(base64("fo") == "Zm8=");
  CHECK(base64("foo") == "Zm9v");
  CHECK(base64("").empty());
}

TEST_CASE("the handshake's request", "[ws]") {
  const auto request = handshake_request("localhost:9222", "/devtools/browser/x?a=b", "KEY", "");
  CHECK(request.starts_with("GET /devtools/browser/x?a=b HTTP/1.1\r\nHost: localhost:9222\r\n"));
  CHECK_THAT(request, Contains("\r\nUpgrade: websocket\r\n") && Contains("\r\nConnection: Upgrade\r\n") &&
                          Contains("\r\nSec-WebSocket-Key: KEY\r\n") && Contains("\r\nSec-WebSocket-Version: 13\r\n") &&
                          !Contains("Origin") && !Contains("Authorization"));
  CHECK(request.ends_with("\r\n\r\n"));
  CHECK_THAT(handshake_request("h", "/", "K", "Basic eA=="), Contains("\r\nAuthorization: Basic eA==\r\n"));
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
  CHECK(encode_frame(Opcode::text, "Hello", {0x37, 0xfa, 0x21, 0x3d}) ==
        "\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58"s);  // RFC 6455, 5.7
  CHECK(encode_frame(Opcode::text, "", {1, 2, 3, 4}) == "\x81\x80\x01\x02\x03\x04"s);
  for (const std::size_t size : {125U, 126U, 127U, 65535U, 65536U, 70000U}) {
    const auto frame = encode_frame(Opcode::binary, std::string(size, 'x'), {0, 0, 0, 0});
    const std::size_t header = size < 126 ? 6 : size <= 0xFFFF ? 8 : 14;
    CAPTURE(size);
    CHECK(frame.size() == size + header);
    CHECK((static_cast<unsigned char>(frame[1]) & 0x80) != 0);
  }
  CHECK(close_payload(1000, "bye") == "\x03\xe8"s + "bye");
  CHECK(close_payload(1002, std::string(200, 'x')).size() == 125);
}

TEST_CASE("messages of every length, in pieces of any size", "[ws]") {
  for (const std::size_t size : {0U, 1U, 125U, 126U, 127U, 65535U, 65536U, 200000U}) {
    std::string payload;
    for (std::size_t i = 0; i < size; ++i) payload.push_back(static_cast<char>('a' + i % 26));
    const auto bytes = server_frame(1, payload) + server_frame(1, "next");
    for (const std::size_t step : {std::size_t{1}, std::size_t{3}, std::size_t{4096}, bytes.size()}) {
      if (step == 1 && size > 70000) continue;
      CAPTURE(size, step);
      const auto messages = read(bytes, step);
      REQUIRE(messages.size() == 2);
      CHECK(messages[0].opcode == Opcode::text);
      CHECK(messages[0].payload == payload);
      CHECK(messages[1].payload == "next");
    }
  }
}

TEST_CASE("fragments are joined; control frames come through in between", "[ws]") {
  const auto bytes = server_frame(1, "one ", false) + server_frame(9, "ping") + server_frame(0, "two ", false) +
                     server_frame(10, "") + server_frame(0, "three") + server_frame(8, close_payload(1001, "gone"));
  for (const std::size_t step : {std::size_t{1}, bytes.size()}) {
    const auto messages = read(bytes, step);
    REQUIRE(messages.size() == 4);
    CHECK(messages[0].opcode == Opcode::ping);
    CHECK(messages[0].payload == "ping");
    CHECK(messages[1].opcode == Opcode::pong);
    CHECK(messages[2].opcode == Opcode::text);
    CHECK(messages[2].payload == "one two three");
    CHECK(messages[3].opcode == Opcode::close);
  }
}

TEST_CASE("what breaks the protocol is refused", "[ws]") {
  CHECK_THAT(failure("\xC1\x00"s), Contains("extension"));
  CHECK_THAT(failure("\x81\x80zzzz"s), Contains("masked"));
  CHECK_THAT(failure("\x83\x00"s), Contains("opcode"));
  CHECK_THAT(failure("\x8B\x00"s), Contains("opcode"));
  CHECK_THAT(failure("\x09\x00"s), Contains("fragmented"));
  CHECK_THAT(failure("\x89\x7E\x00\x7E"s + std::string(126, 'x')), Contains("too long"));
  CHECK_THAT(failure(server_frame(0, "x")), Contains("continues nothing"));
  CHECK_THAT(failure(server_frame(1, "x", false) + server_frame(1, "y")), Contains("within another"));
  CHECK_THAT(failure("\x81\x7E\x00\x05hello"s), Contains("short form"));
  CHECK_THAT(failure("\x81\x7F\x00\x00\x00\x00\x00\x00\xFF\xFF"s), Contains("short form"));
}

TEST_CASE("a message's size is bounded before its bytes are taken, fragments together", "[ws]") {
  CHECK(failure(server_frame(1, std::string(200, 'x')), 200) == "read");
  CHECK_THAT(failure(server_frame(1, std::string(201, 'x')), 200), Contains("size limit"));
  CHECK_THAT(failure("\x81\x7F\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"s), Contains("size limit"));
  const auto half = server_frame(1, std::string(100, 'x'), false);
  CHECK(failure(half + server_frame(0, std::string(100, 'x')), 200) == "read");
  CHECK_THAT(failure(half + server_frame(0, std::string(101, 'x')), 200), Contains("size limit"));
  CHECK_THAT(failure(half + server_frame(0, std::string(100, 'x'), false) + server_frame(0, "x"), 200),
             Contains("size limit"));
}
