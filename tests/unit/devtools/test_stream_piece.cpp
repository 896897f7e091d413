#include "tests/support/catch.h"
#include "tools/devtools/parse/stream_piece.h"

using namespace bridle;

namespace {

constexpr const char* kHead = R"({"id":7,"result":{"base64Encoded":false,"data":")";
constexpr const char* kTail = R"(","eof":false},"sessionId":"S"})";

std::string message(const std::string& escaped) { return kHead + escaped + kTail; }

}  // namespace

TEST_CASE("a piece of a stream is read as Chromium writes it, without a parser", "[devtools][stream_piece]") {
  const auto piece = scan_stream_piece(message(R"({\"a\":\"b\\\\c\",\n\t\u003Ch1>\u00e9\u20ac \/)"));
  REQUIRE(piece);
  CHECK(piece->data == "{\"a\":\"b\\\\c\",\n\t<h1>\xC3\xA9\xE2\x82\xAC /");
  CHECK_FALSE(piece->eof);
  CHECK(scan_stream_piece(R"({"id":7,"result":{"base64Encoded":false,"data":"","eof":true}})")->eof);
  CHECK(scan_stream_piece(R"({"id":7,"result":{"base64Encoded":true,"data":"aGk=","eof":false}})")->data == "hi");
}

TEST_CASE("a piece of a stream in another form is parsed, and comes to the same", "[devtools][stream_piece]") {
  const std::string other = R"({"result":{"eof":true,"data":"a\u0041"},"id":7})";
  CHECK_FALSE(scan_stream_piece(other));
  CHECK(stream_piece(other).data == "aA");
  CHECK(stream_piece(other).eof);
  const std::string twice = R"({"id":7,"result":{"base64Encoded":false,"data":"a","eof":false},"result":{"data":"b"}})";
  CHECK_FALSE(scan_stream_piece(twice));
  CHECK(stream_piece(twice).data == "b");
  // A pair of surrogates is one character, and half of one is none.
  CHECK_FALSE(scan_stream_piece(message(R"(\ud83d\ude00)")));
  CHECK(stream_piece(message(R"(\ud83d\ude00)")).data == "\xF0\x9F\x98\x80");
  CHECK(stream_piece(message(R"(x\ud83dy)")).data == "x\xEF\xBF\xBDy");
}

TEST_CASE("what is no reply to a read of a stream is refused", "[devtools][stream_piece]") {
  for (const std::string bad : {"", "{\"id\":7", "{}", "[]", R"({"id":7,"result":{"base64Encoded":false,"data":"a)"}) {
    CHECK_FALSE(scan_stream_piece(bad));
    CHECK_THROWS_AS(stream_piece(bad), Json::exception);
  }
  CHECK_FALSE(scan_stream_piece(message("\\")));
  CHECK_FALSE(scan_stream_piece(message("\\u12")));
  CHECK_FALSE(scan_stream_piece(message("\\q")));
}
