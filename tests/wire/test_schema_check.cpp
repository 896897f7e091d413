// What holds every message of the wire tests against its revision's schema must itself refuse what doesn't fit.

#include "tests/support/catch.h"
#include "tests/wire/support/schema_check.h"

using namespace bridle;
using namespace bridle::wire;
using Json = nlohmann::json;

TEST_CASE("schema check: what a revision asks for is missed, and what it knows passes", "[wire.fields]") {
  const auto answer = [](const Json& result) { return Json{{"jsonrpc", "2.0"}, {"id", 1}, {"result", result}}; };
  const Json call = {{"content", {{{"type", "text"}, {"text", "x"}}}}};
  Json modern = call;
  modern["resultType"] = "complete";
  for (const auto revision : kRevisions) {
    CAPTURE(to_string(revision));
    const Json good = answer(is_modern(revision) ? modern : call);
    CHECK(check_message(revision, "tools/call", good) == "");
    CHECK(check_message(revision, "tools/call", answer({{"content", "x"}})) != "");
    CHECK(check_message(revision, "tools/call", answer({{"content", {{{"type", "text"}}}}})) != "");
    CHECK(check_message(revision, "tools/list", answer({{"tools", {{{"name", "x"}}}}})) != "");  // no inputSchema
    Json untyped = good;
    untyped.erase("jsonrpc");
    CHECK(check_message(revision, "tools/call", untyped) != "");
    CHECK(check_message(revision, "", {{"jsonrpc", "2.0"}, {"id", 1}, {"error", {{"message", "no code"}}}}) != "");
  }
  CHECK(check_message(Revision::v2026_07_28, "tools/call", answer(call)) != "");  // no resultType
  CHECK(check_message(Revision::v2026_07_28, "tools/list",
                      answer({{"tools", Json::array()}, {"resultType", "complete"}})) !=
        "");  // no ttlMs, no cacheScope
}
