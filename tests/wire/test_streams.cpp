#include "tests/support/catch.h"
#include "tests/wire/support/mcp_client.h"
#include "tests/wire/support/test_server.h"

using namespace bridle;
using namespace bridle::wire;

TEST_CASE("GET: the newest stream replaces the older, and ends with its session", "[wire.get]") {
  TestServer server;
  McpClient client(server.port());
  client.open();
  auto first = client.get();
  CHECK(first->head().status == 200);
  CHECK(first->head().header("Content-Type") == "text/event-stream");
  REQUIRE(eventually([&] { return server.counter("streams") == 1; }));
  auto second = client.get();
  CHECK(second->head().status == 200);
  CHECK_FALSE(first->next_message());
  CHECK(first->ended_cleanly());
  CHECK(eventually([&] { return server.counter("streams") == 1; }));
  second->close();
  CHECK(eventually([&] { return server.counter("streams") == 0; }));
  auto third = client.get();
  CHECK(third->head().status == 200);
  CHECK(client.remove() == 200);
  CHECK_FALSE(third->next_message());
}

TEST_CASE("resuming: a primed call goes on after its connection was lost, and only its own frames are replayed",
          "[wire.resume]") {
  TestServer server;
  McpClient client(server.port());
  client.open();
  auto call = client.start(client.call_request(1, "gate", Json::object(), 5));
  const auto priming = call->next_event();
  REQUIRE(priming);
  CHECK(priming->data.empty());
  CHECK_FALSE(priming->id.empty());
  call->reset();
  REQUIRE(eventually([&] { return server.at_gate() == 1; }));
  auto resumed = client.get(priming->id);
  CHECK(resumed->head().status == 200);
  server.open_gate();
  const auto result = resumed->next_message();
  REQUIRE(result);
  CHECK((*result)["id"] == 1);
  const auto last = resumed->last_event_id();
  CHECK_FALSE(resumed->next_message());
  // Finished: 405. From an earlier place: what came after it. Another session's: 404.
  CHECK(client.get(last)->head().status == 405);
  auto again = client.get(priming->id);
  const auto replayed = again->next_message();
  REQUIRE(replayed);
  CHECK((*replayed)["id"] == 1);
  McpClient other(server.port());
  other.open();
  CHECK(other.get(priming->id)->head().status == 404);
  CHECK(client.get("nonsense")->head().status == 404);
  CHECK(client.get("nonsense_1")->head().status == 404);
}

TEST_CASE("resuming: a cancelled call's stream is finished", "[wire.resume]") {
  TestServer server;
  McpClient client(server.port());
  client.open();
  auto call = client.start(client.call_request(1, "gate", Json::object(), 5));
  const auto priming = call->next_event();
  REQUIRE(priming);
  REQUIRE(eventually([&] { return server.at_gate() == 1; }));
  CHECK(client.cancel(1) == 202);
  CHECK(call->all_messages().empty());
  CHECK(client.get(priming->id)->head().status == 405);
}

TEST_CASE("priming: only from 2025-11-25", "[wire.priming]") {
  TestServer server;
  for (const Revision revision : {Revision::v2025_03_26, Revision::v2025_06_18, Revision::v2025_11_25}) {
    McpClient client(server.port(), revision);
    client.open();
    auto call = client.start(client.call_request(1, "instant", Json::object()));
    CHECK(call->all_messages().size() == 1);
    CHECK(call->primed() == has_resumable_streams(revision));
    CHECK(call->last_event_id().empty() != has_resumable_streams(revision));
  }
}

TEST_CASE("Accept: event-stream alone is answered with a stream, also for what is answered at once", "[wire.accept]") {
  TestServer server;
  McpClient client(server.port());
  client.open();
  auto list = client.start({{"jsonrpc", "2.0"}, {"id", 1}, {"method", "tools/list"}}, "text/event-stream");
  CHECK(list->head().header("Content-Type") == "text/event-stream");
  CHECK(list->all_messages().size() == 1);
}

TEST_CASE("2024-11-05: the endpoint first, answers on the stream, signs of life, closing it aborts its work",
          "[cancel.wire.sse-session] [wire.revisions] [wire.sse] [tool.endpoints]") {
  TestServer server([](ServerOptions& options) { options.timer.sign_of_life = Millis(20); });
  for (const char* version : {"2024-11-05", "2025-11-25"}) {
    const Revision revision = *parse_revision(version);
    McpClient client(server.port(), revision);
    Exchange stream(server.port(), http_text(server.port(), "GET", "/sse", "", {{"Accept", "text/event-stream"}}),
                    revision, "?");
    CHECK(stream.head().status == 200);
    const auto endpoint = stream.next_event();
    REQUIRE(endpoint);
    CHECK(endpoint->name == "endpoint");
    REQUIRE(endpoint->data.starts_with("/message?sessionId="));
    CHECK(endpoint->data.size() >= 19 + 22);
    const auto say = [&](const Json& message) {
      return client.http("POST", endpoint->data, message.dump(), {}).status;
    };
    CHECK(say({{"jsonrpc", "2.0"},
               {"id", 0},
               {"method", "initialize"},
               {"params",
                {{"protocolVersion", version},
                 {"capabilities", Json::object()},
                 {"clientInfo", {{"name", "x"}, {"version", "1"}}}}}}) == 202);
    auto message = stream.next_message();
    REQUIRE(message);
    CHECK((*message)["result"]["protocolVersion"] == version);
    CHECK(say({{"jsonrpc", "2.0"}, {"method", "notifications/initialized"}}) == 202);
    CHECK(say({{"jsonrpc", "2.0"}, {"id", 1}, {"method", "tools/list"}}) == 202);
    message = stream.next_message();
    REQUIRE(message);
    CHECK((*message)["result"]["tools"][0].contains("annotations") == has_annotations(revision));
    CHECK(say(client.call_request(2, "media", Json::object())) == 202);
    message = stream.next_message();
    REQUIRE(message);
    CHECK((*message)["id"] == 2);
    // It is no session of /mcp.
    const Headers as_mcp = {{"Mcp-Session-Id", endpoint->data.substr(19)}, {"Accept", kBoth}};
    CHECK(client.http("POST", "/mcp", R"({"jsonrpc":"2.0","id":9,"method":"ping"})", as_mcp).status == 404);
    CHECK(client.http("DELETE", "/mcp", "", as_mcp).status == 404);
    // A cancelled call sends nothing; the stream stays.
    CHECK(say(client.call_request(3, "gate", Json::object())) == 202);
    REQUIRE(eventually([&] { return server.at_gate() == 1; }));
    CHECK(say({{"jsonrpc", "2.0"}, {"method", "notifications/cancelled"}, {"params", {{"requestId", 3}}}}) == 202);
    REQUIRE(eventually([&] { return server.at_gate() == 0; }));
    CHECK(say({{"jsonrpc", "2.0"}, {"id", 4}, {"method", "ping"}}) == 202);
    message = stream.next_message();
    REQUIRE(message);
    CHECK((*message)["id"] == 4);
    CHECK(say(client.call_request(5, "gate", Json::object(), "token")) == 202);
    REQUIRE(eventually([&] { return server.at_gate() == 1; }));
    message = stream.next_message();
    REQUIRE(message);
    CHECK((*message)["method"] == "notifications/progress");
    CHECK((*message)["params"]["progressToken"] == "token");
    stream.close();
    CHECK(eventually([&] { return server.at_gate() == 0; }));
    CHECK(server.status()["recent"][0]["reason"] == "session_closed");
    CHECK(eventually([&] { return say({{"jsonrpc", "2.0"}, {"id", 6}, {"method", "ping"}}) == 404; }));
    CHECK(client.http("POST", "/message?sessionId=nobody", "{}", {}).status == 404);
    CHECK(client.http("POST", "/sse", "{}", {}).status == 405);
    CHECK(eventually([&] { return server.counter("streams") == 0 && server.counter("sessions") == 0; }));
  }
}
