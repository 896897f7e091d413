#include <chrono>

#include "base/text/codecs.h"
#include "base/text/named_secrets.h"
#include "tests/support/catch.h"

using namespace bridle;

namespace {

using SecretMap = std::map<std::string, std::string>;

// Those of this test alone.
struct Given {
  explicit Given(const SecretMap& secrets) { set_named_secrets(secrets); }
  ~Given() { set_named_secrets({}); }
};

std::string hidden(std::string text) {
  hide_named_secrets(text);
  return text;
}

}  // namespace

TEST_CASE("named secrets: typed by name, whole or within {{ }}", "[secrets] [tool.secrets.named]") {
  CHECK(with_named_secrets("PASS") == "PASS");
  const Given given(SecretMap{{"PASS", "p4ss word"}, {"USER", "ada@example.com"}});
  CHECK(with_named_secrets("PASS") == "p4ss word");
  CHECK(with_named_secrets("{{USER}}:{{ PASS }}!") == "ada@example.com:p4ss word!");
  CHECK(with_named_secrets("PASS ") == "PASS ");
  CHECK(with_named_secrets("{{NONE}} {{PASS") == "{{NONE}} {{PASS");
  CHECK(with_named_secrets("{{{{PASS}}") == "{{p4ss word");
}

TEST_CASE("named secrets: hidden as they are, and in the forms that pages and protocols give them",
          "[secrets] [tool.secrets.named]") {
  const std::string value = "P4ss/\"w&rd<1>' ~x";
  const Given given(SecretMap{{"PASS", value}});
  const std::string shown = "<secret>PASS</secret>";
  CHECK(hidden("a " + value + " b " + value) == "a " + shown + " b " + shown);
  CHECK(hidden("nothing here") == "nothing here");
  CHECK(hidden(dump(value)) == "\"" + shown + "\"");
  CHECK(hidden(dump(dump(value))) == R"("\")" + shown + R"(\"")");
  CHECK(hidden("?q=" + percent_encode(value)) == "?q=" + shown);
  CHECK(hidden("?q=P4ss%2f%22w%26rd%3c1%3e%27%20~x") == "?q=" + shown);
  CHECK(hidden("?q=P4ss%2F%22w%26rd%3C1%3E'%20~x&b") == "?q=" + shown + "&b");  // encodeURIComponent
  CHECK(hidden("q=P4ss%2F%22w%26rd%3C1%3E%27+%7Ex") == "q=" + shown);           // a form
  CHECK(hidden("<p>P4ss/\"w&amp;rd&lt;1&gt;' ~x</p>") == "<p>" + shown + "</p>");
  CHECK(hidden("v=\"P4ss/&quot;w&amp;rd&lt;1&gt;&#39; ~x\"") == "v=\"" + shown + "\"");
  for (const std::string before : {"", "a", "ab", "user:"}) {
    CAPTURE(before);
    for (const auto& text : {base64(before + value + "xyz"), base64url(before + value), base64(before + value)}) {
      CHECK(hidden(text).find(shown) != std::string::npos);
    }
  }
  CHECK(hidden("cut: P4ss/\"w…") == "cut: " + shown + "…");
  CHECK(hidden("cut: P4…") == "cut: P4…");
}

TEST_CASE("named secrets: the longest counts, a name is never searched, short ones aren't looked for in pictures",
          "[secrets] [tool.secrets.named]") {
  const Given given(SecretMap{{"A", "secret"}, {"B", "secret-long"}, {"C", "abcd"}});
  CHECK(hidden("secret-long secret") == "<secret>B</secret> <secret>A</secret>");
  std::string picture = R"({"data":")" + std::string(400, 'x') + "abcd" + R"(","text":"abcd"})";
  const auto before = picture;
  hide_named_secrets_in_message(picture);
  CHECK(picture == R"({"data":")" + std::string(400, 'x') + "abcd" + R"(","text":"<secret>C</secret>"})");
  std::string named = R"({"data":"abcd"})";
  hide_named_secrets_in_message(named);
  CHECK(named == R"({"data":"<secret>C</secret>"})");
  CHECK(file_name_without_secrets("a-secret.txt") == "a-(A).txt");
}

TEST_CASE("named secrets: in all of a value, names too", "[secrets] [tool.secrets.named]") {
  const Given given(SecretMap{{"PASS", "hush-hush"}});
  Json value{{"a", "x hush-hush"}, {"hush-hush", {1, "hush-hush", nullptr}}, {"n", 5}};
  hide_named_secrets(value);
  CHECK(value == Json{{"a", "x <secret>PASS</secret>"},
                      {"<secret>PASS</secret>", {1, "<secret>PASS</secret>", nullptr}},
                      {"n", 5}});
}

TEST_CASE("named secrets: without any, nothing is looked at", "[secrets] [tool.secrets.named]") {
  CHECK_FALSE(has_named_secrets());
  std::string large(64 * 1024 * 1024, 'x');
  const auto begun = std::clock();  // of the processor: a busy machine takes none of it
  for (int i = 0; i < 1000; ++i) hide_named_secrets_in_message(large);
  // One look at a byte of it each would take seconds.
  CHECK(std::clock() - begun < CLOCKS_PER_SEC / 10);
}
