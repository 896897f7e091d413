#include "browser/page/input/keys.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "base/errors.h"
#include "base/text/text.h"

namespace bridle {
namespace {

struct NamedKey {
  std::string_view name;
  std::string_view code;
  int virtual_key;
  std::string_view text;
  int modifier;
  int location;
};

constexpr std::array kNamedKeys{
    NamedKey{"Enter", "Enter", 13, "\r", 0, 0},
    NamedKey{"Tab", "Tab", 9, "", 0, 0},
    NamedKey{"Escape", "Escape", 27, "", 0, 0},
    NamedKey{"Backspace", "Backspace", 8, "", 0, 0},
    NamedKey{"Delete", "Delete", 46, "", 0, 0},
    NamedKey{"Insert", "Insert", 45, "", 0, 0},
    NamedKey{"Home", "Home", 36, "", 0, 0},
    NamedKey{"End", "End", 35, "", 0, 0},
    NamedKey{"PageUp", "PageUp", 33, "", 0, 0},
    NamedKey{"PageDown", "PageDown", 34, "", 0, 0},
    NamedKey{"ArrowLeft", "ArrowLeft", 37, "", 0, 0},
    NamedKey{"ArrowUp", "ArrowUp", 38, "", 0, 0},
    NamedKey{"ArrowRight", "ArrowRight", 39, "", 0, 0},
    NamedKey{"ArrowDown", "ArrowDown", 40, "", 0, 0},
    NamedKey{" ", "Space", 32, " ", 0, 0},
    NamedKey{"CapsLock", "CapsLock", 20, "", 0, 0},
    NamedKey{"NumLock", "NumLock", 144, "", 0, 0},
    NamedKey{"ScrollLock", "ScrollLock", 145, "", 0, 0},
    NamedKey{"Pause", "Pause", 19, "", 0, 0},
    NamedKey{"ContextMenu", "ContextMenu", 93, "", 0, 0},
    NamedKey{"PrintScreen", "PrintScreen", 44, "", 0, 0},
    NamedKey{"Alt", "AltLeft", 18, "", kAltBit, 1},
    NamedKey{"Alt", "AltRight", 18, "", kAltBit, 2},
    NamedKey{"AltGraph", "AltRight", 225, "", 0, 0},
    NamedKey{"Control", "ControlLeft", 17, "", kControlBit, 1},
    NamedKey{"Control", "ControlRight", 17, "", kControlBit, 2},
    NamedKey{"Meta", "MetaLeft", 91, "", kMetaBit, 1},
    NamedKey{"Meta", "MetaRight", 92, "", kMetaBit, 2},
    NamedKey{"Shift", "ShiftLeft", 16, "", kShiftBit, 1},
    NamedKey{"Shift", "ShiftRight", 16, "", kShiftBit, 2},
    NamedKey{"Enter", "NumpadEnter", 13, "\r", 0, kKeypad},
    NamedKey{"+", "NumpadAdd", 107, "+", 0, kKeypad},
    NamedKey{"-", "NumpadSubtract", 109, "-", 0, kKeypad},
    NamedKey{"*", "NumpadMultiply", 106, "*", 0, kKeypad},
    NamedKey{"/", "NumpadDivide", 111, "/", 0, kKeypad},
    NamedKey{".", "NumpadDecimal", 110, ".", 0, kKeypad},
};

// What else people and other tools call a key, in lower case and without what joins the words.
constexpr std::array<std::pair<std::string_view, std::string_view>, 37> kOtherNames{{
    {"return", "enter"},
    {"esc", "escape"},
    {"del", "delete"},
    {"ins", "insert"},
    {"up", "arrowup"},
    {"uparrow", "arrowup"},
    {"down", "arrowdown"},
    {"downarrow", "arrowdown"},
    {"left", "arrowleft"},
    {"leftarrow", "arrowleft"},
    {"right", "arrowright"},
    {"rightarrow", "arrowright"},
    {"pgup", "pageup"},
    {"pgdn", "pagedown"},
    {"pgdown", "pagedown"},
    {"spacebar", "space"},
    {"menu", "contextmenu"},
    {"apps", "contextmenu"},
    {"prtsc", "printscreen"},
    {"break", "pause"},

    {"ctrl", "control"},
    {"ctl", "control"},
    {"controlormeta", "control"},
    // The key that on a Mac does what Control does here.
    {"cmd", "control"},
    {"command", "control"},
    {"option", "alt"},
    {"opt", "alt"},
    {"altgr", "altgraph"},
    {"super", "meta"},
    {"win", "meta"},
    {"windows", "meta"},
    {"kpenter", "numpadenter"},
    {"kpadd", "numpadadd"},
    {"kpsubtract", "numpadsubtract"},
    {"kpmultiply", "numpadmultiply"},
    {"kpdivide", "numpaddivide"},
    {"kpdecimal", "numpaddecimal"},
}};

struct PunctuationKey {
  char plain;
  char shifted;
  std::string_view code;
  int virtual_key;
};

constexpr std::array kPunctuation{
    PunctuationKey{'`', '~', "Backquote", 192},    PunctuationKey{'-', '_', "Minus", 189},
    PunctuationKey{'=', '+', "Equal", 187},        PunctuationKey{'[', '{', "BracketLeft", 219},
    PunctuationKey{']', '}', "BracketRight", 221}, PunctuationKey{'\\', '|', "Backslash", 220},
    PunctuationKey{';', ':', "Semicolon", 186},    PunctuationKey{'\'', '"', "Quote", 222},
    PunctuationKey{',', '<', "Comma", 188},        PunctuationKey{'.', '>', "Period", 190},
    PunctuationKey{'/', '?', "Slash", 191},        PunctuationKey{' ', ' ', "Space", 32},
};
constexpr std::string_view kShiftedDigits = ")!@#$%^&*(";

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

std::optional<Key> character_key(char c) {
  const std::string text(1, c);
  if (std::isalpha(static_cast<unsigned char>(c))) {
    const char letter = upper(c);
    return Key{text, std::string("Key") + letter, letter, text};
  }
  if (is_digit(c)) return Key{text, "Digit" + text, c, text};
  if (const auto at = kShiftedDigits.find(c); at != std::string_view::npos) {
    return Key{text, "Digit" + std::to_string(at), static_cast<int>('0' + at), text};
  }
  for (const auto& entry : kPunctuation) {
    if (entry.plain == c || entry.shifted == c) return Key{text, std::string(entry.code), entry.virtual_key, text};
  }
  return std::nullopt;
}

// The character that a key types while Shift is down.
char shifted(char c) {
  if (is_digit(c)) return kShiftedDigits[static_cast<std::size_t>(c - '0')];
  for (const auto& entry : kPunctuation) {
    if (entry.plain == c) return entry.shifted;
  }
  return upper(c);
}

std::string plain_name(std::string_view name) {
  std::string plain;
  for (const char c : name) {
    if (c != '_' && c != '-' && c != ' ') plain += lower(c);
  }
  return plain;
}

// F1 to F24, and the digits of the keypad.
std::optional<Key> numbered_key(const std::string& plain) {
  const auto number_after = [&](std::string_view prefix) {
    if (!plain.starts_with(prefix)) return -1;
    const auto digits = plain.substr(prefix.size());
    if (digits.empty() || digits.size() > 2 || !std::all_of(digits.begin(), digits.end(), is_digit)) return -1;
    return std::stoi(digits);
  };
  if (const int number = number_after("f"); number >= 1 && number <= 24) {
    const auto name = "F" + std::to_string(number);
    return Key{name, name, 111 + number};
  }
  if (const int number = std::max(number_after("numpad"), number_after("kp")); number >= 0 && number <= 9) {
    const auto digit = std::to_string(number);
    return Key{digit, "Numpad" + digit, 96 + number, digit, 0, kKeypad};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Key> find_key(std::string_view name) {
  if (name == "\n" || name == "\r") return find_key("Enter");
  if (name == "\t") return find_key("Tab");
  if (name.size() == 1) return character_key(name[0]);
  // Characters of other scripts have no key of their own on this keyboard: they come as text alone.
  const bool one_character = !name.empty() && (static_cast<unsigned char>(name[0]) & 0x80) != 0 &&
                             std::count_if(name.begin(), name.end(), [](char c) { return (c & 0xC0) != 0x80; }) == 1;
  if (one_character) return Key{std::string(name), "", 0, std::string(name)};

  auto plain = plain_name(name);
  if (plain.empty()) return std::nullopt;
  if (plain == "plus") return character_key('+');
  for (const auto& [other, its] : kOtherNames) {
    if (other == plain) {
      plain = its;
      break;
    }
  }
  for (const auto& entry : kNamedKeys) {
    if (plain_name(entry.name) != plain && plain_name(entry.code) != plain) continue;
    return Key{std::string(entry.name), std::string(entry.code), entry.virtual_key,
               std::string(entry.text), entry.modifier,          entry.location};
  }
  if (auto key = numbered_key(plain)) return key;
  // KeyboardEvent.code as a name: KeyA, Digit1, Minus.
  if (plain.starts_with("key") && plain.size() == 4 && std::isalpha(static_cast<unsigned char>(plain[3])))
    return character_key(plain[3]);
  if (plain.starts_with("digit") && plain.size() == 6 && is_digit(plain[5])) return character_key(plain[5]);
  for (const auto& entry : kPunctuation) {
    if (plain_name(entry.code) == plain) return character_key(entry.plain);
  }
  return std::nullopt;
}

std::vector<Key> keys_of_combination(std::string_view combination) {
  std::vector<Key> keys;
  std::string_view rest = combination;
  for (;;) {
    // A plus at the very start of what is left is the key itself: "Control++".
    const auto plus = rest.find('+', 1);
    const auto name = plus == std::string_view::npos ? rest : rest.substr(0, plus);
    const auto key = find_key(name);
    if (!key) {
      throw ToolError("\"" + std::string(name) +
                      "\" is not a key. Use a character (a, 7, ?), a name such as Enter, Tab, Escape, "
                      "Backspace, Delete, ArrowDown, PageUp, Home, F5, Space, or a combination such as Control+A.");
    }
    keys.push_back(*key);
    if (plus == std::string_view::npos) break;
    rest = rest.substr(plus + 1);
    if (rest.empty())
      throw ToolError("The key combination \"" + std::string(combination) +
                      "\" ends with a plus: name the key after it.");
  }
  int modifiers = 0;
  for (std::size_t i = 0; i + 1 < keys.size(); ++i) {
    if (keys[i].modifier == 0) {
      throw ToolError("In \"" + std::string(combination) + "\", " + keys[i].key +
                      " is not a modifier. Modifiers are Alt, Control, ControlOrMeta, Meta and Shift; press other keys "
                      "one call at a time.");
    }
    modifiers |= keys[i].modifier;
  }
  auto& last = keys.back();
  if ((modifiers & kShiftBit) != 0 && last.location == 0 && last.key.size() == 1)
    last.key = last.text = std::string(1, shifted(last.key[0]));
  return keys;
}

}  // namespace bridle
