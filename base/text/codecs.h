#pragma once

#include <optional>
#include <string>
#include <string_view>

// Bytes as text and back. Pure functions.
namespace bridle {

// RFC 4648, section 4: with padding, on one line.
std::string base64(std::string_view bytes);
// The bytes, read strictly: whole groups of four, padding only at the end, no stray bits. nullopt for other text.
std::optional<std::string> from_base64(std::string_view text);

// RFC 4648, section 5, without padding. Back: nullopt for text that isn't such.
std::string base64url(std::string_view bytes);
std::optional<std::string> from_base64url(std::string_view text);

// Two lower-case digits a byte.
std::string hex(std::string_view bytes);

// `text` with %XX decoded; nullopt when an escape is malformed or hides a NUL. `plus` turns '+' into a space.
std::optional<std::string> percent_decode(std::string_view text, bool plus = false);
// The same for text that is taken as it comes: what is no escape stays as it is.
std::string percent_decode_leniently(std::string_view text, bool plus = false);
// Everything but the unreserved characters of RFC 3986 as %XX.
std::string percent_encode(std::string_view text);

}  // namespace bridle
