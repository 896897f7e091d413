#pragma once

#include <string>
#include <string_view>

namespace bridle {

// SHA-256 (FIPS 180-4) and HMAC (RFC 2104) over it, as 32 raw bytes.
std::string sha256(std::string_view data);
std::string hmac_sha256(std::string_view key, std::string_view data);
// Compares in a time that depends on the lengths only.
bool equal_constant_time(std::string_view a, std::string_view b) noexcept;

}  // namespace bridle
