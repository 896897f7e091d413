#include <functional>

#include "tests/support/catch.h"
#include "tests/support/stopwatch.h"
#include "tests/wire/support/browser_server.h"

// Whatever stops a call reaches the browser: the web server sees the navigation's socket close, with nobody's word but
// its own [cancel.one-signal] [cancel.callers] [cancel.wire.disconnect].
using namespace bridle;
using namespace bridle::wire;

using bridle::testing::Stopwatch;

namespace {

Json never(const BrowserServer& server, const std::string& path) {
  return {{"url", server.site.url(path)}, {"timeout", 60000}};
}

// Waits for the request at the site, stops it, and for the hangup.
void check_stops(const BrowserServer& server, const std::string& path, const std::function<void()>& stop) {
  INFO(path);
  REQUIRE(server.site.wait_for_request(path, kPatience));
  const Stopwatch since_stop;
  stop();
  REQUIRE(server.site.wait_for_hangup(path, kPatience));
  CHECK(since_stop.waited() < Millis(1000));
  CHECK(eventually([&] { return server.counter("registry") == 0; }));
}

void check_loads(McpClient& client, const BrowserServer& server, const Json& id) {
  const auto answer = client.call(id, "browser_navigate", {{"url", server.site.url("/plain?title=Usable")}});
  INFO(answer.only().dump());
  CHECK(answer.only().at("result").at("structuredContent").at("title") == "Usable");
}

// An answer that came later than all that was asked before.
void check_serves(McpClient& client, const Json& id) {
  CHECK(client.post({{"jsonrpc", "2.0"}, {"id", id}, {"method", "ping"}}).only().contains("result"));
}

}  // namespace

TEST_CASE("stop paths: a cancel, with an answer as a stream or as JSON", "[cancel.one-signal]") {
  BrowserServer server;
  McpClient client(server.port());
  client.open();
  for (const char* accept : {kBoth, kJsonOnly}) {
    const std::string path = std::string("/never?cancel=") + (accept == kBoth ? "stream" : "json");
    auto call = client.start(client.call_request(accept, "browser_navigate", never(server, path)), accept);
    check_stops(server, path, [&] { CHECK(client.cancel(accept) == 202); });
    CHECK(call->all_messages().empty());
    check_loads(client, server, std::string("after ") + accept);
  }
}

TEST_CASE("stop paths: a modern client closes, half-closes or resets; JSON answers too",
          "[cancel.wire.disconnect] [cancel.wire.half-close]") {
  BrowserServer server;
  McpClient client(server.port(), Revision::v2026_07_28);
  int round = 0;
  for (const char* accept : {kBoth, kJsonOnly}) {
    for (auto way : {&Exchange::close, &Exchange::reset, &Exchange::half_close}) {
      const auto path = "/never?modern=" + std::to_string(++round);
      auto call = client.start(client.call_request(1, "browser_navigate", never(server, path)), accept);
      check_stops(server, path, [&] { (call.get()->*way)(); });
      CHECK(server.server->status()["recent"][0]["reason"] == "client_gone");
    }
  }
  check_loads(client, server, 2);
}

TEST_CASE("stop paths: a legacy disconnect stops nothing; the session's end does", "[cancel.wire.disconnect]") {
  BrowserServer server;
  McpClient client(server.port());
  client.open();
  // What goes on to its end was stopped by nothing.
  auto call = client.start(client.call_request(1, "browser_navigate", {{"url", server.site.url("/held?key=left")}}));
  REQUIRE(server.site.wait_for_request("/held?key=left", kPatience));
  call->close();
  call.reset();
  check_serves(client, 2);
  CHECK(server.counter("registry") == 1);
  server.site.release("left");
  REQUIRE(eventually([&] { return server.counter("registry") == 0; }));
  CHECK(server.server->status()["recent"][0]["state"] == "completed");
  CHECK_FALSE(server.site.wait_for_hangup("/held?key=left", Millis(0)));

  call = client.start(client.call_request(3, "browser_navigate", never(server, "/never?legacy")));
  check_stops(server, "/never?legacy", [&] { CHECK(client.remove() == 200); });
  CHECK(server.server->status()["recent"][0]["reason"] == "session_closed");
}

TEST_CASE("stop paths: the user's stop, by POST /stop and by browser_stop; the session serves on",
          "[cancel.wire.not-by-client]") {
  BrowserServer server;
  McpClient client(server.port());
  client.open();
  const auto check_told = [](Exchange& call) {
    const auto messages = call.all_messages();
    REQUIRE(messages.size() == 1);
    CHECK(messages[0].at("result").at("isError") == true);
  };
  auto call = client.start(client.call_request(1, "browser_navigate", never(server, "/never?posted")));
  check_stops(server, "/never?posted", [&] {
    const auto report = client.http("POST", "/stop", R"({"request": 1})", {}).only();
    CHECK(report["wasCancelled"] == true);
    CHECK(report["timedOut"] == false);
  });
  check_told(*call);
  call = client.start(client.call_request(2, "browser_navigate", never(server, "/never?tool")));
  check_stops(server, "/never?tool", [&] {
    const auto stopped = client.call(3, "browser_stop", Json::object()).only();
    CHECK(stopped.at("result").at("structuredContent").at("wasCancelled") == true);
  });
  check_told(*call);
  check_loads(client, server, 4);
}

TEST_CASE("stop paths: 2024-11-05, the end of its stream", "[cancel.wire.sse-session]") {
  BrowserServer server;
  McpClient client(server.port(), Revision::v2024_11_05);
  Exchange stream(server.port(), http_text(server.port(), "GET", "/sse", "", {{"Accept", "text/event-stream"}}),
                  Revision::v2024_11_05, "?");
  const auto endpoint = stream.next_event();
  REQUIRE(endpoint);
  const auto say = [&](const Json& message) {
    CHECK(client.http("POST", endpoint->data, message.dump(), {}).status == 202);
  };
  say({{"jsonrpc", "2.0"},
       {"id", 0},
       {"method", "initialize"},
       {"params",
        {{"protocolVersion", "2024-11-05"},
         {"capabilities", Json::object()},
         {"clientInfo", {{"name", "x"}, {"version", "1"}}}}}});
  REQUIRE(stream.next_message());
  say({{"jsonrpc", "2.0"}, {"method", "notifications/initialized"}});
  say(client.call_request(1, "browser_navigate", never(server, "/never?sse")));
  check_stops(server, "/never?sse", [&] { stream.close(); });
}

TEST_CASE("stop paths: the deadline of a script is the call's own, and its page serves on",
          "[cancel.browser.script-timeout]") {
  BrowserServer server;
  McpClient client(server.port());
  client.open();
  check_loads(client, server, 1);
  const auto late = client.call(2, "browser_evaluate", {{"function", "() => { for (;;) {} }"}, {"timeout", 300}});
  CHECK(late.is_error_result());
  check_loads(client, server, 3);
  CHECK(server.counter("abort_warnings_total") == 0);
}
