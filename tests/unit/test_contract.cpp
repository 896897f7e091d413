// docs/contract/ against the tree: every citation names a requirement that is there, and every requirement is cited by
// a test.
#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/catch.h"
#include "tests/unit/support/source_tree.h"

namespace {

using namespace bridle::source_tree;

// The names that a document of the contract defines: each stands in bold at the beginning of a line.
std::vector<std::string> names_defined_in(const std::string& document) {
  static const std::regex kDefinition(R"re((?:^|\n)\*\*([a-z]+\.[a-z0-9.-]+)\*\* )re");
  std::vector<std::string> names;
  for (std::sregex_iterator it(document.begin(), document.end(), kDefinition), end; it != end; ++it) {
    names.push_back((*it)[1].str());
  }
  return names;
}

// The names that a text cites: [area.name], where `area` is one of `areas`. An index such as list[tool.name] is none.
std::set<std::string> names_cited_in(const std::string& text, const std::set<std::string>& areas) {
  static const std::regex kCitation(R"re((^|[^\w)])\[([a-z]+)\.([a-z0-9]+(?:[.-][a-z0-9]+)*)\])re");
  std::set<std::string> names;
  for (std::size_t at = 0; (at = text.find('[', at)) != std::string::npos; ++at) {
    const std::size_t from = at == 0 ? 0 : at - 1;
    std::smatch match;
    const std::string piece = text.substr(from, std::min<std::size_t>(100, text.find(']', at) - from + 1));
    if (!std::regex_match(piece, match, kCitation) || !areas.contains(match[2].str())) continue;
    names.insert(match[2].str() + "." + match[3].str());
  }
  return names;
}

struct Contract {
  std::map<std::string, std::string> defined;  // name -> file
  std::vector<std::string> twice;
  std::set<std::string> areas;
};

Contract read_contract() {
  Contract contract;
  for (const auto& file : text_files()) {
    if (!file.starts_with("docs/contract/")) continue;
    for (const auto& name : names_defined_in(text_of(file))) {
      if (!contract.defined.emplace(name, file).second) contract.twice.push_back(name);
      contract.areas.insert(name.substr(0, name.find('.')));
    }
  }
  return contract;
}

// The headings of docs/decisions.md: code cites `### name` as [why.name].
std::set<std::string> read_decisions() {
  static const std::regex kHeading(R"re(\n### ([a-z0-9-]+)(?=\n))re");
  const std::string document = text_of("docs/decisions.md");
  std::set<std::string> names;
  for (std::sregex_iterator it(document.begin(), document.end(), kHeading), end; it != end; ++it) {
    names.insert("why." + (*it)[1].str());
  }
  return names;
}

}  // namespace

TEST_CASE("contract: what a definition and a citation look like", "[contract]") {
  CHECK(names_defined_in("**a.b-c** Text.\nsee **a.d** there\n**a.e.f2** (MUST)") ==
        std::vector<std::string>{"a.b-c", "a.e.f2"});
  const std::set<std::string> areas{"a"};
  CHECK(names_cited_in("x [a.b-c] (see [a.d], \"[t][a.e.f2]\")", areas) ==
        std::set<std::string>{"a.b-c", "a.d", "a.e.f2"});
  CHECK(names_cited_in("[a.b] list[a.c] f()[a.d] [b.a] [a.b c] [a.] [A.b]", areas) == std::set<std::string>{"a.b"});
}

TEST_CASE("contract: each requirement has one definition, and every citation in the tree has one", "[contract]") {
  Contract contract = read_contract();
  CHECK(contract.defined.size() > 100);
  CHECK(contract.twice == std::vector<std::string>{});
  const std::set<std::string> decisions = read_decisions();
  CHECK(decisions.size() > 30);
  contract.areas.insert("why");
  std::vector<std::string> unknown;
  for (const auto& file : text_files()) {
    for (const auto& name : names_cited_in(text_of(file), contract.areas)) {
      if (name == "why.name") continue;  // how a citation looks
      if (!contract.defined.contains(name) && !decisions.contains(name)) unknown.push_back(file + " cites " + name);
    }
  }
  CHECK(unknown == std::vector<std::string>{});
}

TEST_CASE("contract: every requirement is cited by a test", "[contract]") {
  const Contract contract = read_contract();
  std::set<std::string> tested;
  for (const auto& file : text_files()) {
    if (file.starts_with("tests/")) tested.merge(names_cited_in(text_of(file), contract.areas));
  }
  std::vector<std::string> untested;
  for (const auto& [name, file] : contract.defined) {
    if (!tested.contains(name)) untested.push_back(file + ": " + name);
  }
  CHECK(untested == std::vector<std::string>{});
}

// What the project holds to stands in docs/contract/; a reader can't look up notes that stand elsewhere.
TEST_CASE("contract: nothing cites what isn't in the repository", "[contract]") {
  static const std::regex kElsewhere(
      R"re(\bspec[/](cancellation|navigation|tools|protocol)|\bDecisions"? [0-9]|\bissue [0-9])re");
  // What each match has in it: looking for these first spares the regular expression nearly all of the tree.
  static const std::vector<std::string> kWords{"spec/", "Decisions", "issue "};
  std::vector<std::string> found;
  for (const auto& file : text_files()) {
    std::istringstream text(text_of(file));
    for (std::string line; std::getline(text, line);) {
      const auto has = [&](const std::string& word) { return line.find(word) != std::string::npos; };
      if (std::any_of(kWords.begin(), kWords.end(), has) && std::regex_search(line, kElsewhere))
        found.push_back(file + ": " + line);
    }
  }
  CHECK(found == std::vector<std::string>{});
}
