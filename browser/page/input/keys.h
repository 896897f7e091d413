#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bridle {

// The bits of CDP's Input.modifiers.
inline constexpr int kAltBit = 1;
inline constexpr int kControlBit = 2;
inline constexpr int kMetaBit = 4;
inline constexpr int kShiftBit = 8;

inline constexpr int kKeypad = 3;  // KeyboardEvent.DOM_KEY_LOCATION_NUMPAD

// A key of the US keyboard, as pages and CDP know it.
struct Key {
  std::string key;   // KeyboardEvent.key
  std::string code;  // KeyboardEvent.code; "" for a character that has no key there
  int virtual_key = 0;
  std::string text{};  // what it types
  int modifier = 0;    // its bit, if it is a modifier
  int location = 0;    // KeyboardEvent.location
};

// A key by its character, its KeyboardEvent.key or code, or one of the other names that people have for it (Esc,
// Return, Ctrl, Cmd, PgDn), whatever the case and whether words are joined by _ [tool.keys.names].
std::optional<Key> find_key(std::string_view name);

// `Control+Shift+T`: modifiers, then the key, in which Shift has its effect. Throws ToolError that names what isn't a
// key or not a modifier.
std::vector<Key> keys_of_combination(std::string_view combination);

}  // namespace bridle
