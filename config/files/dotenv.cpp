#include "config/files/dotenv.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "base/text/text.h"

namespace bridle {
namespace {

bool is_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '_' || c == '.' || c == '-';
  });
}

std::string unescaped(std::string_view quoted) {
  std::string out;
  for (std::size_t i = 0; i < quoted.size(); ++i) {
    if (quoted[i] != '\\' || i + 1 == quoted.size()) {
      out += quoted[i];
      continue;
    }
    switch (const char c = quoted[++i]) {
      case 'n':
        out += '\n';
        break;
      case 'r':
        out += '\r';
        break;
      case 't':
        out += '\t';
        break;
      case '"':
      case '\\':
        out += c;
        break;
      default:
        out += '\\';
        out += c;
    }
  }
  return out;
}

// Where the closing quote is; in " one after a backslash is none.
std::size_t closing_quote(std::string_view rest) {
  for (std::size_t i = 1; i < rest.size(); ++i) {
    if (rest.front() == '"' && rest[i] == '\\') {
      ++i;
    } else if (rest[i] == rest.front()) {
      return i;
    }
  }
  return std::string_view::npos;
}

// What `# origins: ...` lists; nullopt of any other comment. Throws std::invalid_argument.
std::optional<SecretOrigins> origins_of_comment(std::string_view comment) {
  constexpr std::string_view kWord = "origins:";
  comment = trimmed(comment.substr(1));
  if (lower(comment.substr(0, kWord.size())) != kWord) return std::nullopt;
  std::string list(comment.substr(kWord.size()));
  std::replace_if(
      list.begin(), list.end(), [](char c) { return c == ',' || c == ';' || c == '\t'; }, ' ');
  SecretOrigins origins;
  for (const auto& item : split(list, ' ')) {
    if (!trimmed(item).empty()) origins.listed.emplace_back(trimmed(item));
  }
  if (origins.listed.empty()) throw std::invalid_argument("names no origin, such as https://example.com, or *");
  if (origins.listed == std::vector<std::string>{"*"}) return SecretOrigins{};
  origins.rules = OriginRules(origins.listed, {});
  return origins;
}

}  // namespace

Secrets parse_dotenv(std::string_view text, SecretPlaces* places) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  Secrets secrets;
  SecretOrigins here;
  const auto add = [&](const std::string& name, std::string value) {
    secrets[name] = std::move(value);
    if (places == nullptr) return;
    if (here.listed.empty()) {
      places->erase(name);
    } else {
      (*places)[name] = here;
    }
  };
  for (int number = 1; !text.empty(); ++number) {
    const auto refuse = [number](const std::string& why) {
      throw std::invalid_argument("line " + std::to_string(number) + " " + why);
    };
    const auto end = std::min(text.find('\n'), text.size());
    auto line = trimmed(text.substr(0, end), " \t\r");
    if (line.empty() || line.front() == '#') {
      try {
        if (auto origins = line.empty() ? std::nullopt : origins_of_comment(line)) here = std::move(*origins);
      } catch (const std::invalid_argument& error) {
        refuse(error.what());
      }
      text.remove_prefix(std::min(end + 1, text.size()));
      continue;
    }
    if (line.starts_with("export ")) line = trimmed(line.substr(7));
    const auto equals = line.find('=');
    if (equals == std::string_view::npos) refuse("is not NAME=VALUE");
    const std::string name(trimmed(line.substr(0, equals)));
    if (!is_name(name)) refuse("has no name of letters, digits, _, . and - before its =");
    auto value = trimmed(line.substr(equals + 1), " \t\r");
    if (!value.empty() && std::string_view("'\"`").find(value.front()) != std::string_view::npos) {
      auto rest = text.substr(static_cast<std::size_t>(value.data() - text.data()));
      const auto close = closing_quote(rest);
      if (close == std::string_view::npos) refuse("opens a quote that isn't closed");
      const auto inside = rest.substr(1, close - 1);
      add(name, rest.front() == '"' ? unescaped(inside) : std::string(inside));
      number += static_cast<int>(std::count(inside.begin(), inside.end(), '\n'));
      rest.remove_prefix(close);
      text = rest.substr(std::min(rest.find('\n'), rest.size() - 1) + 1);
      continue;
    }
    value = trimmed(value.substr(0, value.find(" #")), " \t\r");
    add(name, std::string(value));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return secrets;
}

void check_secret(std::string_view name, std::string_view value) {
  const std::string which(name);
  if (!is_name(name)) throw std::invalid_argument("has a name that isn't letters, digits, _, . and -");
  if (value.size() < limits::kShortestSecret) {
    throw std::invalid_argument("holds for " + which + " less than " + std::to_string(limits::kShortestSecret) +
                                " characters, which could not be told from other text");
  }
}

}  // namespace bridle
