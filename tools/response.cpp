#include "tools/response.h"

#include <utility>

namespace bridle {
namespace {

// Words of a page, a dialog or an exception must not open a section of ours, nor end the snapshot's fence
// (spec/tools, "Decisions" 7).
std::string harmless(const std::string& words) {
  std::string out;
  for (std::size_t at = 0; at <= words.size();) {
    auto end = words.find('\n', at);
    if (end == std::string::npos) end = words.size();
    const std::string_view line(words.data() + at, end - at);
    if (line.starts_with("###")) out += ' ';
    out += line;
    if (end < words.size()) out += '\n';
    at = end + 1;
  }
  return out;
}

void add_section(std::string& text, const char* title, const std::vector<std::string>& lines) {
  if (lines.empty()) return;
  if (!text.empty()) text += "\n\n";
  text += "### ";
  text += title;
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
  images_.push_back({.kind = Content::Kind::image, .data = std::move(base64), .mime_type = std::move(mime_type)});
}

std::string Response::text() const {
  std::string text;
  if (!error_.empty()) add_section(text, "Error", {error_});
  add_section(text, "Result", result_);
  add_section(text, "Open tabs", tabs_);
  add_section(text, "Page", page_);
  add_section(text, "Modal state", modal_);
  if (!snapshot_.empty()) add_section(text, "Snapshot", {"```yaml", snapshot_, "```"});
  add_section(text, "Events", events_);
  return text;
}

ToolResult Response::build(std::size_t max_chars) {
  std::string words = text();
  if (cut_lines(words, max_chars)) {
    // The fence must not stay open over what follows.
    if (words.find("```yaml") != std::string::npos && words.rfind("\n```") == words.find("\n```yaml")) words += "\n```";
    words += "\n\n(cut at " + std::to_string(max_chars) +
             " characters: ask for less with target, depth or budget, or raise --max-output)";
  }
  ToolResult out = ToolResult::text(std::move(words));
  for (auto& image : images_) out.content.push_back(std::move(image));
  if (!structured.empty()) out.structured = std::move(structured);
  out.is_error = is_error();
  return out;
}

}  // namespace bridle
