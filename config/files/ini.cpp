#include "config/files/ini.h"

#include <stdexcept>
#include <string>

#include "base/text/text.h"

namespace bridle {
namespace {

// What stands before an unquoted comment.
std::string_view without_comment(std::string_view value) {
  for (std::size_t i = 0; i < value.size(); ++i) {
    const bool begins = value[i] == ';' || value[i] == '#';
    if (begins && (i == 0 || value[i - 1] != '\\')) return trimmed(value.substr(0, i));
  }
  return value;
}

std::string value_of(std::string_view text) {
  const bool quoted = text.size() >= 2 && text.front() == text.back() && (text.front() == '"' || text.front() == '\'');
  if (!quoted) return std::string(without_comment(text));
  const auto json = text.front() == '"' ? nlohmann::json::parse(text, nullptr, false) : nlohmann::json();
  return json.is_string() ? json.get<std::string>() : std::string(text.substr(1, text.size() - 2));
}

}  // namespace

nlohmann::json parse_ini(std::string_view text) {
  auto out = nlohmann::json::object();
  std::string section;
  for (int number = 1; !text.empty(); ++number) {
    const auto refuse = [number](const char* why) {
      throw std::invalid_argument("line " + std::to_string(number) + " " + why);
    };
    const auto line = trimmed(take_until(text, '\n'), " \t\r");
    if (line.empty() || line.front() == ';' || line.front() == '#') continue;
    if (line.front() == '[') {
      if (line.back() != ']') refuse("opens a section that it doesn't close");
      section = trimmed(line.substr(1, line.size() - 2));
      continue;
    }
    const auto equals = line.find('=');
    auto key = trimmed(line.substr(0, equals));
    const bool in_list = key.ends_with("[]");
    if (in_list) key = trimmed(key.substr(0, key.size() - 2));
    if (key.empty()) refuse("has no key before its =");
    auto* at = &out;
    for (const auto& part : split(section + "." + std::string(key), '.')) {
      if (at->is_null()) *at = nlohmann::json::object();
      if (!at->is_object()) refuse("goes below a key that has a value");
      at = &(*at)[part];
    }
    const std::string value =
        equals == std::string_view::npos ? "true" : value_of(trimmed(line.substr(equals + 1), " \t\r"));
    if (!in_list) {
      if (at->is_object()) refuse("gives a value to a key that has keys below it");
      *at = value;
      continue;
    }
    if (at->is_null()) *at = nlohmann::json::array();
    if (!at->is_array()) refuse("adds to a key that has a value");
    at->push_back(value);
  }
  return out;
}

}  // namespace bridle
