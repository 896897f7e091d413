#include "browser/routes/url_glob.h"

#include "base/errors.h"
#include "base/limits.h"
#include "base/text/text.h"

namespace bridle {
namespace {

[[noreturn]] void refuse_pattern(const std::string& pattern, const std::string& why) {
  throw ToolError("The pattern \"" + pattern + "\" " + why);
}

// A pattern that spells a host out, written as browsers write URLs: the host in lower case, no default port, a path.
std::string normalised(const std::string& pattern) {
  const auto scheme = pattern.find("://");
  if (scheme == std::string::npos || pattern.find_first_of("*{\\") < scheme) return pattern;
  const auto host = scheme + 3;
  const auto path = std::min(pattern.find_first_of("/?", host), pattern.size());
  auto authority = pattern.substr(0, path);
  const auto rest = pattern.substr(path);
  if (authority.find_first_of("*{\\") != std::string::npos) return pattern;
  authority = lower(authority);
  for (const char* port : {"http:80", "https:443"}) {
    const std::string_view words(port);
    const auto colon = words.find(':');
    if (authority.starts_with(std::string(words.substr(0, colon)) + "://") && authority.ends_with(words.substr(colon)))
      authority.resize(authority.size() - (words.size() - colon));
  }
  return authority + (rest.starts_with('/') ? "" : "/") + rest;
}

// Requests have whole URLs, so a pattern must begin like one, or with what may stand for its beginning.
void check_beginning(const std::string& pattern) {
  if (pattern.empty()) refuse_pattern(pattern, "is empty: give one such as \"**/api/users\".");
  if (pattern.size() > limits::kRoutePattern) refuse_pattern(pattern.substr(0, 40) + "...", "is too long.");
  const auto first = pattern.find_first_of("*{:/");
  const bool begins_url = first != std::string::npos && pattern[first] != '/' &&
                          (first == 0 || pattern[first] != '{') &&
                          (pattern[first] != ':' || pattern.compare(first, 3, "://") == 0);
  if (begins_url) return;
  const bool slash = pattern.front() == '/';
  refuse_pattern(pattern, "matches no URL, as it must fit the whole of one: \"**" + std::string(slash ? "" : "/") +
                              pattern + "\" fits this path on any site, \"**" + (slash ? pattern.substr(1) : pattern) +
                              "**\" each URL with it inside.");
}

}  // namespace

class UrlGlob::Compiler {
 public:
  Compiler(const std::string& given, const std::string& pattern, std::vector<State>& states)
      : given_(given), pattern_(pattern), states_(states) {}

  // States are made from the first on; each goes on to the one made after it, unless said otherwise.
  void compile() {
    for (; at_ < pattern_.size(); ++at_) {
      const char c = pattern_[at_];
      if (c == '\\' && at_ + 1 < pattern_.size()) {
        literal(pattern_[++at_]);
      } else if (c == '*') {
        stars();
      } else if (c == '{') {
        open();
      } else if (c == '}') {
        close();
      } else if (c == ',' && in_group_) {
        alternative();
      } else {
        literal(c);
      }
    }
    if (in_group_) refuse_pattern(given_, "has a { without its }.");
    states_.push_back({State::Kind::end});
  }

 private:
  std::size_t here() const { return states_.size(); }
  void add(State::Kind kind, char c = 0) { states_.push_back({kind, c, here() + 1, 0}); }
  void literal(char c) { add(State::Kind::literal, c); }
  // Any number of characters of a kind.
  void repeat(State::Kind kind) {
    const auto fork = here();
    states_.push_back({State::Kind::fork, 0, fork + 1, fork + 2});
    states_.push_back({kind, 0, fork, 0});
  }
  void stars() {
    const bool after_slash = at_ > 0 && pattern_[at_ - 1] == '/';
    const auto begin = at_;
    while (at_ + 1 < pattern_.size() && pattern_[at_ + 1] == '*') ++at_;
    if (at_ == begin) return repeat(State::Kind::not_slash);
    if (at_ + 1 >= pattern_.size() || pattern_[at_ + 1] != '/') return repeat(State::Kind::any);
    ++at_;
    if (!after_slash) {
      repeat(State::Kind::any);
      return literal('/');
    }
    // Between two slashes: at least one character and a slash, or nothing at all.
    const auto fork = here();
    states_.push_back({State::Kind::fork, 0, fork + 1, 0});
    add(State::Kind::any);
    repeat(State::Kind::any);
    literal('/');
    states_[fork].other = here();
  }
  void open() {
    if (in_group_) refuse_pattern(given_, "has a { within another, which is not supported.");
    in_group_ = true;
    ends_.clear();
    fork_ = here();
    states_.push_back({State::Kind::fork, 0, here() + 1, here() + 1});
  }
  // The end of one alternative jumps behind the group.
  void alternative() {
    end_one();
    states_[fork_].other = here();
    fork_ = here();
    states_.push_back({State::Kind::fork, 0, here() + 1, here() + 1});
  }
  void close() {
    if (!in_group_) refuse_pattern(given_, "has a } without its {.");
    in_group_ = false;
    end_one();
    for (const auto end : ends_) states_[end].next = states_[end].other = here();
  }
  void end_one() {
    ends_.push_back(here());
    states_.push_back({State::Kind::fork, 0, 0, 0});
  }

  const std::string& given_;
  const std::string& pattern_;
  std::vector<State>& states_;
  std::size_t at_ = 0;
  bool in_group_ = false;
  std::size_t fork_ = 0;             // of the alternative that is being read
  std::vector<std::size_t> ends_{};  // of the group's alternatives
};

UrlGlob::UrlGlob(const std::string& pattern) {
  check_beginning(pattern);
  pattern_ = normalised(pattern);
  Compiler(pattern, pattern_, states_).compile();
}

// A state that consumes a character, or the end; forks are followed at once.
void UrlGlob::enter(std::vector<std::size_t>& live, std::vector<char>& marks, std::size_t state) const {
  std::vector<std::size_t> open{state};
  while (!open.empty()) {
    const auto now = open.back();
    open.pop_back();
    if (marks[now]) continue;
    marks[now] = 1;
    if (states_[now].kind != State::Kind::fork) {
      live.push_back(now);
      continue;
    }
    open.push_back(states_[now].other);
    open.push_back(states_[now].next);
  }
}

bool UrlGlob::matches(std::string_view url) const {
  std::vector<std::size_t> live;
  std::vector<std::size_t> next;
  std::vector<char> marks(states_.size());
  enter(live, marks, begin_);
  for (const char c : url) {
    next.clear();
    std::fill(marks.begin(), marks.end(), 0);
    for (const auto at : live) {
      const State& state = states_[at];
      const bool fits = state.kind == State::Kind::any || (state.kind == State::Kind::not_slash && c != '/') ||
                        (state.kind == State::Kind::literal && c == state.literal);
      if (fits) enter(next, marks, state.next);
    }
    if (next.empty()) return false;
    live.swap(next);
  }
  return marks[states_.size() - 1] != 0;
}

std::string UrlGlob::for_fetch() const {
  std::string out;
  bool in_group = false;
  const auto star = [&] {
    if (!out.ends_with('*') || out.ends_with("\\*")) out += '*';
  };
  for (std::size_t at = 0; at < pattern_.size(); ++at) {
    const char c = pattern_[at];
    if (in_group && c != '}' && c != '\\') continue;
    if (c == '*') {
      // `**/` may stand for nothing at all.
      const bool many = at + 1 < pattern_.size() && pattern_[at + 1] == '*';
      while (at + 1 < pattern_.size() && pattern_[at + 1] == '*') ++at;
      if (many && at + 1 < pattern_.size() && pattern_[at + 1] == '/') ++at;
      star();
    } else if (c == '{') {
      in_group = true;
      star();
    } else if (c == '}') {
      in_group = false;
    } else {
      const char shown = c == '\\' && at + 1 < pattern_.size() ? pattern_[++at] : c;
      if (in_group) continue;
      if (shown == '*' || shown == '?' || shown == '\\') out += '\\';
      out += shown;
    }
  }
  return out;
}

}  // namespace bridle
