#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/contract/tool.h"

namespace bridle {

// Builds a result's text in its sections [tool.sections], each once and only when it has content: Error, Result,
// Open tabs, Page, Modal state, Snapshot, Events. Not shared between threads.
//
// Nothing that a page says can open a section [tool.no-forgery]: what isn't plain text line by line stands between
// fences (tools/contract/page_text.h), whoever gave it. In bridle's own words the secrets of URLs are hidden
// [tool.secrets].
class Response {
 public:
  void error(const std::string& words);
  void result(const std::string& words);
  // Text that is a page's, as it is, always between fences: a log, a body, what a script returned.
  void page_text(std::string text);
  // A value as JSON, as it is: on one line it stands like words of bridle's, else between fences.
  void value(std::string json);
  void open_tabs(const std::string& line);
  void page_line(const std::string& line);  // "- Page URL: ..."
  void modal(const std::string& line);
  void snapshot(std::string yaml);
  void event(const std::string& line);
  void image(std::string base64, std::string mime_type);
  // A resource that the result speaks of, as a link beside the text.
  void link(Content resource_link);

  // Takes over what a step of a batch has to say, but for where its page is; its error becomes `failure`.
  void add_step(Response step);
  std::string failure{};

  bool is_error() const { return !error_.empty(); }
  Json structured = Json::object();

  // `max_chars`: a longer text is cut at a whole line, and says so.
  ToolResult build(std::size_t max_chars);

 private:
  struct Part {
    std::string text;
    bool fenced = false;
  };
  struct Text;
  Text text() const;

  std::string error_;
  std::vector<Part> result_;
  std::vector<std::string> tabs_;
  std::vector<std::string> page_;
  std::vector<std::string> modal_;
  std::string snapshot_;
  std::vector<std::string> events_;
  std::vector<Content> beside_;  // images, links
};

// The title of the section that tells what the page shows.
inline constexpr std::string_view kSnapshotTitle = "### Snapshot";

// A result that says that one thing and nothing else, in its section: Result, Error.
ToolResult plain_result(const std::string& words);
ToolResult error_result(const std::string& words);

}  // namespace bridle
