#include "tests/support/catch.h"
#include "tests/wire/support/mcp_client.h"
#include "tests/wire/support/test_server.h"

using namespace bridle;
using namespace bridle::wire;

namespace {
const Json kPing = {{"jsonrpc", "2.0"}, {"id", 1}, {"method", "ping"}};
const Json kList = {{"jsonrpc", "2.0"}, {"id", 2}, {"method", "tools/list"}};
}  // namespace

TEST_CASE("lifecycle: each legacy revision initializes, lists, calls and ends", "[wire.revisions] [tool.endpoints]") {
  TestServer server;
  for (const Revision revision : {Revision::v2025_03_26, Revision::v2025_06_18, Revision::v2025_11_25}) {
    McpClient client(server.port(), revision);
    client.open();
    CHECK(client.post(kPing).only()["result"] == Json::object());
    const auto tools = client.post(kList).only()["result"]["tools"];
    CHECK(tools.size() == server.toolbox.all().size());
    CHECK(client.call(3, "instant", Json::object()).text() == "now");
    CHECK(client.call(4, "instant", Json::object(), kJsonOnly).text() == "now");
    CHECK(client.call("4", "media", Json::object()).status == 200);
    CHECK(client.remove() == 200);
    CHECK(client.post(kPing).status == 404);
    CHECK(client.remove() == 404);
  }
}

TEST_CASE("initialize: unknown versions, and the modern one, are answered with the latest legacy one",
          "[wire.initialize]") {
  TestServer server;
  for (const char* version : {"1999-01-01", "2099-01-01", "2026-07-28", "nonsense"}) {
    McpClient client(server.port());
    const auto answer = client.post({{"jsonrpc", "2.0"},
                                     {"id", "a"},
                                     {"method", "initialize"},
                                     {"params",
                                      {{"protocolVersion", version},
                                       {"capabilities", Json::object()},
                                       {"clientInfo", {{"name", "x"}, {"version", "1"}}}}}});
    CHECK(answer.status == 200);
    CHECK(answer.only()["id"] == "a");
    CHECK(answer.only()["result"]["protocolVersion"] == "2025-11-25");
  }
}

TEST_CASE("initialize without a version, or with endless capabilities: -32602 and no session; a second one: 400",
          "[wire.initialize]") {
  TestServer server;
  McpClient client(server.port());
  const Json endless = {{"protocolVersion", "2025-11-25"},
                        {"capabilities", {{"experimental", {{"x", std::string(64 * 1024, 'x')}}}}}};
  for (const Json& params : {Json::object(), endless}) {
    const auto refused = client.post({{"jsonrpc", "2.0"}, {"id", 7}, {"method", "initialize"}, {"params", params}});
    CHECK(refused.status == 200);
    CHECK(refused.error_code() == -32602);
    CHECK(refused.reply.header("Mcp-Session-Id").empty());
    CHECK(server.server->sessions().size() == 0);
  }
  client.open();
  const auto second = client.post(
      {{"jsonrpc", "2.0"}, {"id", 8}, {"method", "initialize"}, {"params", {{"protocolVersion", "2025-11-25"}}}});
  CHECK(second.status == 400);
  CHECK(second.error_code() == -32600);
  CHECK(second.only()["id"] == 8);
}

TEST_CASE("statuses: bodies", "[wire.errors.legacy] [wire.errors.words] [wire.accepted]") {
  TestServer server;
  McpClient client(server.port());
  client.open();
  const Headers base = {{"Accept", kBoth}, {"Mcp-Session-Id", client.session()}};
  const auto post = [&](const std::string& body, const Headers& headers) {
    return client.http("POST", "/mcp", body, headers);
  };
  struct Row {
    const char* body;
    int status;
    int code;
  };
  const Row rows[] = {
      {"{", 400, -32700},
      {"", 415, -32600},
      {"\"text\"", 400, -32600},
      {"7", 400, -32600},
      {R"({"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"\ud800"}})", 400, -32700},
      {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"p\xff\"}", 400, -32700},
      {R"({"jsonrpc":"2.0","id":null,"method":"ping"})", 400, -32600},
      {R"({"jsonrpc":"2.0","id":1.5,"method":"ping"})", 400, -32600},
      {R"({"jsonrpc":"2.0","id":true,"method":"ping"})", 400, -32600},
      {R"({"jsonrpc":"1.0","id":1,"method":"ping"})", 400, -32600},
      {R"({"id":1,"method":"ping"})", 400, -32600},
      {R"({"jsonrpc":"2.0","id":1})", 400, -32600},
      {R"({"jsonrpc":"2.0","id":1,"method":"no/such"})", 200, -32601},
      {R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"no_such_tool"}})", 200, -32602},
      {R"({"jsonrpc":"2.0","id":3,"method":"tools/call","params":{}})", 200, -32602},
      {R"({"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"instant","arguments":[]}})", 200, -32602},
      {R"({"jsonrpc":"2.0","id":5,"method":"tools/list","params":{"cursor":"bogus"}})", 200, -32602},
      {R"({"jsonrpc":"2.0","id":6,"method":"tools/list","params":{"cursor":7}})", 200, -32602},
      {R"({"jsonrpc":"2.0","id":7,"method":"logging/setLevel","params":{"level":"loud"}})", 200, -32602},
      {R"([])", 400, -32600},
      {R"([{"jsonrpc":"2.0","id":1,"method":"ping"}])", 400, -32600}};
  for (const Row& row : rows) {
    CAPTURE(row.body);
    const auto answer = post(row.body, base);
    CHECK(answer.status == row.status);
    CHECK(answer.error_code() == row.code);
    CHECK(answer.reply.header("Content-Type") == "application/json");
    if (!answer.messages.empty() && answer.messages[0].contains("id")) CHECK_FALSE(answer.messages[0]["id"].is_null());
  }
  // Nested far too deeply: refused, not crashed.
  CHECK(post(std::string(200'000, '['), base).error_code() == -32700);
}

TEST_CASE(
    "statuses: headers and methods",
    "[wire.errors.legacy] [wire.version-header] [wire.accept] [wire.loopback] [wire.session] [wire.get] [wire.sse]") {
  TestServer server;
  McpClient client(server.port());
  client.open();
  const std::string ping = kPing.dump();
  const auto post = [&](Headers headers) { return client.http("POST", "/mcp", ping, headers).status; };
  const std::pair<std::string, std::string> mine{"Mcp-Session-Id", client.session()};
  CHECK(post({mine, {"Content-Type", "text/plain"}}) == 415);
  CHECK(post({mine, {"Content-Type", "application/json; charset=utf-8"}}) == 200);
  CHECK(post({mine, {"Content-Encoding", "gzip"}}) == 415);
  CHECK(post({mine, {"Accept", "text/html"}}) == 406);
  CHECK(post({mine, {"Accept", "*/*"}}) == 200);
  CHECK(post({mine}) == 200);
  CHECK(post({{"Accept", kBoth}}) == 400);
  CHECK(post({{"Mcp-Session-Id", "unknown"}}) == 404);
  CHECK(post({mine, {"MCP-Protocol-Version", "1999-01-01"}}) == 400);
  CHECK(post({mine, {"MCP-Protocol-Version", "2025-06-18"}}) == 200);
  CHECK(client.http("PUT", "/mcp", ping, {mine}).status == 405);
  CHECK(client.http("DELETE", "/mcp", "", {}).status == 400);
  CHECK(client.http("DELETE", "/mcp", "", {{"Mcp-Session-Id", "unknown"}}).status == 404);
  CHECK(client.http("GET", "/mcp", "", {{"Accept", "text/event-stream"}}).status == 405);
  CHECK(client.http("GET", "/mcp", "", {{"Accept", "text/event-stream"}, {"Mcp-Session-Id", "unknown"}}).status == 404);
  CHECK(client.http("GET", "/mcp", "", {{"Accept", "application/json"}, mine}).status == 406);
  CHECK(client.http("GET", "/nowhere", "", {}).status == 404);
  CHECK(client.http("GET", "/.well-known/oauth-authorization-server", "", {}).status == 404);
  CHECK(client.http("GET", "/.well-known/oauth-protected-resource/mcp", "", {}).reply.header("Content-Type") ==
        "application/json");
  CHECK(client.http("GET", "/healthz", "", {}).status == 200);
}

TEST_CASE("results: tool errors, unexpected ones, argument errors",
          "[cancel.states.meaning] [cancel.test-tools] [wire.unknown-tool] [tool.testing]") {
  TestServer server;
  McpClient client(server.port());
  client.open();
  const auto failed = client.call(1, "fails", Json::object());
  CHECK(failed.is_error_result());
  CHECK(failed.text() == "it can't be done: try less");
  const auto exploded = client.call(2, "explodes", Json::object());
  CHECK(exploded.error_code() == -32603);
  CHECK(exploded.only().dump().find("secret") == std::string::npos);
  CHECK(client.call(3, "leaks_abort", Json::object()).error_code() == -32603);
  const auto wrong = client.call(4, "test_sleep", {{"secondz", 1}});
  CHECK(wrong.is_error_result());
  CHECK(wrong.text().find("did you mean \"seconds\"") != std::string::npos);
  CHECK(client.call(5, "test_sleep", {{"seconds", nullptr}}).is_error_result());
  const auto recent = server.status()["recent"];
  REQUIRE(recent.size() == 3);
  CHECK(recent[0]["state"] == "error");
  CHECK(recent[1]["state"] == "error");
  CHECK(recent[2]["state"] == "completed");
}

TEST_CASE("revisions: fields of another era never appear", "[wire.fields]") {
  TestServer server;
  for (const Revision revision : {Revision::v2025_03_26, Revision::v2025_06_18, Revision::v2025_11_25}) {
    McpClient client(server.port(), revision);
    client.open();
    CAPTURE(to_string(revision));
    const bool structured = has_structured_content(revision);
    const auto list = client.post(kList);
    for (const Json& tool : list.only()["result"]["tools"]) {
      CHECK(tool.contains("title") == structured);
      CHECK(tool.contains("outputSchema") == (structured && tool["name"] == "media"));
      CHECK(tool.contains("annotations"));
      CHECK_FALSE(tool.contains("icons"));
    }
    const auto result = client.call(9, "media", Json::object()).only()["result"];
    CHECK(result.contains("structuredContent") == structured);
    CHECK(result["content"][1]["data"] == "aGVsbG8=");
    CHECK(result["content"][4]["type"] == (structured ? "resource_link" : "text"));
    CHECK_FALSE(result.contains("resultType"));
  }
}

TEST_CASE("batches: 2025-03-26 takes them, in parallel, with a cancel of its own request", "[wire.batch]") {
  TestServer server;
  McpClient client(server.port(), Revision::v2025_03_26);
  client.open();
  const Json batch = {kPing,
                      client.call_request(10, "instant", Json::object()),
                      client.call_request(11, "fails", Json::object()),
                      {{"jsonrpc", "2.0"}, {"method", "notifications/initialized"}}};
  for (const char* accept : {kBoth, kJsonOnly}) {
    const auto answer = client.post(batch, accept);
    CHECK(answer.status == 200);
    REQUIRE(answer.messages.size() == 3);
    std::vector<Json> ids;
    for (const Json& message : answer.messages) ids.push_back(message["id"]);
    for (const Json& id : {Json(1), Json(10), Json(11)}) CHECK(std::count(ids.begin(), ids.end(), id) == 1);
  }
  Json cancel = {{"jsonrpc", "2.0"}, {"method", "notifications/cancelled"}, {"params", {{"requestId", 20}}}};
  for (const char* accept : {kBoth, kJsonOnly}) {
    const Json id = accept == kBoth ? 20 : 21;
    cancel["params"]["requestId"] = id;
    const auto answer = client.post({client.call_request(id, "gate", Json::object()), cancel}, accept);
    CHECK(answer.messages.empty());
    CHECK(answer.status == (accept == kJsonOnly ? 202 : 200));
  }
  CHECK(client.post(Json::array({cancel, cancel})).status == 202);
  CHECK(client.post(Json::array({Json{{"jsonrpc", "2.0"}, {"id", 1}, {"method", "initialize"}}})).status == 400);
  CHECK(client.post(Json::array()).status == 400);
}

TEST_CASE("sessions: expire when idle, make room, and live while a stream or a call is open", "[wire.session.idle]") {
  TestServer server([](ServerOptions& options) {
    options.sessions.idle = Millis(300);
    options.sessions.max_sessions = 3;
  });
  McpClient idle(server.port());
  idle.open();
  McpClient calling(server.port());
  calling.open();
  McpClient streaming(server.port());
  streaming.open();
  auto call = calling.start(calling.call_request("long", "gate", Json::object()));
  auto stream = streaming.get();
  CHECK(call->head().status == 200);
  CHECK(stream->head().status == 200);
  CHECK(eventually([&] { return server.server->sessions().size() == 2; }));
  CHECK(idle.post(kPing).status == 404);
  McpClient third(server.port());
  third.open();
  McpClient fourth(server.port());
  fourth.open();  // the third, idle, made room
  CHECK(third.post(kPing).status == 404);
  CHECK(calling.post(kPing).status == 200);
  CHECK(streaming.post(kPing).status == 200);
  server.open_gate();
  CHECK(call->all_messages().size() == 1);
}
