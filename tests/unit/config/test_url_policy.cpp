#include "base/errors.h"
#include "base/limits.h"
#include "config/network/url_policy.h"
#include "tests/support/catch.h"

using namespace bridle;
using matchers::Contains;

namespace {

std::string checked(const std::string& url, const UrlPolicy& policy = {}) { return policy.check(url); }

std::string refusal(const std::string& url, const UrlPolicy& policy = {}) {
  try {
    return "allowed as " + policy.check(url);
  } catch (const ToolError& error) {
    return std::string("refused: ") + error.what();
  }
}

}  // namespace

TEST_CASE("web pages, about:blank and data: are allowed as they are", "[url_policy]") {
  for (const char* url :
       {"http://example.com", "https://example.com/a?b=c#d", "http://user:pw@example.com/", "http://127.0.0.1:8080/",
        "http://[::1]:3000/x", "https://xn--mnchen-3ya.de/", "about:blank", "data:text/html,<h1>Hi</h1>", "data:,x"}) {
    CAPTURE(url);
    CHECK(checked(url) == url);
  }
  CHECK(checked("HTTPS://Example.COM/Path") == "HTTPS://Example.COM/Path");
  CHECK(checked("ABOUT:BLANK") == "about:blank");
  CHECK(checked("  https://example.com/ \n") == "https://example.com/");
}

TEST_CASE("a bare host is completed: https, but http on this machine", "[url_policy] [nav.policy.bare-host]") {
  CHECK(checked("example.com") == "https://example.com");
  CHECK(checked("example.com/path?q=1") == "https://example.com/path?q=1");
  CHECK(checked("example.com:8443/x") == "https://example.com:8443/x");
  CHECK(checked("sub.example.co.uk#top") == "https://sub.example.co.uk#top");
  CHECK(checked("192.168.1.1/admin") == "https://192.168.1.1/admin");
  CHECK(checked("localhost") == "http://localhost");
  CHECK(checked("localhost:3000") == "http://localhost:3000");
  CHECK(checked("localhost:3000/a?b#c") == "http://localhost:3000/a?b#c");
  CHECK(checked("app.localhost:3000") == "http://app.localhost:3000");
  CHECK(checked("127.0.0.1:8080/x") == "http://127.0.0.1:8080/x");
  CHECK(checked("[::1]:3000/x") == "http://[::1]:3000/x");
  CHECK(checked("LOCALHOST:3000") == "http://LOCALHOST:3000");
  CHECK(checked("localhost.example.com") == "https://localhost.example.com");
  CHECK(checked("bücher.example") == "https://bücher.example");
}

TEST_CASE("schemes that are refused, each with what to do instead", "[url_policy] [nav.policy.schemes]") {
  CHECK_THAT(refusal("chrome://settings"),
             Contains("refused: URLs with chrome:") && Contains("navigate to a web page"));
  CHECK_THAT(refusal("devtools://devtools/bundled/inspector.html"), Contains("refused: URLs with devtools:"));
  CHECK_THAT(refusal("chrome-extension://abc/page.html"), Contains("refused: URLs with chrome-extension:"));
  CHECK_THAT(refusal("view-source:http://example.com"),
             Contains("refused: URLs with view-source:") && Contains("browser_evaluate"));
  CHECK_THAT(refusal("javascript:alert(1)"),
             Contains("refused: URLs with javascript:") && Contains("browser_evaluate"));
  CHECK_THAT(refusal("mailto:a@example.com"), Contains("refused: URLs with mailto:"));
  CHECK_THAT(refusal("tel:+491234"), Contains("refused: URLs with tel:"));
  CHECK_THAT(refusal("blob:http://example.com/uuid"), Contains("refused: URLs with blob:"));
  CHECK_THAT(refusal("about:config"), Contains("refused: URLs with about:") && Contains("about:blank"));
  CHECK_THAT(refusal("about:blank#x"), Contains("refused: "));
  CHECK_THAT(refusal("ftp://example.com/file"), Contains("refused: ") && Contains("ftp:"));
  CHECK_THAT(refusal("ws://example.com/"), Contains("refused: "));
  CHECK_THAT(refusal("magnet:?xt=urn"), Contains("refused: "));
  CHECK_THAT(refusal("intent://x#Intent;end"), Contains("refused: "));
  CHECK_THAT(refusal("filesystem:http://example.com/temporary/x"), Contains("refused: "));
}

TEST_CASE("a refused scheme is refused in any dress", "[url_policy] [nav.policy.schemes]") {
  for (const char* url :
       {"JavaScript:alert(1)", " javascript:alert(1)", "javascript:1", "javascript:12/2", "java\tscript:alert(1)",
        "\x01javascript:alert(1)", "CHROME://version", "chrome:80", "tel:12345", "view-source:1", "mailto:1"}) {
    CAPTURE(url);
    CHECK_THAT(refusal(url), Contains("refused: "));
  }
}

TEST_CASE("file: only when it was allowed", "[url_policy] [nav.policy.schemes]") {
  CHECK_THAT(refusal("file:///etc/passwd"), Contains("refused: ") && Contains("--allow-file-access"));
  CHECK_THAT(refusal("FILE:///etc/passwd"), Contains("refused: "));
  UrlPolicy policy;
  policy.allow_file_access = true;
  CHECK(checked("file:///etc/hostname", policy) == "file:///etc/hostname");
  CHECK_THAT(refusal("chrome://settings", policy), Contains("refused: "));
}

TEST_CASE("what isn't absolute is refused, with an example", "[url_policy]") {
  for (const char* url :
       {"", "   ", "/path", "./x", "../x", "?q=1", "#top", "//example.com/x", "path/to/page", "hello", "hello world",
        "http://", "http:///path", "https:", "http:/example.com", "http://?x", "http:example.com"}) {
    CAPTURE(url);
    CHECK_THAT(refusal(url), Contains("refused: ") && Contains("absolute"));
  }
}

TEST_CASE("control characters are refused and shown harmlessly", "[url_policy]") {
  for (const char c : {'\n', '\r', '\t', '\x01', '\x1b', '\x7f'}) {
    const auto words = refusal(std::string("http://example.com/") + c + "x");
    CHECK_THAT(words, Contains("refused: ") && Contains("control characters"));
    CHECK(words.find(c) == std::string::npos);
  }
  CHECK_THAT(refusal(std::string("http://a.b/\0x", 13)), Contains("control characters"));
}

TEST_CASE("the length of a URL: limit - 1, limit, limit + 1", "[url_policy] [nav.policy.schemes]") {
  const auto of_length = [](std::size_t length) {
    std::string url = "http://example.com/";
    url.append(length - url.size(), 'x');
    return url;
  };
  CHECK(limits::kUrlLength == 4096);
  CHECK(checked(of_length(4095)).size() == 4095);
  CHECK(checked(of_length(4096)).size() == 4096);
  CHECK_THAT(refusal(of_length(4097)), Contains("refused: ") && Contains("4097") && Contains("4096"));
  CHECK(refusal(of_length(1'000'000)).size() < 500);  // what is refused isn't repeated at its length
}

TEST_CASE("a URL whose secret was hidden can't be opened, and says why", "[policy] [tool.secrets]") {
  for (const char* url :
       {"https://example.com/?token=[value hidden]", "https://example.com/?token=%5Bvalue%20hidden%5D"})
    CHECK_THROWS_WITH(UrlPolicy().check(url), Contains("real value"));
}
