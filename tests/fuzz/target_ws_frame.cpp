#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "browser/cdp/websocket_frames.h"
#include "browser/cdp/websocket_handshake.h"
#include "tests/fuzz/targets.h"

namespace bridle::fuzz {
namespace {

constexpr std::size_t kLimit = 1000;

struct Outcome {
  std::vector<std::string> messages{};
  bool failed = false;
};

Outcome read(std::string_view bytes, std::size_t step) {
  Outcome outcome;
  ws::FrameReader reader(kLimit);
  try {
    for (std::size_t at = 0; at < bytes.size(); at += step) {
      reader.feed(bytes.substr(at, step));
      while (auto message = reader.next()) {
        require(message->size() <= kLimit);  // what stands in for a longer one is short
        outcome.messages.push_back(std::move(*message));
      }
    }
  } catch (const ws::ProtocolError&) {
    outcome.failed = true;
  }
  return outcome;
}

}  // namespace

// What a WebSocket server sends, in pieces of any size: never over the limit, and the pieces make no difference; its
// answer to the handshake is taken or refused. Whether the reason in a close frame is UTF-8 is no matter: wslay looks
// at it piece by piece and leaves out the first two bytes of each, and the connection ends with that frame anyway.
void ws_frame(std::string_view bytes) {
  if (bytes.empty()) return;
  const auto step = 1 + static_cast<unsigned char>(bytes.front()) % 7U;
  const auto whole = read(bytes, bytes.size());
  const auto pieces = read(bytes, step);
  require(whole.messages == pieces.messages);
  constexpr char kCloseFrame = '\x88';
  require(whole.failed == pieces.failed || bytes.find(kCloseFrame) != std::string_view::npos);
  try {
    ws::check_handshake(bytes, "dGhlIHNhbXBsZSBub25jZQ==");
  } catch (const ws::ProtocolError&) {
  }
}

}  // namespace bridle::fuzz
