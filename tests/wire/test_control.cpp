#include <future>

#include "tests/support/catch.h"
#include "tests/support/stopwatch.h"
#include "tests/wire/support/mcp_client.h"
#include "tests/wire/support/test_server.h"

using namespace bridle;
using namespace bridle::wire;

using bridle::testing::Stopwatch;

TEST_CASE("/status: rows keep the id's type; a queued call is starting; recent holds the last 100",
          "[cancel.status] [tool.endpoints]") {
  TestServer server;
  McpClient client(server.port());
  client.open();
  auto running = client.start(client.call_request("a", "gate", Json::object()));
  REQUIRE(eventually([&] { return server.at_gate() == 1; }));  // so that it is the older
  auto queued = client.start(client.call_request(5, "waits_in_line", Json::object()));
  REQUIRE(eventually([&] { return server.at_gate() == 2; }));
  const auto status = client.http("GET", "/status", "", {}).only();
  REQUIRE(status["requests"].size() == 2);
  CHECK(status["requests"][0]["id"] == "a");
  CHECK(status["requests"][0]["state"] == "running");
  CHECK(status["requests"][1]["id"] == 5);
  CHECK(status["requests"][1]["state"] == "starting");
  CHECK(client.session().starts_with(status["requests"][0]["session"].get<std::string>()));
  CHECK(status["server"]["state"] == "ready");
  for (const char* name :
       {"registry", "early_cancels", "waiters", "listeners", "pending_cdp", "streams", "tabs", "queued",
        "abort_warnings_total", "completed_total", "aborted_total", "error_total", "late_results_total"}) {
    CAPTURE(name);
    CHECK(status["counters"].contains(name));
  }
  CHECK(status["counters"]["queued"] == 1);
  CHECK(status["tabs"].is_array());
  server.open_gate();
  CHECK(running->all_messages().size() == 1);
  CHECK(queued->all_messages().size() == 1);
  for (int i = 0; i < 105; ++i) CHECK(client.call(100 + i, "instant", Json::object(), kJsonOnly).status == 200);
  const auto recent = server.status()["recent"];
  CHECK(recent.size() == 100);
  CHECK(recent[0]["id"] == 204);
}

TEST_CASE("POST /stop: one, a session's, all; the client is told; truthful", "[cancel.stop]") {
  TestServer server;
  McpClient client(server.port());
  McpClient other(server.port());
  client.open();
  other.open();
  const auto stop = [&](const Json& body) { return client.http("POST", "/stop", body.dump(), {}); };
  CHECK(stop(Json::object()).only()["wasCancelled"] == false);
  auto first = client.start(client.call_request(1, "gate", Json::object()));
  REQUIRE(eventually([&] { return server.at_gate() == 1; }));
  auto second = client.start(client.call_request(2, "gate", Json::object()), kJsonOnly);
  auto third = other.start(other.call_request(1, "gate", Json::object()));
  REQUIRE(eventually([&] { return server.at_gate() == 3; }));
  const std::string label = server.status()["requests"][0]["session"];
  auto report = stop({{"request", 1}, {"session", label}}).only();
  CHECK(report["wasCancelled"] == true);
  CHECK(report["timedOut"] == false);
  CHECK(report["requests"].size() == 1);
  const auto told = first->all_messages();
  REQUIRE(told.size() == 1);
  CHECK(told[0]["result"]["isError"] == true);
  CHECK(told[0]["result"]["content"][0]["text"].get<std::string>().find("stopped by the user") != std::string::npos);
  CHECK(eventually([&] { return server.at_gate() == 2; }));
  report = stop(Json::object()).only();
  CHECK(report["requests"].size() == 2);
  CHECK(second->all_messages()[0]["result"]["isError"] == true);
  CHECK(third->all_messages()[0]["result"]["isError"] == true);
  const Json status = server.status();
  for (const Json& row : status["recent"]) CHECK(row["state"] == "aborted");
  CHECK(client.http("GET", "/stop", "", {}).status == 405);
  CHECK(client.http("POST", "/stop", "[]", {}).status == 400);
  CHECK(stop({{"request", 1.5}}).status == 400);
  CHECK(stop({{"session", 1}}).status == 400);
  // It left the session usable.
  CHECK(client.call(3, "instant", Json::object()).text() == "now");
}

TEST_CASE("POST /stop: a tool that ignores it has timed out, but its client is released",
          "[cancel.stop] [cancel.test-tools]") {
  TestServer server([](ServerOptions& options) { options.requests.stop_wait = Millis(100); });
  McpClient client(server.port());
  client.open();
  auto call = client.start(client.call_request(1, "test_ignore_abort", {{"seconds", 0.5}}));
  REQUIRE(eventually(
      [&] { return !server.status()["requests"].empty() && server.status()["requests"][0]["state"] == "running"; }));
  const auto report = client.http("POST", "/stop", R"({"request":1})", {}).only();
  CHECK(report["wasCancelled"] == true);
  CHECK(report["timedOut"] == true);
  CHECK(call->all_messages()[0]["result"]["isError"] == true);
}

TEST_CASE("shutdown: calls get an error, streams end, and it is quick",
          "[cancel.wire.not-by-client] [cancel.shutdown]") {
  TestServer server;
  McpClient client(server.port());
  client.open();
  auto call = client.start(client.call_request(1, "gate", Json::object()));
  auto json = client.start(client.call_request(2, "gate", Json::object()), kJsonOnly);
  auto standing = client.get();
  CHECK(standing->head().status == 200);
  REQUIRE(eventually([&] { return server.at_gate() == 2; }));
  const Stopwatch before;
  CHECK(server.shutdown());
  CHECK(before.waited() < Millis(2000));
  CHECK(call->all_messages()[0]["error"]["code"] == -32603);
  CHECK(json->all_messages()[0]["error"]["code"] == -32603);
  CHECK_FALSE(standing->next_message());
  CHECK(server.server->state() == ServerState::disposed);
  CHECK_THROWS(RawClient(server.port()));
}

TEST_CASE("shutdown: while a tool ignores its signal, 503 to everything, then false",
          "[cancel.states.server] [cancel.shutdown.ignored]") {
  TestServer server([](ServerOptions& options) { options.drain = Millis(300); });
  McpClient client(server.port());
  client.open();
  auto call = client.start(client.call_request(1, "test_ignore_abort", {{"seconds", 1}}));
  REQUIRE(eventually(
      [&] { return !server.status()["requests"].empty() && server.status()["requests"][0]["state"] == "running"; }));
  auto done = std::async(std::launch::async, [&] { return server.shutdown(); });
  CHECK(call->all_messages().size() == 1);
  REQUIRE(eventually([&] { return server.server->state() == ServerState::draining; }));
  CHECK(client.http("POST", "/mcp", R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{}})", {}).status == 503);
  CHECK(client.http("GET", "/healthz", "", {}).status == 503);
  CHECK_FALSE(done.get());
}

TEST_CASE("Host and Origin: each is checked on its own, on every method and path", "[wire.host-origin]") {
  TestServer server;
  McpClient client(server.port());
  const std::string port = std::to_string(server.port());
  const auto status = [&](const char* method, const char* path, const Headers& headers) {
    return client.http(method, path, "", headers).status;
  };
  for (const char* path : {"/mcp", "/sse", "/message", "/status", "/stop", "/healthz", "/nowhere", "/.well-known/x"}) {
    for (const char* method : {"GET", "POST", "DELETE", "OPTIONS", "PUT"}) {
      CAPTURE(path, method);
      CHECK(status(method, path, {{"Host", "evil.example:" + port}}) == 403);
      CHECK(status(method, path, {{"Host", "127.0.0.1"}}) == 403);
      CHECK(status(method, path, {{"Host", "127.0.0.1:1"}}) == 403);
      CHECK(status(method, path, {{"Origin", "http://evil.example"}}) == 403);
      CHECK(status(method, path, {{"Origin", "null"}}) == 403);
      CHECK(status(method, path, {{"Origin", "http://localhost:1"}}) == 403);
    }
  }
  std::vector<std::string> own = server.server->own_hosts();
  own.emplace_back("LocalHost");
  for (const std::string& name : own) {
    const std::string host = name + ":" + port;
    const auto answer = client.http("GET", "/healthz", "", {{"Host", host}, {"Origin", "http://" + host}});
    CHECK(answer.status == 200);
    CHECK(answer.reply.header("Access-Control-Allow-Origin") == "http://" + host);
    for (const char* site : {"cross-site", "same-site"}) {
      CHECK(status("GET", "/healthz", {{"Host", host}, {"Sec-Fetch-Site", site}}) == 403);
    }
  }
  CHECK(status("OPTIONS", "/mcp", {{"Origin", "http://127.0.0.1:" + port}}) == 204);
  CHECK(status("OPTIONS", "/mcp", {}) == 405);
  CHECK(client.http("GET", "/healthz", "", {}).reply.header("Access-Control-Allow-Origin").empty());
}

TEST_CASE("a token: 401 without WWW-Authenticate, all refusals alike", "[wire.token]") {
  TestServer server([](ServerOptions& options) { options.token = "secret-token"; });
  McpClient client(server.port());
  std::string first;
  for (const char* path : {"/mcp", "/sse", "/message", "/status", "/stop"}) {
    for (const Headers& headers :
         {Headers{}, Headers{{"Authorization", "Bearer wrong"}}, Headers{{"Authorization", "Basic c2VjcmV0"}},
          Headers{{"Authorization", "Bearer secret-token-and-more"}}}) {
      const auto answer = client.http("GET", path, "", headers);
      CHECK(answer.status == 401);
      CHECK(answer.reply.header("WWW-Authenticate").empty());
      if (first.empty()) first = answer.reply.body;
      CHECK(answer.reply.body == first);
    }
  }
  CHECK(client.http("GET", "/status", "", {{"Authorization", "Bearer secret-token"}}).status == 200);
  CHECK(client.http("GET", "/healthz", "", {}).status == 200);
}
