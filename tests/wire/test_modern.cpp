#include "tests/support/catch.h"
#include "tests/support/stopwatch.h"
#include "tests/wire/support/mcp_client.h"
#include "tests/wire/support/test_server.h"

using namespace bridle;
using namespace bridle::wire;

using bridle::testing::Stopwatch;

TEST_CASE("modern: discover, list and call without a session", "[wire.revisions] [wire.discover] [wire.server-info]") {
  TestServer server;
  McpClient client(server.port(), kModern);
  const auto found = client.post(request("server/discover", "probe"));
  CHECK(found.status == 200);
  CHECK(found.only()["id"] == "probe");
  const auto result = found.only()["result"];
  CHECK(result["supportedVersions"].size() == 5);
  CHECK(result["resultType"] == "complete");
  CHECK(result["ttlMs"].is_number_integer());
  CHECK(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "bridle");
  CHECK(found.reply.header("Mcp-Session-Id").empty());
  const auto tools = client.post(request("tools/list")).only()["result"];
  CHECK(tools["cacheScope"] == "private");
  for (const char* accept : {kBoth, kJsonOnly, "text/event-stream"}) {
    const auto answer = client.call(2, "media", Json::object(), accept);
    CHECK(answer.only()["result"]["resultType"] == "complete");
    CHECK(answer.only()["result"]["structuredContent"]["answer"] == 42);
  }
  CHECK(client.call(3, "test_sleep", {{"seconds", -1}}).is_error_result());
  CHECK(client.call(3, "no_such_tool", Json::object()).error_code() == -32602);
  CHECK(server.server->sessions().size() == 0);
}

TEST_CASE("modern: statuses and codes", "[wire.era] [wire.envelope] [wire.errors.modern] [wire.headers]") {
  TestServer server;
  McpClient client(server.port(), kModern);
  const auto check = [&](const Answer& answer, int status, int code) {
    CHECK(answer.status == status);
    CHECK(answer.error_code() == code);
  };
  for (const char* method : {"ping", "logging/setLevel", "resources/subscribe", "no/such"}) {
    CAPTURE(method);
    check(client.post(request(method)), 404, -32601);
  }
  check(client.post(request("initialize")), 404, -32601);
  check(client.post(request("tools/list"), kBoth, {{"Mcp-Method", "tools/call"}}), 400, -32020);
  check(client.post(request("tools/list"), kBoth, {{"Mcp-Method", "tools/list"}, {"Mcp-Method", "x"}}), 400, -32020);
  check(client.post(request("tools/list"), kBoth, {{"MCP-Protocol-Version", "2025-11-25"}}), 400, -32020);
  check(client.post(client.call_request(1, "instant", Json::object()), kBoth, {{"Mcp-Name", "other"}}), 400, -32020);
  check(
      client.post(client.call_request(1, "instant", Json::object()), kBoth, {{"Mcp-Name", "=?base64?aW5zdGFudA==?="}}),
      200, 0);
  check(client.post(client.call_request(1, "instant", Json::object()), kBoth, {{"Mcp-Name", "=?base64?aW5zdGFudA=?="}}),
        400, -32020);
  check(client.post(client.call_request(1, "instant", Json::object()), kBoth, {{"Mcp-Name", "inst\xC3\xA4nt"}}), 400,
        -32020);
  check(client.post(Json::array({request("tools/list")})), 400, -32600);
  CHECK(
      client.post({{"jsonrpc", "2.0"}, {"method", "notifications/cancelled"}, {"params", {{"requestId", 1}}}}).status ==
      202);
  // By hand: envelopes that the client would repair.
  const auto raw = [&](Json message, Headers headers) {
    headers.emplace_back("Accept", kBoth);
    return client.http("POST", "/mcp", message.dump(), headers);
  };
  const Json meta = {{"io.modelcontextprotocol/protocolVersion", "2026-07-28"},
                     {"io.modelcontextprotocol/clientCapabilities", Json::object()}};
  const Headers modern = {{"MCP-Protocol-Version", "2026-07-28"}, {"Mcp-Method", "tools/list"}};
  check(raw(request("tools/list"), modern), 400, -32602);
  Json half = meta;
  half.erase("io.modelcontextprotocol/clientCapabilities");
  check(raw(request("tools/list", 1, {{"_meta", half}}), modern), 400, -32602);
  check(raw(request("tools/list", 1, {{"_meta", meta}}), {{"Mcp-Method", "tools/list"}}), 400, -32020);
  check(raw(request("tools/list", 1, {{"_meta", meta}}), {{"MCP-Protocol-Version", "2026-07-28"}}), 400, -32020);
  Json other = meta;
  other["io.modelcontextprotocol/protocolVersion"] = "2099-01-01";
  const auto unsupported = raw(request("tools/list", 9, {{"_meta", other}}),
                               {{"MCP-Protocol-Version", "2099-01-01"}, {"Mcp-Method", "tools/list"}});
  check(unsupported, 400, -32022);
  CHECK(unsupported.only()["id"] == 9);
  CHECK(unsupported.only()["error"]["data"]["requested"] == "2099-01-01");
  CHECK(unsupported.only()["error"]["data"]["supported"].size() == 5);
  check(raw(request("initialize", 1, {{"protocolVersion", "2025-11-25"}}), {{"MCP-Protocol-Version", "2026-07-28"}}),
        400, -32020);
  Json level = meta;
  level["io.modelcontextprotocol/logLevel"] = "loud";
  check(raw(request("tools/list", 1, {{"_meta", level}}), modern), 400, -32602);
  CHECK(client.http("GET", "/mcp", "", {{"MCP-Protocol-Version", "2026-07-28"}}).status == 405);
  CHECK(client.http("DELETE", "/mcp", "", {{"MCP-Protocol-Version", "2026-07-28"}, {"Mcp-Session-Id", "x"}}).status ==
        405);
}

TEST_CASE("modern: a close of the response is the cancel, FIN, RST and half-close, JSON answers too",
          "[cancel.wire.disconnect]") {
  TestServer server;
  McpClient client(server.port(), kModern);
  long aborted = 0;
  for (const char* accept : {kBoth, kJsonOnly}) {
    for (int how = 0; how < 3; ++how) {
      auto call = client.start(client.call_request(1, "gate", Json::object()), accept);
      REQUIRE(eventually([&] { return server.at_gate() == 1; }));
      const Stopwatch before;
      if (how == 0) call->close();
      if (how == 1) call->reset();
      if (how == 2) call->half_close();
      CHECK(eventually([&] { return server.at_gate() == 0; }));
      CHECK(before.waited() < Millis(500));
      CHECK(eventually([&] { return server.counter("aborted_total") == ++aborted || --aborted < 0; }));
      CHECK(server.status()["recent"][0]["reason"] == "client_gone");
      if (how == 2) CHECK(call->raw().read_all().find("\"result\"") == std::string::npos);
    }
  }
  CHECK(eventually([&] { return server.counter("streams") == 0 && server.counter("watched_peers") == 0; }));
}

TEST_CASE("modern: the same id in two POSTs at once is two requests", "[cancel.key]") {
  TestServer server;
  McpClient client(server.port(), kModern);
  auto first = client.start(client.call_request(1, "gate", Json::object()));
  auto second = client.start(client.call_request(1, "gate", Json::object()));
  REQUIRE(eventually([&] { return server.at_gate() == 2; }));
  first->close();
  REQUIRE(eventually([&] { return server.at_gate() == 1; }));
  server.open_gate();
  CHECK(second->all_messages().size() == 1);
}

TEST_CASE("modern: a question comes as input_required, sealed to its call",
          "[wire.errors.modern] [wire.questions] [wire.capabilities]") {
  TestServer server;
  McpClient client(server.port(), kModern);
  const auto cannot = client.call(1, "ask", Json::object(), kJsonOnly);
  CHECK(cannot.status == 400);
  CHECK(cannot.error_code() == -32021);
  CHECK(cannot.only()["error"]["data"]["requiredCapabilities"].contains("elicitation"));
  client.capabilities = {{"elicitation", Json::object()}};
  const auto asked = client.call(2, "ask", Json::object()).only()["result"];
  CHECK(asked["resultType"] == "input_required");
  CHECK(asked["inputRequests"]["colour"]["method"] == "elicitation/create");
  const auto retry = [&](const Json& id, const Json& responses, const Json& state, const char* tool = "ask") {
    Json message = client.call_request(id, tool, Json::object());
    if (!responses.is_null()) message["params"]["inputResponses"] = responses;
    if (!state.is_null()) message["params"]["requestState"] = state;
    return client.post(message, kJsonOnly);
  };
  const Json red = {{"colour", {{"action", "accept"}, {"content", {{"colour", "red"}}}}}};
  CHECK(retry(3, red, asked["requestState"]).text() == "chosen: red");
  CHECK(retry(4, {{"colour", {{"action", "decline"}}}}, asked["requestState"]).text() == "decline");
  CHECK(retry(5, {{"other", Json::object()}}, asked["requestState"]).only()["result"]["resultType"] ==
        "input_required");
  CHECK(retry(6, red, nullptr).only()["result"]["resultType"] == "input_required");
  std::string tampered = asked["requestState"].get<std::string>();
  tampered[5] = tampered[5] == 'A' ? 'B' : 'A';
  CHECK(retry(7, red, tampered).error_code() == -32602);
  CHECK(retry(8, red, "garbage").error_code() == -32602);
  CHECK(retry(9, red, 7).error_code() == -32602);
  CHECK(retry(10, "garbage", asked["requestState"]).error_code() == -32602);
  CHECK(retry(11, red, asked["requestState"], "instant").error_code() == -32602);  // sealed to another tool
}

TEST_CASE("modern: listen acknowledges first and ends gracefully at shutdown", "[wire.listen]") {
  TestServer server;
  McpClient client(server.port(), kModern);
  auto stream =
      client.start(request("subscriptions/listen", "listen:0", {{"notifications", {{"toolsListChanged", true}}}}));
  CHECK(stream->head().status == 200);
  const auto ack = stream->next_message();
  REQUIRE(ack);
  CHECK((*ack)["method"] == "notifications/subscriptions/acknowledged");
  CHECK((*ack)["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"] == "listen:0");
  CHECK(server.shutdown());
  const auto end = stream->next_message();
  REQUIRE(end);
  CHECK((*end)["id"] == "listen:0");
  CHECK((*end)["result"]["_meta"]["io.modelcontextprotocol/subscriptionId"] == "listen:0");
  CHECK_FALSE(stream->next_message());
}
