#pragma once

#include <string>
#include <vector>

#include "base/text/json.h"

// What CSS.getMatchedStylesForNode answers, in the order in which the cascade weighs it, strongest first.
namespace bridle {

struct CssDeclaration {
  std::string name{};
  std::string value{};
  bool important = false;
  bool valid = true;
  bool overridden = false;  // all that it sets is set by something stronger
};

struct CssRule {
  std::string selector{};          // of its selectors those that match; "" a style attribute
  std::string origin{};            // regular, user-agent, injected, inspector; attribute; presentational
  std::vector<std::string> under;  // "@media (...)", "@layer base", from the outside in
  std::string sheet{};             // the id of its sheet, or ""
  long line = 0;                   // in the sheet, from 0
  std::vector<CssDeclaration> declarations{};
};

struct CssInherited {
  std::size_t ancestor = 0;  // 0: the parent
  std::vector<CssRule> rules{};
};

struct CssPseudo {
  std::string name{};  // "before"
  std::vector<CssRule> rules{};
};

struct CssCascade {
  std::vector<CssRule> rules{};
  std::vector<CssInherited> inherited{};  // with nothing but what an element takes over
  std::vector<CssPseudo> pseudos{};
};

// How the element's lines run, for declarations such as margin-inline-start.
enum class LineDirection { left_to_right, right_to_left, vertical };

CssCascade read_cascade(const Json& matched, LineDirection lines = LineDirection::left_to_right);

}  // namespace bridle
