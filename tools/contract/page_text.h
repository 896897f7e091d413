#pragma once

#include <string>
#include <string_view>

// How words stand in a result, so that nothing a page says is taken for bridle's own [tool.no-forgery]. A result is
// read as Markdown (CommonMark) by clients, and as plain lines by models and simple programs: no line that comes from a
// page may open a section, a heading, a list or a block of HTML there, for either reader [why.fenced-or-plain].
namespace bridle {

// Whether `words` can stand as they are, outside of a fence: each of their lines begins with a letter, a quotation mark
// or the like, behind a list's "- " or not, and so begins nothing but text.
bool is_plain(std::string_view words);

// `words` as one line that is_plain() holds for: ends of lines become spaces, and what stands behind a list's "- " is
// put in quotation marks where it would begin something.
std::string one_plain_line(std::string_view words);

// A block of a page's text between fences that nothing in it can end: they are longer than any run of backticks that a
// line of it begins with, and the few lines that only backticks in numbers make up are indented. A line that would look
// like a section's title is indented by four blanks too.
struct FencedBlock {
  std::string opening;  // "```yaml\n"
  std::string body;     // without an end of line at its end
  std::string closing;  // "\n```"
};
FencedBlock fenced(std::string_view text, std::string_view language = "");

}  // namespace bridle
