#include <ctime>

#include "server/mcp/jsonrpc.h"
#include "tests/support/catch.h"

using namespace bridle;
using namespace bridle::jsonrpc;

namespace {
Message one(std::string_view text) {
  auto parsed = parse(text);
  REQUIRE(parsed.ok);
  REQUIRE_FALSE(parsed.batch);
  REQUIRE(parsed.messages.size() == 1);
  return parsed.messages.front();
}
}  // namespace

TEST_CASE("jsonrpc: messages are told apart", "[wire.json-rpc]") {
  CHECK(one(R"({"jsonrpc":"2.0","id":1,"method":"m"})").kind == Message::Kind::request);
  CHECK(one(R"({"jsonrpc":"2.0","method":"m","params":{"a":1}})").kind == Message::Kind::notification);
  CHECK(one(R"({"jsonrpc":"2.0","id":1,"result":{}})").kind == Message::Kind::response);
  CHECK(one(R"({"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}})").kind == Message::Kind::response);
  CHECK(one(R"({"jsonrpc":"2.0","id":1,"result":{},"error":{}})").kind == Message::Kind::invalid);
  CHECK(one(R"({"jsonrpc":"2.0","id":1,"method":5})").kind == Message::Kind::invalid);
  CHECK(one(R"({"jsonrpc":"2.0","id":1,"method":"m","params":7})").kind == Message::Kind::invalid);
  CHECK(one(R"({"jsonrpc":"2.0"})").kind == Message::Kind::invalid);
  CHECK(one("null").kind == Message::Kind::invalid);
}

TEST_CASE("jsonrpc: an id keeps its type; fractions, booleans, null and monsters are none", "[wire.json-rpc]") {
  CHECK(one(R"({"jsonrpc":"2.0","id":0,"method":"m"})").id == "0");
  CHECK(one(R"({"jsonrpc":"2.0","id":"0","method":"m"})").id == "\"0\"");
  CHECK(one(R"({"jsonrpc":"2.0","id":"","method":"m"})").id == "\"\"");
  CHECK(one(R"({"jsonrpc":"2.0","id":-9223372036854775808,"method":"m"})").id == "-9223372036854775808");
  for (const char* id : {"1.5", "1.0", "1e3", "true", "null", "[]", "{}", "99999999999999999999999"}) {
    CAPTURE(id);
    const auto message = one(std::string(R"({"jsonrpc":"2.0","method":"m","id":)") + id + "}");
    CHECK(message.kind == Message::Kind::invalid);
    CHECK(message.id.empty());
  }
  CHECK(one(R"({"jsonrpc":"2.0","method":"m","id":")" + std::string(kMaxIdBytes - 2, 'x') + "\"}").kind ==
        Message::Kind::request);
  CHECK(one(R"({"jsonrpc":"2.0","method":"m","id":")" + std::string(kMaxIdBytes - 1, 'x') + "\"}").kind ==
        Message::Kind::invalid);
  CHECK(one(R"({"jsonrpc":"1.0","method":"m","id":7})").id == "7");  // echoed where it can be read
}

TEST_CASE("jsonrpc: what is no JSON is a parse error, never a crash", "[wire.json-rpc]") {
  for (const char* text : {"", "{", "[1,", "nul", "{\"a\":\"\\ud800\"}", "{\"a\":\"\xff\"}", "{\"a\":\"\xed\xa0\x80\"}",
                           "{} {}", "\xEF\xBB"}) {
    CAPTURE(text);
    CHECK_FALSE(parse(text).ok);
  }
  CHECK_FALSE(parse(std::string(1'000'000, '[')).ok);
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  CHECK(parse(nested(kMaxDepth)).ok);
  CHECK_FALSE(parse(nested(kMaxDepth + 1)).ok);
  CHECK(parse(R"({"jsonrpc":"2.0","method":")" + std::string(kMaxDepth + 1, '[') + "\"}").ok);  // brackets in a string
}

TEST_CASE("jsonrpc: too many values are refused before one of them is made", "[wire.json-bounds]") {
  const auto numbers = [](std::size_t count) {
    std::string text = R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"a":[0)";
    for (std::size_t i = 1; i < count; ++i) text += ",0";
    return text + "]}}";
  };
  // What is counted beside the elements: a value for each bracket and comma around them.
  constexpr std::size_t kAround = 6;
  CHECK(parse(numbers(kMaxValues - kAround)).ok);
  CHECK(parse(numbers(kMaxValues - kAround + 1)).problem == "Parse error: more than 100000 values");
  // 4 MiB of the smallest values there are: counted, never made.
  std::string many = "[";
  while (many.size() < 4'000'000) many += "[],";
  many += "[]]";
  const auto before = std::clock();
  CHECK_FALSE(parse(many).ok);
  CHECK(std::clock() - before < CLOCKS_PER_SEC / 10);
  // What stands in a string is no value.
  CHECK(parse(R"({"jsonrpc":"2.0","method":")" + std::string(kMaxValues + 1, ',') + "\"}").ok);
  CHECK(parse(R"({"jsonrpc":"2.0","method":"\",)" + std::string(kMaxValues + 1, '[') + "\"}").ok);
}

TEST_CASE("jsonrpc: batches keep their order, and tell bad members apart", "[wire.batch]") {
  const auto parsed = parse(R"([{"jsonrpc":"2.0","id":1,"method":"a"},7,{"jsonrpc":"2.0","method":"b"}])");
  REQUIRE(parsed.batch);
  REQUIRE(parsed.messages.size() == 3);
  CHECK(parsed.messages[0].method == "a");
  CHECK(parsed.messages[1].kind == Message::Kind::invalid);
  CHECK(parse("[]").messages.empty());
}

TEST_CASE("jsonrpc: answers leave an unknown id out and repair what is no UTF-8", "[wire.json-rpc]") {
  CHECK(result("1", "{}") == R"({"jsonrpc":"2.0","id":1,"result":{}})");
  CHECK(error("", -32700, "bad") == R"({"jsonrpc":"2.0","error":{"code":-32700,"message":"bad"}})");
  const auto repaired = Json::parse(error("\"a\"", 1, "caf\xe9 \"x\"", {{"k", "\xff"}}));
  CHECK(repaired["id"] == "a");
  CHECK(repaired["error"]["data"]["k"] == "\xEF\xBF\xBD");
  CHECK(Json::parse(notification("n", nullptr)) == Json{{"jsonrpc", "2.0"}, {"method", "n"}});
}
