#include "base/text/text.h"
#include "tests/support/catch.h"

using namespace bridle;

TEST_CASE("case is ASCII's: every other byte stays, negative chars too") {
  for (int i = 0; i < 256; ++i) {
    const char c = static_cast<char>(i);
    const bool is_upper = i >= 'A' && i <= 'Z';
    const bool is_lower = i >= 'a' && i <= 'z';
    CAPTURE(i);
    CHECK(lower(c) == (is_upper ? static_cast<char>(i + 32) : c));
    CHECK(upper(c) == (is_lower ? static_cast<char>(i - 32) : c));
  }
  CHECK(lower("\xC3\x84 Ab") == "\xC3\x84 ab");
  CHECK(upper("\xC3\xA4 aB") == "\xC3\xA4 AB");
  CHECK(equals_ignoring_case("aBc-1", "AbC-1"));
  CHECK_FALSE(equals_ignoring_case("abc", "ab"));
  CHECK_FALSE(equals_ignoring_case("\xC3\x84", "\xC3\xA4"));
}

TEST_CASE("text is trimmed of the blanks that are named") {
  CHECK(trimmed(" \t a b\t ") == "a b");
  CHECK(trimmed(" \t ").empty());
  CHECK(trimmed("").empty());
  CHECK(trimmed("a\r\n") == "a\r\n");
  CHECK(trimmed("\ra\r\n", " \r\n") == "a");
}

TEST_CASE("text is taken apart at a separator") {
  std::string_view rest = "a,,b";
  CHECK(take_until(rest, ',') == "a");
  CHECK(take_until(rest, ',').empty());
  CHECK(take_until(rest, ',') == "b");
  CHECK(rest.empty());
  CHECK(take_until(rest, ',').empty());
  CHECK(split("a,,b,", ',') == std::vector<std::string>{"a", "b"});
  CHECK(split(",", ',').empty());
  CHECK(split("", ',').empty());
}

TEST_CASE("tokens have no blank, no separator and nothing beyond ASCII") {
  CHECK(is_token("x-Name_1!#$%&'*+.^`|~"));
  for (const char* text : {"", "a b", "a:", "a/b", "(a)", "a\"", "\xC3\xA9", "a\n"}) CHECK_FALSE(is_token(text));
}

TEST_CASE("characters are counted, not bytes") {
  CHECK(characters("") == 0);
  CHECK(characters("a\xC3\xA9\xE2\x82\xAC") == 3);
}

TEST_CASE("a count of one is told in the singular", "[text] [tool.logs]") {
  CHECK(counted(0, "byte") == "0 bytes");
  CHECK(counted(1, "byte") == "1 byte");
  CHECK(counted(2, "new console error") == "2 new console errors");
}

TEST_CASE("a code point is appended as UTF-8", "[text]") {
  std::string text;
  for (const unsigned code : {0x41U, 0xE9U, 0x20ACU, 0x1F600U}) append_utf8(text, code);
  CHECK(text == "A\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
}
