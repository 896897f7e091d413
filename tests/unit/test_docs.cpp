// The manual against the tree: what its pages link to and name is there.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "tests/support/catch.h"
#include "tests/unit/support/source_tree.h"

namespace {

namespace fs = std::filesystem;
using namespace bridle::source_tree;

std::vector<std::string> all_matches(const std::string& text, const std::regex& pattern) {
  std::vector<std::string> found;
  for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it)
    found.push_back((*it)[1].str());
  return found;
}

// A document's text without its fenced blocks, where nothing is a link.
std::string prose_of(const std::string& document) {
  std::istringstream lines(document);
  std::string prose;
  bool fenced = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) fenced = !fenced;
    if (!fenced) prose += line + "\n";
  }
  return prose;
}

// What a heading is linked by: "What isn't there yet" -> what-isnt-there-yet.
std::string anchor_of(const std::string& heading) {
  std::string anchor;
  for (const char c : heading) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) || c == '-' || c == '_') anchor += static_cast<char>(std::tolower(byte));
    if (c == ' ') anchor += '-';
  }
  return anchor;
}

std::set<std::string> anchors_of(const std::string& document) {
  static const std::regex kHeading(R"re(\n#+ ([^\n]+))re");
  std::set<std::string> anchors;
  for (const auto& heading : all_matches("\n" + prose_of(document), kHeading)) anchors.insert(anchor_of(heading));
  return anchors;
}

std::vector<std::string> links_of(const std::string& document) {
  static const std::regex kLink(R"re(\]\(([^)\s]+)\))re");
  return all_matches(prose_of(document), kLink);
}

// Paths between backticks: `server/calls/` and `base/concurrency/abort.h`, not `tools/list`, which is a method.
std::vector<std::string> paths_of(const std::string& document) {
  static const std::regex kPath(
      R"re(`((?:base|bench|browser|cmake|config|docs|scripts|server|tests|tools)/(?:[\w./-]*/|[\w./-]*\.\w+)?)`)re");
  return all_matches(document, kPath);
}

}  // namespace

TEST_CASE("docs: links, anchors and paths are told apart from what only looks alike", "[docs]") {
  CHECK(links_of("[a](b.md) `[c]`\n```\n[d](e)\n```\n[f](#g)") == std::vector<std::string>{"b.md", "#g"});
  CHECK(anchors_of("# A b\n## What isn't, there?\n") == std::set<std::string>{"a-b", "what-isnt-there"});
  CHECK(paths_of("`base/` `base/concurrency/abort.h` `tools/list` `x/y.h` base/no.h") ==
        std::vector<std::string>{"base/", "base/concurrency/abort.h"});
}

TEST_CASE("docs: every link of every page leads somewhere", "[docs]") {
  std::vector<std::string> dead;
  for (const auto& file : text_files()) {
    if (!file.ends_with(".md")) continue;
    for (const auto& link : links_of(text_of(file))) {
      if (link.find("://") != std::string::npos) continue;
      const auto hash = link.find('#');
      const std::string path = link.substr(0, hash);
      const fs::path target = path.empty() ? fs::path(file) : (fs::path(file).parent_path() / path).lexically_normal();
      const bool there = fs::exists(root() / target);
      const bool anchored =
          hash == std::string::npos || (there && anchors_of(text_of(target.string())).contains(link.substr(hash + 1)));
      if (!there || !anchored) dead.push_back(file + " links to " + link);
    }
  }
  CHECK(dead == std::vector<std::string>{});
}

TEST_CASE("docs: every path that a page names is there", "[docs]") {
  CHECK(paths_of(text_of("docs/architecture.md")).size() > 40);
  std::vector<std::string> missing;
  for (const auto& file : text_files()) {
    if (!file.ends_with(".md")) continue;
    for (const auto& path : paths_of(text_of(file))) {
      if (!fs::exists(root() / path)) missing.push_back(file + " names " + path);
    }
  }
  CHECK(missing == std::vector<std::string>{});
}
