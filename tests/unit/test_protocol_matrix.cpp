// docs/protocol.md, "Requirements": each of the 40 points names tests, and each test that it names is there.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// The names of a source file's test cases; a name may be split over lines.
std::set<std::string> test_names(const std::string& source) {
  std::set<std::string> names;
  static const std::regex kCase(R"re(TEST_CASE\(\s*((?:"(?:[^"\\]|\\.)*"\s*)+))re");
  for (std::sregex_iterator it(source.begin(), source.end(), kCase), end; it != end; ++it) {
    static const std::regex kJoint(R"re("\s*")re");
    std::string name = std::regex_replace((*it)[1].str(), kJoint, "");
    name = name.substr(1, name.rfind('"') - 1);
    static const std::regex kEscape(R"re(\\(.))re");
    names.insert(std::regex_replace(name, kEscape, "$1"));
  }
  return names;
}

}  // namespace

TEST_CASE("docs: the protocol's matrix has 40 points, each with tests, and every test that it names exists") {
  const fs::path root = BRIDLE_SOURCE_DIR;
  std::istringstream document(text_of(root / "docs/protocol.md"));
  static const std::regex kPoint(R"re(### (\d+)\. .*\((MUST|SHOULD|MUST, SHOULD|own)\))re");
  static const std::regex kTest(R"re(- (unit|wire|browser)/(\w+) `(.*)`)re");
  static const std::regex kCase(R"re(- (interop/\w+|suite [\w*, -]+|fuzz/\w+)(: .*)?)re");
  std::map<int, int> tests_of;  // by point
  std::map<std::string, std::set<std::string>> names_in;
  int point = 0;
  for (std::string line; std::getline(document, line);) {
    CAPTURE(line);
    std::smatch match;
    if (line.starts_with("## ")) point = 0;
    if (line.starts_with("### ")) {
      REQUIRE(std::regex_match(line, match, kPoint));
      CHECK(std::stoi(match[1]) == point + 1);  // in their order
      point = std::stoi(match[1]);
      tests_of[point] = 0;
    }
    if (point == 0 || !line.starts_with("- ")) continue;
    ++tests_of[point];
    if (std::regex_match(line, match, kTest)) {
      const std::string file = "tests/" + match[1].str() + "/" + match[2].str() + ".cpp";
      REQUIRE(fs::exists(root / file));
      if (!names_in.contains(file)) names_in[file] = test_names(text_of(root / file));
      CHECK(names_in[file].contains(match[3].str()));
    } else {
      REQUIRE(std::regex_match(line, match, kCase));
      const std::string where = match[1].str();
      if (where.starts_with("interop/")) CHECK(fs::exists(root / ("tests/interop/cases/" + where.substr(8) + ".mjs")));
      if (where.starts_with("fuzz/")) CHECK(fs::exists(root / ("tests/fuzz/fuzz_" + where.substr(5) + ".cpp")));
    }
  }
  CHECK(tests_of.size() == 40);
  for (const auto& [number, count] : tests_of) {
    CAPTURE(number);
    CHECK(count > 0);
  }
}
