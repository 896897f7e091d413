#include "tools/contract/response.h"

#include <algorithm>
#include <string_view>
#include <utility>

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
std::string harmless(std::string_view words) {
  std::string out;
  bool line_begins = true;
  for (std::size_t at = 0; at < words.size();) {
    if (line_begins && (words.substr(at).starts_with("###") || words.substr(at).starts_with("```"))) out += ' ';
    const auto end = line_end_at(words, at);
    line_begins = end > 0;
    const auto length = std::max<std::size_t>(end, 1);
    out += words.substr(at, length);
    at += length;
  }
  return out;
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
    text += harmless(line);
  }
}

// Cuts at a whole line so that no more than `max` characters (bytes that start one) remain.
bool cut_lines(std::string& text, std::size_t max) {
  std::size_t characters = 0;
  std::size_t last_line = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80 && ++characters > max) {
      text.resize(last_line > 0 ? last_line : i);
      return true;
    }
    if (text[i] == '\n') last_line = i;
  }
  return false;
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
    text += "\n```yaml\n" + harmless(snapshot_) + "\n```";
  }
  add_section(text, "Events", events_);
  return text;
}

ToolResult Response::build(std::size_t max_chars) {
  std::string words = text();
  std::string whole = words;
  const bool is_cut = cut_lines(words, max_chars);
  if (is_cut) {
    // The fence must not stay open over what follows.
    if (words.find("```yaml") != std::string::npos && words.rfind("\n```") == words.find("\n```yaml")) words += "\n```";
    words += "\n\n(cut at " + std::to_string(max_chars) +
             " characters: ask for less with target, depth or budget, or raise --max-output)";
  }
  ToolResult out = ToolResult::text(std::move(words));
  if (is_cut) out.whole = std::move(whole);
  for (auto& content : beside_) out.content.push_back(std::move(content));
  if (!structured.empty()) out.structured = std::move(structured);
  out.is_error = is_error();
  return out;
}

}  // namespace bridle
