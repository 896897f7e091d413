#include "tools/contract/page_text.h"

#include <algorithm>
#include <cctype>

namespace bridle {
namespace {

constexpr std::size_t kFence = 3;      // backticks at least
constexpr std::size_t kFenceMax = 40;  // lines that begin with more backticks are indented instead

// The length of the line end at `at`, 0 if there is none. Line ends are all that some reader may take for one: \n, \r,
// \v, \f, U+0085, U+2028, U+2029.
std::size_t line_end_at(std::string_view text, std::size_t at) {
  const char c = text[at];
  if (c == '\n' || c == '\v' || c == '\f') return 1;
  if (c == '\r') return text.substr(at, 2) == "\r\n" ? 2 : 1;
  const auto rest = text.substr(at, 3);
  if (rest.starts_with("\xC2\x85")) return 2;
  return rest == "\xE2\x80\xA8" || rest == "\xE2\x80\xA9" ? 3 : 0;
}

// Takes a line from the front of `rest`, and the end of line behind it into `end`.
std::string_view take_line(std::string_view& rest, std::string_view& end) {
  std::size_t at = 0;
  std::size_t length = 0;
  while (at < rest.size() && (length = line_end_at(rest, at)) == 0) ++at;
  const auto line = rest.substr(0, at);
  end = rest.substr(at, length);
  rest.remove_prefix(at + length);
  return line;
}

// Blanks of every kind that a reader may overlook at the beginning of a line.
std::size_t blank_at(std::string_view text) {
  if (text.empty()) return 0;
  if (text[0] == ' ' || text[0] == '\t') return 1;
  const auto two = text.substr(0, 2);
  if (two == "\xC2\xA0" || two == "\xC2\xAD") return 2;
  const auto three = text.substr(0, 3);
  // U+2000 to U+200F, U+202A to U+202F, U+205F to U+206F, U+3000, U+FEFF
  if (three.size() == 3 && three.starts_with("\xE2\x80")) {
    const auto last = static_cast<unsigned char>(three[2]);
    return last <= 0x8F || (last >= 0xAA && last <= 0xAF) ? 3 : 0;
  }
  if (three.size() == 3 && three.starts_with("\xE2\x81")) return static_cast<unsigned char>(three[2]) >= 0x9F ? 3 : 0;
  return three == "\xE3\x80\x80" || three == "\xEF\xBB\xBF" ? 3 : 0;
}

std::string_view without_blanks(std::string_view line) {
  while (const auto length = blank_at(line)) line.remove_prefix(length);
  return line;
}

// Text that Markdown reads as nothing but text: letters, quotation marks, numbers that are none of a list's.
bool begins_plainly(std::string_view text) {
  if (text.empty() || blank_at(text) > 0) return false;
  const auto first = static_cast<unsigned char>(text[0]);
  if (first >= 0x80 || std::isalpha(first) != 0 || std::string_view("\"'(/${").find(text[0]) != std::string_view::npos)
    return true;
  if (first == '-') return text.size() > 1 && std::isalnum(static_cast<unsigned char>(text[1])) != 0;
  if (std::isdigit(first) == 0) return false;
  const auto behind = std::find_if(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) == 0; });
  return behind == text.end() || (*behind != '.' && *behind != ')');
}

// How long the "- " is that a list's item begins with, its indentation included; 0 without one.
std::size_t marker_length(std::string_view line) {
  const auto marker = std::min(line.find_first_not_of(' '), line.size());
  return line.substr(marker, 2) == "- " ? marker + 2 : 0;
}

bool is_plain_line(std::string_view line) {
  const auto text = line.substr(std::min(line.find_first_not_of(' '), line.size()));
  if (text.empty()) return true;
  return begins_plainly(text) || begins_plainly(line.substr(marker_length(line)));
}

std::size_t backticks_at_start(std::string_view line) {
  const auto text = without_blanks(line);
  return std::min(text.find_first_not_of('`'), text.size());
}

}  // namespace

bool is_plain(std::string_view words) {
  while (!words.empty()) {
    std::string_view end;
    if (!is_plain_line(take_line(words, end)) || (!end.empty() && end != "\n")) return false;
  }
  return true;
}

std::string one_plain_line(std::string_view words) {
  std::string line;
  line.reserve(words.size() + 2);
  while (!words.empty()) {
    std::string_view end;
    line += take_line(words, end);
    if (!words.empty()) line += ' ';
  }
  if (is_plain_line(line)) return line;
  const auto marker = marker_length(line);
  return line.substr(0, marker) + "\"" + line.substr(marker) + "\"";
}

FencedBlock fenced(std::string_view text, std::string_view language) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
  FencedBlock block;
  block.body.reserve(text.size() + 16);
  std::size_t longest = kFence - 1;
  std::size_t from = 0;  // what stands before it has been appended
  const auto whole = text;
  while (!text.empty()) {
    const auto begin = whole.size() - text.size();
    std::string_view end;
    const auto line = take_line(text, end);
    const auto backticks = backticks_at_start(line);
    if (backticks <= kFenceMax) longest = std::max(longest, backticks);
    if (backticks <= kFenceMax && !without_blanks(line).starts_with("###")) continue;
    block.body.append(whole.substr(from, begin - from)).append("    ");
    from = begin;
  }
  block.body.append(whole.substr(from));
  const std::string fence(longest + 1, '`');
  block.opening = fence;
  block.opening.append(language).append("\n");
  block.closing = "\n" + fence;
  return block;
}

}  // namespace bridle
