#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bridle {

// A pattern over whole URLs, read as Playwright reads its globs: `*` is anything but a slash, `**` anything, `/**/` a
// slash or anything between two, `{a,b}` one of both, a backslash takes the next character as it is, and all others
// stand for themselves. Matching takes time linear in the URL [tool.route.patterns]. A value type.
class UrlGlob {
 public:
  // Throws ToolError for what is no such pattern, and for one that can match no URL because it doesn't begin as one.
  explicit UrlGlob(const std::string& pattern);

  bool matches(std::string_view url) const;
  // The nearest pattern of CDP's Fetch domain (`*` and `?`) that matches all that this one does.
  std::string for_fetch() const;

 private:
  // One step of an automaton: each character takes all live states on at once.
  struct State {
    enum class Kind { literal, not_slash, any, fork, end };
    Kind kind;
    char literal = 0;
    std::size_t next = 0;
    std::size_t other = 0;  // of a fork
  };
  class Compiler;
  void enter(std::vector<std::size_t>& live, std::vector<char>& marks, std::size_t state) const;

  std::string pattern_;
  std::vector<State> states_{};
  std::size_t begin_ = 0;
};

}  // namespace bridle
