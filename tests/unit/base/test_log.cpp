#include <string>

#include "base/text/log.h"
#include "tests/support/catch.h"

using namespace bridle;

TEST_CASE("loggable: plain words stay as they are", "[log]") {
  CHECK(loggable("").empty());
  CHECK(loggable("the user pressed stop") == "the user pressed stop");
  CHECK(loggable("größer als 2 €, 日本語, 🐎") == "größer als 2 €, 日本語, 🐎");
}

TEST_CASE("loggable: what could break the line or drive a terminal is escaped", "[log]") {
  CHECK(loggable("a\nb\r\tc") == "a\\x0ab\\x0d\\x09c");
  CHECK(loggable(std::string_view("nul\0", 4)) == "nul\\x00");
  CHECK(loggable("\x1b[31mred\x7f") == "\\x1b[31mred\\x7f");
  CHECK(loggable("\xC2\x9B"
                 "31m") == "\\u009b31m");  // CSI as one C1 character
  CHECK(loggable("line\xE2\x80\xA8separator") == "line\\u2028separator");
  CHECK(loggable("\xE2\x80\xAEtxt.exe") == "\\u202etxt.exe");  // right-to-left override
}

TEST_CASE("loggable: bytes that are no UTF-8 are escaped one by one", "[log]") {
  CHECK(loggable("\xFF\xFE") == "\\xff\\xfe");
  CHECK(loggable("cut \xE2\x82") == "cut \\xe2\\x82");            // a character that ends too early
  CHECK(loggable("\xC0\xAF") == "\\xc0\\xaf");                    // overlong
  CHECK(loggable("\xED\xA0\x80") == "\\xed\\xa0\\x80");           // a surrogate
  CHECK(loggable("\xF4\x90\x80\x80") == "\\xf4\\x90\\x80\\x80");  // beyond U+10FFFF
  CHECK(loggable("\x80\x80") == "\\x80\\x80");
}

TEST_CASE("loggable: never longer than max, the ellipsis included", "[log]") {
  CHECK(loggable(std::string(200, 'a')) == std::string(200, 'a'));
  CHECK(loggable(std::string(201, 'a')) == std::string(197, 'a') + "…");
  CHECK(loggable("abcdef", 6) == "abcdef");
  CHECK(loggable("abcdef", 5) == "ab…");
  CHECK(loggable("ab🐎cd", 7) == "ab…");   // never inside a character
  CHECK(loggable("ab\ncd", 7) == "ab…");  // nor inside an escape
  CHECK(loggable("abc", 2).empty());
  CHECK(loggable("abc", 0).empty());
  for (const std::string piece : {"\x80", "\n", "é", "🐎", "x"}) {
    std::string text;
    while (text.size() < 1000) text += piece;
    for (std::size_t max = 0; max < 40; ++max) {
      CAPTURE(piece, max);
      CHECK(loggable(text, max).size() <= max);
    }
  }
}

TEST_CASE("init_log takes the known levels and refuses others", "[log]") {
  const auto previous = spdlog::default_logger();
  for (const char* level : {"trace", "debug", "info", "warn", "error", "off"}) {
    CAPTURE(level);
    CHECK(init_log(level));
    CHECK(spdlog::default_logger()->level() == spdlog::level::from_str(level));
  }
  CHECK_FALSE(init_log("loud"));
  CHECK_FALSE(init_log(""));
  CHECK_FALSE(init_log("OFF"));
  spdlog::set_default_logger(previous);
}
