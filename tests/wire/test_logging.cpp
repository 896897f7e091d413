// Log messages for the client [wire.logging]: its level decides, per session or per request.

#include "tests/support/catch.h"
#include "tests/wire/support/mcp_client.h"
#include "tests/wire/support/test_server.h"

using namespace bridle;
using namespace bridle::wire;

namespace {

// Levels of the log messages on the call's stream.
std::vector<std::string> logged(McpClient& client, const Json& id, const Json& level = nullptr) {
  Json call = client.call_request(id, "test_logging_tool", Json::object());
  if (!level.is_null()) call["params"]["_meta"]["io.modelcontextprotocol/logLevel"] = level;
  std::vector<std::string> levels;
  for (const Json& message : client.start(call)->all_messages()) {
    if (message.value("method", "") != "notifications/message") continue;
    levels.push_back(message["params"]["level"].get<std::string>());
    CHECK(message["params"]["logger"] == "bridle");
  }
  return levels;
}

}  // namespace

TEST_CASE("logging: in a session logging/setLevel decides; in 2026-07-28 each request, and nothing without its word",
          "[wire.logging]") {
  TestServer server({}, true);
  McpClient legacy(server.port());
  legacy.open();
  const auto set_level = [&](const char* level) {
    const Json request = {
        {"jsonrpc", "2.0"}, {"id", level}, {"method", "logging/setLevel"}, {"params", {{"level", level}}}};
    CHECK(legacy.post(request).only().contains("result"));
  };
  set_level("warning");
  CHECK(logged(legacy, 1).empty());
  set_level("info");
  CHECK(logged(legacy, 2) == std::vector<std::string>{"info"});
  McpClient other(server.port());  // a level is of its session
  other.open();
  set_level("emergency");
  CHECK(logged(other, 1) == std::vector<std::string>{"info"});

  McpClient modern(server.port(), Revision::v2026_07_28);
  CHECK(logged(modern, 1).empty());
  CHECK(logged(modern, 2, "warning").empty());
  CHECK(logged(modern, 3, "debug") == std::vector<std::string>{"info"});
  CHECK(logged(modern, 4).empty());  // nothing is inferred from the request before
}
