#pragma once

#include <cstddef>
#include <string>

namespace bridle {

// `bytes` from the system's CSPRNG (getrandom), as base64url text without padding: visible ASCII, 8 bits a byte of
// entropy. Throws std::system_error when the system has none to give.
std::string random_token(std::size_t bytes);
// The same, as they are.
std::string random_bytes(std::size_t bytes);

}  // namespace bridle
