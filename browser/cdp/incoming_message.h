#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/limits.h"

namespace bridle {

// One CDP message while its bytes arrive. One that is over its bound is not kept: it is read to its end, and a short
// message stands in for it, so that only what waits for it fails [tool.large-message]. An event is bounded by
// limits::kCdpParsed, as whoever takes it parses it whole; a reply by `max`. Not shared between threads.
//
// What stands in: for a reply an error of the same id, whose words tell the size; for an event one of the same method
// and session, whose params are {"droppedBytes": N}; nothing for what is neither.
class IncomingMessage {
 public:
  explicit IncomingMessage(std::size_t max = limits::kCdpMessage) : max_(max) {}

  void append(std::string_view bytes);
  // The message that has ended, or what stands in for it; "" for nothing. The next one begins.
  std::string take();

  static constexpr const char* kDroppedBytes = "droppedBytes";

 private:
  void keep(std::string_view bytes);
  std::size_t bound() const;
  std::string stand_in() const;

  const std::size_t max_;
  std::string kept_;  // the whole message; its beginning, once it is over the bound
  std::string tail_;  // its end, then
  std::size_t size_ = 0;
  bool over_ = false;
};

}  // namespace bridle
