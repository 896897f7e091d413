#include "base/base64.h"

#include <cstdint>

namespace bridle {

std::string base64(std::string_view bytes) {
  constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const auto byte = [&](std::size_t i) {
      return at + i < bytes.size() ? static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at + i])) : 0U;
    };
    const std::uint32_t three = byte(0) << 16 | byte(1) << 8 | byte(2);
    out += kAlphabet[three >> 18];
    out += kAlphabet[(three >> 12) & 63];
    out += at + 1 < bytes.size() ? kAlphabet[(three >> 6) & 63] : '=';
    out += at + 2 < bytes.size() ? kAlphabet[three & 63] : '=';
  }
  return out;
}

}  // namespace bridle
