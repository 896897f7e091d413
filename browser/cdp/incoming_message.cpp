#include "browser/cdp/incoming_message.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

#include "browser/cdp/message.h"

namespace bridle {
namespace {

// Of a message that is dropped: its beginning has the id or the method, its end the session.
constexpr std::size_t kHead = 256;
constexpr std::size_t kTail = 256;
constexpr std::size_t kLarge = 1024 * 1024;
constexpr std::string_view kEvent = "{\"method\":\"";

std::size_t mebibytes(std::size_t bytes) { return bytes / (1024 * 1024); }

}  // namespace

std::size_t IncomingMessage::bound() const {
  return kept_.starts_with(kEvent) ? std::min(max_, limits::kCdpParsed) : max_;
}

void IncomingMessage::append(std::string_view bytes) {
  size_ += bytes.size();
  if (!over_ && size_ <= limits::kCdpParsed && size_ <= max_) return keep(bytes);
  if (kept_.size() < kEvent.size()) kept_ += bytes.substr(0, kHead);  // all came at once
  if (!over_ && size_ <= bound()) return keep(bytes);
  if (!over_) {
    over_ = true;
    tail_ = kept_.substr(kept_.size() - std::min(kept_.size(), kTail));
    kept_.resize(std::min(kept_.size(), kHead));
    kept_.shrink_to_fit();
  }
  tail_ += bytes.substr(bytes.size() - std::min(bytes.size(), kTail));
  if (tail_.size() > 2 * kTail) tail_.erase(0, tail_.size() - kTail);
}

void IncomingMessage::keep(std::string_view bytes) {
  // What is large grows once, to all the room that it may need: room that isn't used costs nothing, while a copy takes
  // the message's size again, and the allocator keeps the blocks that were outgrown.
  if (size_ > kept_.capacity() && size_ > kLarge) kept_.reserve(max_);
  kept_ += bytes;
}

std::string IncomingMessage::take() {
  auto message = over_ ? stand_in() : std::move(kept_);
  kept_ = {};
  tail_ = {};
  size_ = 0;
  over_ = false;
  return message;
}

std::string IncomingMessage::stand_in() const {
  const auto cut = scan_cut_cdp(kept_, tail_);
  if (!cut) {
    spdlog::warn("cdp: a message of {} MiB was dropped, as it is too long", mebibytes(size_));
    return {};
  }
  if (cut->kind == CdpEnvelope::Kind::event) {
    spdlog::warn("cdp: an event of {} MiB was dropped, as it is too long: {}", mebibytes(size_), cut->method);
    Json event{{"method", cut->method}, {"params", {{kDroppedBytes, size_}}}};
    // In Chromium's order of keys, which is scanned without parsing.
    return "{\"method\":\"" + std::string(cut->method) + "\",\"params\":" + dump(event["params"]) +
           (cut->session.empty() ? "" : ",\"sessionId\":\"" + std::string(cut->session) + "\"") + "}";
  }
  spdlog::warn("cdp: an answer of {} MiB was dropped, as it is too long", mebibytes(size_));
  return dump({{"error",
                {{"code", -32000},
                 {"message", "the answer has " + std::to_string(mebibytes(size_)) + " MiB, and no more than " +
                                 std::to_string(mebibytes(max_)) + " MiB are read. Ask for less"}}},
               {"id", cut->id}});
}

}  // namespace bridle
