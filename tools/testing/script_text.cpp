#include "tools/testing/script_text.h"

#include <spdlog/fmt/fmt.h>

#include <string_view>

namespace bridle::script {

// As a string of JavaScript in single quotes; a line of the script stays one.
std::string literal(const std::string& text) {
  const auto json = dump(Json(text));
  std::string out = "'";
  for (std::size_t i = 1; i + 1 < json.size(); ++i) {
    if (json[i] == '\\' && json[i + 1] == '"') {
      out += '"';
      ++i;
    } else if (json[i] == '\\') {
      out += json[i];
      out += json[++i];
    } else if (json[i] == '\'') {
      out += "\\'";
    } else {
      out += json[i];
    }
  }
  return out + "'";
}

// A text as part of a regular expression of JavaScript.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("\\^$.*+?()[]{}|/").find(c) != std::string_view::npos) out += '\\';
    if (c == '\n') {
      out += "\\s+";
    } else {
      out += c;
    }
  }
  return out;
}

std::string number(const Json& value) {
  return value.is_number_integer() ? value.dump() : fmt::format("{:g}", value.get<double>());
}

// {button: 'right', clickCount: 2, ...} of what differs from the default, or "".
std::string options_of(const std::vector<std::string>& parts) {
  std::string out;
  for (const auto& part : parts) out += (out.empty() ? "" : ", ") + part;
  return out.empty() ? "" : "{ " + out + " }";
}

std::string point(const Json& at) { return fmt::format("{{ x: {}, y: {} }}", number(at["x"]), number(at["y"])); }

}  // namespace bridle::script
