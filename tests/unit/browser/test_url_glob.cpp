// Patterns over URLs, as Playwright reads them [tool.route.patterns].
#include <chrono>

#include "base/errors.h"
#include "browser/routes/url_glob.h"
#include "tests/support/catch.h"

using namespace bridle;
using matchers::Contains;

namespace {

struct Row {
  const char* pattern;
  const char* url;
  bool fits;
};

// What Chromium does with a pattern of Fetch.enable.
bool fetch_fits(std::string_view pattern, std::string_view url) {
  if (pattern.empty()) return url.empty();
  if (pattern[0] == '*')
    return fetch_fits(pattern.substr(1), url) || (!url.empty() && fetch_fits(pattern, url.substr(1)));
  if (url.empty()) return false;
  const bool escaped = pattern[0] == '\\' && pattern.size() > 1;
  const char c = pattern[escaped ? 1 : 0];
  return (c == url[0] || (!escaped && c == '?')) && fetch_fits(pattern.substr(escaped ? 2 : 1), url.substr(1));
}

}  // namespace

TEST_CASE("a glob fits the whole URL, as Playwright's does", "[url_glob] [tool.route.patterns]") {
  const Row rows[] = {
      {"**/api/*", "http://a/api/users", true},
      {"**/api/*", "http://a/x/api/users?q=1", true},
      {"**/api/*", "http://a/api/users/1", false},
      {"**/api/**", "http://a/api/users/1", true},
      {"**/api/users", "http://a/api/users?q=1", false},
      {"**", "http://a/", true},
      {"*", "http://a/", false},
      {"http://a/**/b", "http://a/b", true},
      {"http://a/**/b", "http://a/x/y/b", true},
      {"http://a/**/b", "http://a/xb", false},
      {"**/b", "http://a/xb", false},
      {"**b", "http://a/xb", true},
      {"**/*.{png,jpg}", "http://a/x.jpg", true},
      {"**/*.{png,jpg}", "http://a/x.gif", false},
      {"**/*.{png,jpg}", "http://a/x.png,jpg", false},
      {"**/{a,b*}/c", "http://h/bcd/c", true},
      {"**/a,b", "http://h/a,b", true},
      {"**/x?y", "http://h/x?y", true},
      {"**/x?y", "http://h/xzy", false},
      {"**/[x].js", "http://h/[x].js", true},
      {"**/[x].js", "http://h/x.js", false},
      {"**/\\*", "http://h/*", true},
      {"**/\\*", "http://h/x", false},
      {"HTTP://Site.Example", "http://site.example/", true},
      {"http://a:80/x", "http://a/x", true},
      {"https://a:443/x", "https://a/x", true},
      {"http://a:443/x", "http://a/x", false},
      {"http*://a/x", "https://a/x", true},
      {"{http,https}://a/x", "https://a/x", true},
      {"http://a?q=1", "http://a/?q=1", true},
      {"http://*.a/**", "http://b.a/x", true},
  };
  for (const auto& row : rows) {
    CAPTURE(row.pattern, row.url);
    const UrlGlob glob(row.pattern);
    CHECK(glob.matches(row.url) == row.fits);
    CAPTURE(glob.for_fetch());
    // The browser holds at least what fits.
    if (row.fits) CHECK(fetch_fits(glob.for_fetch(), row.url));
  }
}

TEST_CASE("a pattern that can fit no URL is an error that gives one that does", "[url_glob] [tool.route.patterns]") {
  CHECK_THROWS_WITH(UrlGlob("api/users"), Contains("\"**/api/users\"") && Contains("\"**api/users**\""));
  CHECK_THROWS_WITH(UrlGlob("/api/*"), Contains("\"**/api/*\""));
  CHECK_THROWS_WITH(UrlGlob("users"), Contains("matches no URL"));
  CHECK_THROWS_WITH(UrlGlob("localhost:3000/x"), Contains("matches no URL"));
  CHECK_THROWS_WITH(UrlGlob(""), Contains("empty"));
  CHECK_THROWS_WITH(UrlGlob("**/{a"), Contains("without its }"));
  CHECK_THROWS_WITH(UrlGlob("**/a}"), Contains("without its {"));
  CHECK_THROWS_WITH(UrlGlob("**/{a,{b}}"), Contains("within another"));
  CHECK_THROWS_WITH(UrlGlob("**" + std::string(2000, 'x')), Contains("too long"));
  CHECK_NOTHROW(UrlGlob("**" + std::string(1998, 'x')));
}

TEST_CASE("matching takes time linear in the URL", "[url_glob] [tool.route.patterns]") {
  std::string pattern = "**";
  for (int i = 0; i < 60; ++i) pattern += "a*";
  const UrlGlob glob(pattern + "b");
  const auto begun = std::chrono::steady_clock::now();
  CHECK(!glob.matches("http://h/" + std::string(20'000, 'a')));
  // Backtracking would take longer than the universe.
  CHECK(std::chrono::steady_clock::now() - begun < std::chrono::seconds(10));
}
