#include "base/text/digest.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>
#include <stdexcept>

namespace bridle {
namespace {

using Buffer = std::array<unsigned char, EVP_MAX_MD_SIZE>;

const unsigned char* raw(std::string_view bytes) { return reinterpret_cast<const unsigned char*>(bytes.data()); }

std::string taken(const Buffer& buffer, unsigned size) { return {reinterpret_cast<const char*>(buffer.data()), size}; }

std::string digest(const EVP_MD* kind, std::string_view data) {
  Buffer buffer;
  unsigned size = 0;
  if (EVP_Digest(data.data(), data.size(), buffer.data(), &size, kind, nullptr) != 1) {
    throw std::runtime_error("libcrypto computes no digest");
  }
  return taken(buffer, size);
}

}  // namespace

std::string sha1(std::string_view data) { return digest(EVP_sha1(), data); }

std::string sha256(std::string_view data) { return digest(EVP_sha256(), data); }

std::string hmac_sha256(std::string_view key, std::string_view data) {
  Buffer buffer;
  unsigned size = 0;
  if (HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), raw(data), data.size(), buffer.data(), &size) ==
      nullptr) {
    throw std::runtime_error("libcrypto computes no HMAC");
  }
  return taken(buffer, size);
}

bool equal_constant_time(std::string_view a, std::string_view b) noexcept {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace bridle
