// docs/contract/ against the tree: every citation names a requirement that is there, and every requirement is cited by
// a test.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

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

// Every text file of the project, by its name relative to the source tree.
std::vector<std::string> files_of_the_tree() {
  const fs::path root = BRIDLE_SOURCE_DIR;
  static const std::set<std::string> kTexts{".cpp", ".h", ".js", ".mjs", ".md", ".txt", ".cmake", ".sh", ".json", ""};
  static const std::set<std::string> kForeign{"build", ".git", "node_modules", "corpus"};
  std::vector<std::string> names;
  for (auto at = fs::recursive_directory_iterator(root); at != fs::recursive_directory_iterator(); ++at) {
    if (at->is_directory() && kForeign.contains(at->path().filename().string())) at.disable_recursion_pending();
    if (!at->is_regular_file() || !kTexts.contains(at->path().extension().string())) continue;
    names.push_back(fs::relative(at->path(), root).generic_string());
  }
  return names;
}

struct Contract {
  std::map<std::string, std::string> defined;  // name -> file
  std::vector<std::string> twice;
  std::set<std::string> areas;
};

Contract read_contract() {
  const fs::path root = BRIDLE_SOURCE_DIR;
  Contract contract;
  for (const auto& item : fs::directory_iterator(root / "docs/contract")) {
    for (const auto& name : names_defined_in(text_of(item.path()))) {
      if (!contract.defined.emplace(name, item.path().filename().string()).second) contract.twice.push_back(name);
      contract.areas.insert(name.substr(0, name.find('.')));
    }
  }
  return contract;
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
  const Contract contract = read_contract();
  CHECK(contract.defined.size() > 100);
  CHECK(contract.twice == std::vector<std::string>{});
  std::vector<std::string> unknown;
  for (const auto& file : files_of_the_tree()) {
    for (const auto& name : names_cited_in(text_of(fs::path(BRIDLE_SOURCE_DIR) / file), contract.areas)) {
      if (!contract.defined.contains(name)) unknown.push_back(file + " cites [" + name + "]");
    }
  }
  CHECK(unknown == std::vector<std::string>{});
}

TEST_CASE("contract: every requirement is cited by a test", "[contract]") {
  const Contract contract = read_contract();
  std::set<std::string> tested;
  for (const auto& file : files_of_the_tree()) {
    if (file.starts_with("tests/"))
      tested.merge(names_cited_in(text_of(fs::path(BRIDLE_SOURCE_DIR) / file), contract.areas));
  }
  std::vector<std::string> untested;
  for (const auto& [name, file] : contract.defined) {
    if (!tested.contains(name)) untested.push_back(file + ": " + name);
  }
  CHECK(untested == std::vector<std::string>{});
}

// The contract is what the project holds to; notes that stand elsewhere can't be looked up by a reader.
TEST_CASE("contract: nothing cites what isn't in the repository", "[contract]") {
  static const std::regex kElsewhere(
      R"re(\bspec[/](cancellation|navigation|tools|protocol)|\bDecisions"? [0-9]|\bissue [0-9])re");
  std::vector<std::string> found;
  for (const auto& file : files_of_the_tree()) {
    std::istringstream text(text_of(fs::path(BRIDLE_SOURCE_DIR) / file));
    for (std::string line; std::getline(text, line);) {
      if (std::regex_search(line, kElsewhere)) found.push_back(file + ": " + line);
    }
  }
  CHECK(found == std::vector<std::string>{});
}
