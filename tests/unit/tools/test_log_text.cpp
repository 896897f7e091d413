// What the network and console tools do to text: filters that can't hang, and secrets that stay hidden.

#include "base/errors.h"
#include "browser/tab/tab_state.h"
#include "tests/support/catch.h"
#include "tools/scope/line_list.h"
#include "tools/scope/text/hidden_values.h"
#include "tools/scope/text/text_filter.h"

using namespace bridle;
using matchers::Contains;

TEST_CASE("a filter is a part of the text, in any case", "[filter]") {
  CHECK(TextFilter("").matches("anything"));
  CHECK(TextFilter("/API/").matches("http://x/api/items"));
  CHECK_FALSE(TextFilter("/api/").matches("http://x/app"));
  CHECK(TextFilter("?page=1").matches("http://x/list?page=1"));  // no regex, and meant as it stands
}

TEST_CASE("a filter is a regular expression", "[filter]") {
  CHECK(TextFilter("/api/.*user").matches("http://x/api/v2/user/7"));
  CHECK_FALSE(TextFilter("/api/.*user").matches("http://x/api/items"));
  CHECK(TextFilter("/\\/items\\/\\d+$/i").matches("http://x/Items/42"));
  CHECK_FALSE(TextFilter("\\/items\\/\\d+$").matches("http://x/items/"));
  CHECK(TextFilter("(?:png|jpe?g)$").matches("http://x/a.jpeg"));
  CHECK(TextFilter("[\\w-]+\\.js").matches("http://x/my-app.js"));
  CHECK_FALSE(TextFilter("^https:").matches("http://x/"));
}

TEST_CASE("a filter that could take for ever, or is none, is refused with a reason", "[filter] [tool.logs]") {
  CHECK_THROWS_WITH(TextFilter("(a+)\\1"), Contains("back-reference"));
  CHECK_THROWS_WITH(TextFilter("(a{1,200}){1,200}"), Contains("counted repetition"));
  CHECK_THROWS_WITH(TextFilter("(?=x)"), Contains("not supported"));
  CHECK_THROWS_WITH(TextFilter("(open"), Contains("no valid regex"));
  CHECK_THROWS_AS(TextFilter(std::string(501, 'a')), ToolError);
  // The classic that backtracking engines hang on.
  CHECK_FALSE(TextFilter("^(a+)+$").matches(std::string(5000, 'a') + "!"));
}

TEST_CASE("credentials in headers are hidden, what names them isn't", "[secrets]") {
  CHECK(hide_in_header("Authorization", "Bearer abc.def") == "Bearer [value hidden]");
  CHECK(hide_in_header("authorization", "abc") == "[value hidden]");
  CHECK(hide_in_header("Cookie", "session=s3cret; theme=dark") == "session=[value hidden]; theme=[value hidden]");
  CHECK(hide_in_header("set-cookie", "session=s3cret; Path=/; HttpOnly") == "session=[value hidden]; Path=/; HttpOnly");
  CHECK(hide_in_header("X-Api-Key", "abc") == "[value hidden]");
  CHECK(hide_in_header("Accept", "text/html") == "text/html");
  CHECK(hide_in_header("Referer", "http://x/?token=abc&a=1") == "http://x/?token=[value hidden]&a=1");
  CHECK(hide_in_header("Location", "/cb?token=abc&a=1") == "/cb?token=[value hidden]&a=1");
  CHECK(hide_in_header(":path", "/cb;jsessionid=ab?a=1") == "/cb;jsessionid=[value hidden]?a=1");
  CHECK(hide_in_header("Link", "<https://u:p@x/>; rel=next") == "<https://[value hidden]@x/>; rel=next");
}

TEST_CASE("secrets in bodies are hidden, the rest stays as it was", "[secrets] [tool.secrets]") {
  CHECK(hide_in_body("user=ann&password=abc", "application/x-www-form-urlencoded") ==
        "user=ann&password=[value hidden]");
  CHECK(hide_in_body("user=ann&password=abc", "") == "user=ann&password=[value hidden]");
  const std::string json =
      R"({"user": "ann", "login": {"password" : "a\"b", "pin": 1234}, "list": [{"otp":"77"}], "n": 1})";
  CHECK(
      hide_in_body(json, "application/json") ==
      R"({"user": "ann", "login": {"password" : "[value hidden]", "pin": "[value hidden]"}, "list": [{"otp":"[value hidden]"}], "n": 1})");
  CHECK_THAT(hide_in_body(R"({"a":1,"password":"cut o)", "application/json"), !Contains("cut o"));
  CHECK(hide_in_body(R"({"password":{"set":true},"a":"password"})", "") ==
        R"({"password":{"set":true},"a":"password"})");
  CHECK(hide_in_body(R"({"otp":["1","2]"],"next":"https://x/?token=abc","shipping":"5"})", "") ==
        R"({"otp":"[value hidden]","next":"https://x/?token=[value hidden]","shipping":"5"})");
  CHECK_THAT(hide_in_body(R"({"pin":["1","2)", "application/json"), !Contains("1") && !Contains("2"));
  const std::string multipart =
      "--b\r\nContent-Disposition: form-data; name=\"user\"\r\n\r\nann\r\n--b\r\n"
      "Content-Disposition: form-data; name=\"password\"\r\n\r\nabc\r\n--b--\r\n";
  const auto hidden = hide_in_body(multipart, "multipart/form-data; boundary=b");
  CHECK_THAT(hidden, Contains("\r\n\r\nann\r\n") && Contains("\r\n\r\n[value hidden]\r\n--b--") && !Contains("abc"));
  CHECK(hide_in_body("just words, password=abc", "text/plain") == "just words, password=abc");
  CHECK(hide_in_body("", "").empty());
}

TEST_CASE("console messages are the same only where their place is the same too", "[tool.logs]") {
  const auto entry = [](const char* text, const char* url) {
    ConsoleEntry one;
    one.level = "error";
    one.text = text;
    one.url = url;
    return one;
  };
  const std::vector<ConsoleEntry> entries{entry("404", "http://a/users/1"), entry("404", "http://a/users/9"),
                                          entry("404", "http://a/users/9"), entry("boom", "http://a/x.js"),
                                          entry("404", "http://a/users/1")};
  const auto counts = [&](bool in_order) {
    std::vector<std::pair<std::size_t, std::size_t>> found;
    for (const auto& one : console_repeats(entries, in_order)) found.emplace_back(one.first, one.times);
    return found;
  };
  using Counts = std::vector<std::pair<std::size_t, std::size_t>>;
  CHECK(counts(true) == Counts{{0, 1}, {1, 2}, {3, 1}, {4, 1}});
  CHECK(counts(false) == Counts{{0, 2}, {1, 2}, {3, 1}});
}
