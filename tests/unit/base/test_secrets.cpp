// What is a secret by its name, and how secrets in URLs are hidden. The page's scripts are held to the same cases
// (tests/page/cases/secrets.mjs).

#include <sstream>

#include "base/text/secrets.h"
#include "tests/support/catch.h"
#include "tests/unit/support/source_tree.h"

using namespace bridle;

namespace {

std::string with_marks(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '*' ? kHidden : std::string(1, c);
  return out;
}

// Gives each line of the shared cases as its kind and what follows it.
template <class Look>
void each_case(Look look) {
  std::istringstream lines(source_tree::text_of("tests/support/secret_cases.txt"));
  int count = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.starts_with('#')) continue;
    const auto blank = line.find(' ');
    look(line.substr(0, blank), blank == std::string::npos ? "" : line.substr(blank + 1));
    ++count;
  }
  CHECK(count > 140);
}

}  // namespace

TEST_CASE("names of secrets, and names that only look like them", "[secrets] [tool.secrets]") {
  each_case([](const std::string& kind, const std::string& name) {
    CAPTURE(kind, name);
    if (kind == "secret") CHECK(is_secret_name(name));
    if (kind == "secret" || kind == "parameter") CHECK(is_secret_parameter(name));
    if (kind == "plain") CHECK_FALSE(is_secret_name(name));
  });
}

TEST_CASE("secrets of URLs are hidden, and the rest of them isn't", "[secrets] [tool.secrets]") {
  each_case([](const std::string& kind, const std::string& line) {
    if (kind != "url") return;
    CAPTURE(line);
    const auto arrow = line.find(" => ");
    REQUIRE(arrow != std::string::npos);
    CHECK(hide_in_url(line.substr(0, arrow)) == with_marks(line.substr(arrow + 4)));
  });
}

TEST_CASE("URLs in a text are found, with what stands around them left alone", "[secrets] [tool.secrets]") {
  CHECK(hide_in_urls_of("see (http://a/?token=1), or \"https://u:p@h/x?a=1\" and ws://h/?pin=2. token=3") ==
        with_marks("see (http://a/?token=*), or \"https://*@h/x?a=1\" and ws://h/?pin=*. token=3"));
  CHECK(hide_in_urls_of("no URL: a=1&token=2") == "no URL: a=1&token=2");
  CHECK(hide_in_urls_of("://://?token=1").find("=1") == std::string::npos);
  CHECK(hide_in_urls_of("").empty());
  const auto once = hide_in_urls_of("at http://a/?token=1&b=2#pin=3 and on");
  CHECK(once == "at http://a/?token=[value hidden]&b=2#pin=[value hidden] and on");
  CHECK(hide_in_urls_of(once) == once);
}

TEST_CASE("a URL that is nested deep takes neither the stack nor long", "[secrets]") {
  std::string deep = "http://h/";
  for (int i = 0; i < 200'000; ++i) deep += "?a=";
  CHECK(hide_in_url(deep + "token=abc").find("abc") == std::string::npos);
  std::string escaped = "http://h/?a=%3Ftoken%3Dabc";
  for (int i = 0; i < 3; ++i) escaped = "http://h/?a=" + escaped;
  CHECK(hide_in_url(escaped).find("abc") == std::string::npos);
}

TEST_CASE("a data: URL is shown by its beginning", "[secrets] [nav.verdict]") {
  CHECK(shown_url("https://u:p@h/?token=a") == hide_in_url("https://u:p@h/?token=a"));
  CHECK(shown_url("data:text/html,short") == "data:text/html,short");
  const std::string limit = "data:," + std::string(234, 'x');
  CHECK(shown_url(limit) == limit);
  CHECK(shown_url(limit + "x") == limit.substr(0, 120) + "... (241 characters)");
  // Never cut within a character.
  std::string wide = "data:,";
  for (int i = 0; i < 200; ++i) wide += "\u00e4";
  CHECK(shown_url(wide) == wide.substr(0, 120) + "... (206 characters)");
  CHECK(shown_url("data:" + wide.substr(6)) == "data:" + wide.substr(6, 114) + "... (205 characters)");
}
