#include "tools/scope/text/text_filter.h"

#include <regex.h>

#include <array>
#include <cctype>

#include "base/errors.h"
#include "base/text/log.h"
#include "base/text/text.h"

namespace bridle {
namespace {

constexpr std::size_t kPatternMax = 500;
constexpr std::size_t kTextMax = 8192;

// JavaScript's way of writing into POSIX's. Throws ToolError for what isn't taken.
std::string posix_form(const std::string& pattern) {
  const auto refuse = [&](const char* what) {
    return ToolError("filter \"" + loggable(pattern, 100) + "\": " + what +
                     " is not supported. Use a part of the URL, or a regex of . * + ? | () [] ^ $.");
  };
  std::string out;
  bool in_class = false;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    if (c == '\\' && i + 1 < pattern.size()) {
      const char next = pattern[++i];
      if (std::isdigit(static_cast<unsigned char>(next))) throw refuse("a back-reference");
      const char* name = next == 'd' ? "[:digit:]" : next == 's' ? "[:space:]" : next == 'w' ? "[:alnum:]_" : nullptr;
      if (name != nullptr) {
        out += in_class ? std::string(name) : "[" + std::string(name) + "]";
      } else if (in_class || next == '/' || next == '-') {
        out += next;  // in brackets POSIX takes a backslash as it is
      } else {
        out += c;
        out += next;
      }
      continue;
    }
    if (in_class) {
      in_class = c != ']';
    } else if (c == '[') {
      in_class = true;
    } else if (c == '{') {
      throw refuse("counted repetition");
    } else if (c == '(' && pattern.compare(i, 3, "(?:") == 0) {
      out += '(';
      i += 2;
      continue;
    } else if (c == '(' && i + 1 < pattern.size() && pattern[i + 1] == '?') {
      throw refuse("(?...)");
    }
    out += c;
  }
  return out;
}

}  // namespace

struct TextFilter::Compiled {
  regex_t regex{};
  bool good = false;
  ~Compiled() {
    if (good) ::regfree(&regex);
  }
};

TextFilter::TextFilter(const std::string& pattern) : part_(lower(pattern)) {
  if (pattern.size() > kPatternMax) throw ToolError("filter is too long: at most 500 characters.");
  if (pattern.find_first_of("\\^$.|?*+()[]{}") == std::string::npos) return;
  auto source = pattern;
  // /.../i, as JavaScript writes it.
  if (source.size() > 2 && source.front() == '/') {
    const auto end = source.rfind('/');
    if (end > 0 && source.find_first_not_of("gimsuy", end + 1) == std::string::npos) source = source.substr(1, end - 1);
  }
  compiled_ = std::make_unique<Compiled>();
  const int error = ::regcomp(&compiled_->regex, posix_form(source).c_str(), REG_EXTENDED | REG_ICASE | REG_NOSUB);
  compiled_->good = error == 0;
  if (error == 0) return;
  // "?page=1" is no regex, and needn't be one.
  if (error == REG_BADRPT && std::string_view("?*+").find(pattern.front()) != std::string_view::npos) {
    compiled_.reset();
    return;
  }
  std::array<char, 200> words{};
  ::regerror(error, &compiled_->regex, words.data(), words.size());
  throw ToolError("filter \"" + loggable(pattern, 100) + "\" is no valid regex: " + words.data() + ".");
}

TextFilter::~TextFilter() = default;

bool TextFilter::matches(const std::string& text) const {
  if (part_.empty()) return true;
  const auto bounded = text.substr(0, kTextMax);
  // "?page=1" is meant as it stands, whatever else it may mean.
  if (lower(bounded).find(part_) != std::string::npos) return true;
  return compiled_ && ::regexec(&compiled_->regex, bounded.c_str(), 0, nullptr, 0) == 0;
}

}  // namespace bridle
