#include "tools/contract/response.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/limits.h"

namespace bridle {
namespace {

// The length of the line end at `at`, 0 if there is none. Line ends are all that some reader may take for one: \n, \r,
// \v, \f, U+0085, U+2028, U+2029.
std::size_t line_end_at(std::string_view text, std::size_t at) {
  const char c = text[at];
  if (c == '\n' || c == '\r' || c == '\v' || c == '\f') return 1;
  const auto rest = text.substr(at);
  if (rest.starts_with("\xC2\x85")) return 2;
  return rest.starts_with("\xE2\x80\xA8") || rest.starts_with("\xE2\x80\xA9") ? 3 : 0;
}

// Words of a page, a dialog or an exception must not open a section of ours, nor end the snapshot's fence
// [tool.no-forgery].
void append_harmless(std::string& text, std::string_view words) {
  text.reserve(text.size() + words.size());
  bool line_begins = true;
  std::size_t from = 0;  // what is before it has been appended
  for (std::size_t at = 0; at < words.size();) {
    const auto rest = words.substr(at);
    if (line_begins && (rest.starts_with("###") || rest.starts_with("```"))) {
      text.append(words.substr(from, at - from)).append(" ");
      from = at;
    }
    const auto end = line_end_at(words, at);
    line_begins = end > 0;
    at += std::max<std::size_t>(end, 1);
  }
  text.append(words.substr(from));
}

void begin_section(std::string& text, const char* title) {
  if (!text.empty()) text += "\n\n";
  text += "### ";
  text += title;
}

void add_section(std::string& text, const char* title, const std::vector<std::string>& lines) {
  if (lines.empty()) return;
  begin_section(text, title);
  for (const auto& line : lines) {
    text += '\n';
    append_harmless(text, line);
  }
}

// How much of a text stays when it may have no more than `max` characters (bytes that start one): all of it, or the
// whole lines that fit.
std::size_t length_within(std::string_view text, std::size_t max) {
  std::size_t characters = 0;
  std::size_t last_line = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80 && ++characters > max)
      return last_line > 0 ? last_line : i;
    if (text[i] == '\n') last_line = i;
  }
  return text.size();
}

}  // namespace

void Response::error(std::string words) { error_ = std::move(words); }
void Response::result(const std::string& words) { result_.push_back(words); }
void Response::open_tabs(const std::string& line) { tabs_.push_back(line); }
void Response::page_line(const std::string& line) { page_.push_back(line); }
void Response::modal(const std::string& line) { modal_.push_back(line); }
void Response::snapshot(std::string yaml) { snapshot_ = std::move(yaml); }
void Response::event(const std::string& line) { events_.push_back(line); }

void Response::image(std::string base64, std::string mime_type) {
  beside_.push_back({.kind = Content::Kind::image, .data = std::move(base64), .mime_type = std::move(mime_type)});
}

void Response::link(Content resource_link) { beside_.push_back(std::move(resource_link)); }

std::string Response::text() const {
  std::string text;
  if (!error_.empty()) add_section(text, "Error", {error_});
  add_section(text, "Result", result_);
  add_section(text, "Open tabs", tabs_);
  add_section(text, "Page", page_);
  add_section(text, "Modal state", modal_);
  if (!snapshot_.empty()) {
    begin_section(text, "Snapshot");
    text += "\n```yaml\n";
    append_harmless(text, snapshot_);
    text += "\n```";
  }
  add_section(text, "Events", events_);
  return text;
}

ToolResult Response::build(std::size_t max_chars) {
  ToolResult out = ToolResult::text(text());
  std::string& words = out.content.front().text;
  if (const auto length = length_within(words, max_chars); length < words.size()) {
    out.whole = words;
    words.resize(length);
    // The fence must not stay open over what follows.
    if (words.find("```yaml") != std::string::npos && words.rfind("\n```") == words.find("\n```yaml")) words += "\n```";
    words += "\n\n(cut at " + std::to_string(max_chars) +
             " characters: ask for less with target, depth or budget, or raise --max-output)";
  }
  for (auto& content : beside_) out.content.push_back(std::move(content));
  if (!structured.empty()) out.structured = std::move(structured);
  out.is_error = is_error();
  return out;
}

ToolResult plain_result(const std::string& words) {
  Response response;
  response.result(words);
  return response.build(limits::kMaxOutput);
}

ToolResult error_result(std::string words) {
  Response response;
  response.error(std::move(words));
  return response.build(limits::kMaxOutput);
}

}  // namespace bridle
