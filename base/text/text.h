#pragma once

#include <string>
#include <string_view>
#include <vector>

// Small helpers for text that is ASCII where it matters. Bytes beyond ASCII are left as they are, and no locale is
// asked. Pure functions.
namespace bridle {

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
constexpr char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }
std::string lower(std::string_view text);
std::string upper(std::string_view text);
bool equals_ignoring_case(std::string_view a, std::string_view b);

// Without the `blanks` at both ends.
std::string_view trimmed(std::string_view text, std::string_view blanks = " \t");

// Takes what stands before the first `separator`, and the separator, from the front of `rest`; all of it without one.
std::string_view take_until(std::string_view& rest, char separator);
// The parts between the separators, empty ones left out.
std::vector<std::string> split(std::string_view text, char separator);

// A token of HTTP (RFC 9110, 5.6.2): a method, a header's name.
bool is_token(std::string_view text);

// "1 byte", "2 bytes", "0 bytes": `one` takes an s where there isn't one.
std::string counted(std::size_t count, std::string_view one);

// Appends a code point, which is no surrogate, as UTF-8.
void append_utf8(std::string& text, unsigned code);

// How many characters UTF-8 text has: its bytes but for those that continue a character.
std::size_t characters(std::string_view utf8);

// At most the first `max` bytes of UTF-8 text, cut between two characters.
std::string_view first_bytes(std::string_view utf8, std::size_t max);

}  // namespace bridle
