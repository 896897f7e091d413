#pragma once

#include <string>
#include <string_view>

// Digests, by OpenSSL's libcrypto. Pure functions; they throw std::runtime_error when libcrypto can't serve.
namespace bridle {

std::string sha1(std::string_view data);    // 20 raw bytes; for RFC 6455's handshake, never for secrecy
std::string sha256(std::string_view data);  // 32 raw bytes
std::string hmac_sha256(std::string_view key, std::string_view data);

// Compares in a time that depends on the lengths only.
bool equal_constant_time(std::string_view a, std::string_view b) noexcept;

}  // namespace bridle
