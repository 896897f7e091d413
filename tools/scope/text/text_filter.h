#pragma once

#include <memory>
#include <string>

namespace bridle {

// A caller's filter over short texts: a part of them, or a POSIX extended regular expression with \d, \w, \s and
// (?:...) understood, without regard to case. Matching takes time linear in the text for all that is accepted:
// back-references and counted repetition are refused, so no filter can keep a call from its signal
// [why.linear-filters]. "" matches everything.
class TextFilter {
 public:
  explicit TextFilter(const std::string& pattern);  // throws ToolError
  ~TextFilter();
  TextFilter(const TextFilter&) = delete;
  TextFilter& operator=(const TextFilter&) = delete;

  bool matches(const std::string& text) const;

 private:
  struct Compiled;
  std::unique_ptr<Compiled> compiled_;
  std::string part_;
};

}  // namespace bridle
