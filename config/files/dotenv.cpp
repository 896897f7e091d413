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

constexpr const char* kHowOrigins =
    "write `# origins: https://example.com` on a line of its own, above the lines that it is for";

// Whether a comment, after its first #, means to say origins, in whatever way it is written.
bool means_origins(std::string_view comment) {
  comment = trimmed(comment, " \t\r#");
  constexpr std::string_view kWord = "origin";
  if (!lower(comment).starts_with(kWord)) return false;
  comment.remove_prefix(kWord.size());
  if (comment.starts_with('s') || comment.starts_with('S')) comment.remove_prefix(1);
  comment = trimmed(comment);
  return comment.starts_with(':') || comment.starts_with('=');
}

// What `# origins: ...` lists, a line of its own; nullopt of any other comment, an empty list for *. Throws
// std::invalid_argument, also for what comes near to it: taken for another comment, it would let the values be typed
// everywhere.
std::optional<std::vector<std::string>> origins_of_comment(std::string_view line) {
  constexpr std::string_view kWord = "origins:";
  const auto comment = trimmed(line.substr(1));
  if (!means_origins(comment)) return std::nullopt;
  if (!lower(comment).starts_with(kWord))
    throw std::invalid_argument(std::string("says origins in a way that isn't read: ") + kHowOrigins);
  std::string list(comment.substr(kWord.size()));
  std::replace_if(
      list.begin(), list.end(), [](char c) { return c == ',' || c == ';' || c == '\t'; }, ' ');
  std::vector<std::string> origins;
  for (const auto& item : split(list, ' ')) {
    if (!trimmed(item).empty()) origins.emplace_back(trimmed(item));
  }
  if (origins.empty()) throw std::invalid_argument("names no origin, such as https://example.com, or *");
  if (origins == std::vector<std::string>{"*"}) return std::vector<std::string>{};
  static_cast<void>(OriginList(origins));  // throws for what is none
  return origins;
}

// The comment behind a value that is on the same line.
void check_trailing_comment(std::string_view comment) {
  if (means_origins(comment)) throw std::invalid_argument(std::string("has origins behind a value: ") + kHowOrigins);
}

}  // namespace

Secrets parse_dotenv(std::string_view text, SecretPlaces* places) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  Secrets secrets;
  std::vector<std::string> here;  // where the values of the lines to come may be typed; none: everywhere
  int unused = 0;                 // the line that said so, while no value has followed it
  const auto refuse_line = [](int number, const std::string& why) {
    throw std::invalid_argument("line " + std::to_string(number) + " " + why);
  };
  const auto check_used = [&] {
    if (unused != 0) refuse_line(unused, std::string("has origins for no line after it: ") + kHowOrigins);
  };
  const auto add = [&](const std::string& name, std::string value) {
    secrets[name] = std::move(value);
    unused = 0;
    if (places == nullptr) return;
    places->erase(name);
    if (!here.empty()) places->emplace(name, OriginList(here));
  };
  for (int number = 1; !text.empty(); ++number) {
    const auto refuse = [&](const std::string& why) { refuse_line(number, why); };
    const auto check_comment = [&](std::string_view comment) {
      try {
        check_trailing_comment(comment);
      } catch (const std::invalid_argument& error) {
        refuse(error.what());
      }
    };
    const auto end = std::min(text.find('\n'), text.size());
    auto line = trimmed(text.substr(0, end), " \t\r");
    if (line.empty() || line.front() == '#') {
      std::optional<std::vector<std::string>> origins;
      try {
        if (!line.empty()) origins = origins_of_comment(line);
      } catch (const std::invalid_argument& error) {
        refuse(error.what());
      }
      if (origins) {
        check_used();
        here = std::move(*origins);
        unused = number;
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
      const auto after = rest.substr(1, rest.find('\n') - 1);
      if (const auto comment = after.find('#'); comment != after.npos) check_comment(after.substr(comment));
      text = rest.substr(std::min(rest.find('\n'), rest.size() - 1) + 1);
      continue;
    }
    const auto comment = value.find(" #");
    if (comment != value.npos) check_comment(value.substr(comment));
    value = trimmed(value.substr(0, comment), " \t\r");
    add(name, std::string(value));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  check_used();
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
