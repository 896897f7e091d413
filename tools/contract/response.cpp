#include "tools/contract/response.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "base/limits.h"
#include "base/text/secrets.h"
#include "tools/contract/page_text.h"

namespace bridle {

// A result's text while it grows.
struct Response::Text {
  // Where a fenced block stands, and what ends it.
  struct Fence {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::string closing;
  };
  std::string words;
  std::vector<Fence> fences;

  void section(const char* title) {
    if (!words.empty()) words += "\n\n";
    words += "### ";
    words += title;
  }

  void block(std::string_view text, std::string_view language) {
    words += '\n';
    auto block = fenced(text, language);
    const auto begin = words.size();
    words.append(block.opening).append(block.body).append(block.closing);
    fences.push_back({begin, words.size(), std::move(block.closing)});
  }

  void lines(const char* title, const std::vector<std::string>& lines) {
    if (lines.empty()) return;
    section(title);
    for (const auto& line : lines) words.append("\n").append(line);
  }

  // What was said by whoever gave it: as it is if nothing in it can be taken for more than text.
  void part(const std::string& text, bool is_fenced) {
    if (is_fenced || !is_plain(text))
      block(text, "");
    else
      words.append("\n").append(text);
  }
};

namespace {

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

std::string line_of_ours(const std::string& line) { return one_plain_line(hide_in_urls_of(line)); }

}  // namespace

void Response::error(const std::string& words) { error_ = hide_in_urls_of(words); }
void Response::result(const std::string& words) { result_.push_back({hide_in_urls_of(words)}); }
void Response::page_text(std::string text) { result_.push_back({std::move(text), true}); }
void Response::value(std::string json) {
  const bool one_line = json.find('\n') == std::string::npos;
  result_.push_back({std::move(json), !one_line});
}
void Response::open_tabs(const std::string& line) { tabs_.push_back(line_of_ours(line)); }
void Response::page_line(const std::string& line) { page_.push_back(line_of_ours(line)); }
void Response::modal(const std::string& line) { modal_.push_back(line_of_ours(line)); }
void Response::snapshot(std::string yaml) { snapshot_ = std::move(yaml); }
void Response::event(const std::string& line) { events_.push_back(line_of_ours(line)); }

void Response::image(std::string base64, std::string mime_type) {
  beside_.push_back({.kind = Content::Kind::image, .data = std::move(base64), .mime_type = std::move(mime_type)});
}

void Response::link(Content resource_link) { beside_.push_back(std::move(resource_link)); }

void Response::add_step(Response step) {
  const auto append = [](auto& to, auto& from) {
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
  };
  failure = std::move(step.error_);
  append(result_, step.result_);
  if (!step.snapshot_.empty()) page_text(std::move(step.snapshot_));
  append(modal_, step.modal_);
  append(events_, step.events_);
  append(beside_, step.beside_);
}

Response::Text Response::text() const {
  Text text;
  if (!error_.empty()) {
    text.section("Error");
    text.part(error_, false);
  }
  if (!result_.empty()) {
    text.section("Result");
    for (const auto& part : result_) text.part(part.text, part.fenced);
  }
  text.lines("Open tabs", tabs_);
  text.lines("Page", page_);
  text.lines("Modal state", modal_);
  if (!snapshot_.empty()) {
    text.section("Snapshot");
    text.block(snapshot_, "yaml");
  }
  text.lines("Events", events_);
  return text;
}

ToolResult Response::build(std::size_t max_chars) {
  auto whole = text();
  ToolResult out = ToolResult::text(std::move(whole.words));
  std::string& words = out.content.front().text;
  if (const auto length = length_within(words, max_chars); length < words.size()) {
    out.whole = words;
    words.resize(length);
    // A fence must not stay open over what follows.
    const auto cut = std::find_if(whole.fences.begin(), whole.fences.end(), [length](const Text::Fence& fence) {
      return fence.begin < length && length < fence.end;
    });
    if (cut != whole.fences.end()) words += cut->closing;
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

ToolResult error_result(const std::string& words) {
  Response response;
  response.error(words);
  return response.build(limits::kMaxOutput);
}

}  // namespace bridle
