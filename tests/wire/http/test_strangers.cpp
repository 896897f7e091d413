// What peers that are not the owner's can take from the server, and what all of them together can make it hold.
#include "tests/support/catch.h"
#include "tests/support/stopwatch.h"
#include "tests/wire/support/mcp_client.h"
#include "tests/wire/support/neighbours.h"
#include "tests/wire/support/served.h"
#include "tests/wire/support/test_server.h"

using namespace bridle;
using namespace bridle::wire;

using bridle::testing::Stopwatch;

namespace {

constexpr int kFlood = 1300;  // more than the server has connections
constexpr const char* kToken = "let-me-in-0123456789";

bool is_served_soon(int port, const Headers& headers = {}) {
  const Stopwatch watch;
  RawClient client(port);
  client.send(http_text(port, "GET", "/status", "", headers));
  const auto status = client.read().status;
  INFO(status);
  return status == 200 && watch.waited() < Millis(2000);
}

// The first bytes of a POST whose body never ends.
std::string unfinished(std::size_t announced, std::size_t sent) {
  return "POST /mcp HTTP/1.1\r\nHost: a\r\nContent-Length: " + std::to_string(announced) + "\r\n\r\n" +
         std::string(sent, 'x');
}

}  // namespace

TEST_CASE("strangers: a refused user's 1,300 connections don't keep the owner out, and cost no thread",
          "[wire.shares] [wire.peer-user]") {
  if (!can_be_another_user()) return;
  TestServer server;
  const OtherUser attacker([port = server.port()] { return hold_connections(port, kFlood); });
  CHECK(attacker.result() == 0);  // each is answered at once
  CHECK(is_served_soon(server.port()));
  CHECK(server.counter("foreign_refused_total") == kFlood);
  CHECK(server.counter("connections") <= 2);
  CHECK(server.counter("connection_threads") <= 2);
}

TEST_CASE("strangers: another user's connection is refused before a byte of it is read", "[wire.peer-user]") {
  if (!can_be_another_user()) return;
  TestServer server;
  const OtherUser silent([port = server.port()] {
    RawClient client(port);
    const auto reply = client.read();
    const bool told = reply.body.find("--token-file") != std::string::npos;
    return told && client.closed_within() ? reply.status : -1;
  });
  CHECK(silent.result() == 403);
}

TEST_CASE("strangers: with a token they have a share of the connections, and the owner the rest", "[wire.shares]") {
  if (!can_be_another_user()) return;
  TestServer server([](ServerOptions& options) { options.token = kToken; });
  const Headers with_token = {{"Authorization", std::string("Bearer ") + kToken}};
  {
    const OtherUser attacker([port = server.port()] { return hold_connections(port, kFlood); });
    CHECK(attacker.result() == static_cast<int>(limits::kOneStranger));
    CHECK(is_served_soon(server.port(), with_token));
    CHECK(server.counter("stranger_connections") == static_cast<long long>(limits::kOneStranger));
    // A second one has a share of his own; together they have half.
    const OtherUser another([port = server.port()] { return hold_connections(port, kFlood); }, kNobody - 1);
    CHECK(another.result() == static_cast<int>(limits::kStrangers - limits::kOneStranger));
    const OtherUser third([port = server.port()] { return hold_connections(port, 10); }, kNobody - 2);
    CHECK(third.result() == 0);
    CHECK(is_served_soon(server.port(), with_token));
  }
  CHECK(eventually([&] { return server.counter("stranger_connections") == 0; }));
}

TEST_CASE("strangers: who shows the token is none", "[wire.shares]") {
  if (!can_be_another_user()) return;
  TestServer server([](ServerOptions& options) { options.token = kToken; });
  const std::string request =
      http_text(server.port(), "GET", "/status", "", {{"Authorization", std::string("Bearer ") + kToken}});
  const OtherUser guest([&request, port = server.port()] {
    auto* const client = new RawClient(port);
    client->send(request);
    return client->read().status;
  });
  CHECK(guest.result() == 200);
  CHECK(server.counter("connections") == 1);
  CHECK(server.counter("stranger_connections") == 0);
}

TEST_CASE("strangers: without the token no body is read, and the connection ends", "[wire.bodies] [wire.token]") {
  TestServer server([](ServerOptions& options) { options.token = kToken; });
  const std::string host = "Host: 127.0.0.1:" + std::to_string(server.port()) + "\r\n";
  for (const std::string headers : {"Content-Length: 4000000\r\n", "Transfer-Encoding: chunked\r\n",
                                    "Content-Length: 4000000\r\nExpect: 100-continue\r\n"}) {
    RawClient client(server.port());
    client.send("POST /mcp HTTP/1.1\r\n" + host + headers + "\r\n");  // and nothing more
    const auto reply = client.read();
    CHECK(reply.status == 401);
    CHECK(reply.header("Connection") == "close");
    CHECK(client.closed_within());
  }
  RawClient foreign(server.port());
  foreign.send("POST /mcp HTTP/1.1\r\n" + host + "Origin: http://evil.example\r\nContent-Length: 4000000\r\n\r\n");
  CHECK(foreign.read().status == 403);
}

TEST_CASE("bodies: one budget for all; over it a 503 that says so, and room comes back", "[wire.bodies]") {
  HttpServerOptions options;
  options.max_buffered_bodies = 1000;
  Served served(echo, options);
  const auto held = [&] { return served.server.counters().body_bytes; };
  {
    RawClient announces(served.port());
    announces.send(unfinished(4'000'000, 0));
    RawClient holds(served.port());
    holds.send(unfinished(1000, 600));
    REQUIRE(eventually([&] { return held() == 600; }));  // what is only announced takes nothing
    RawClient fits(served.port());
    fits.send(post(std::string(400, 'x')));
    CHECK(fits.read().status == 200);
    for (const auto& request :
         {post(std::string(401, 'x')), "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n191\r\n" +
                                           std::string(401, 'x') + "\r\n0\r\n\r\n"}) {
      RawClient refused(served.port());
      refused.send(request);
      const auto reply = refused.read();
      check_refused(reply, 503);
      CHECK(reply.header("Retry-After") == "1");
      CHECK_THAT(reply.body, matchers::Contains("Try again"));
    }
    CHECK(held() == 600);
  }
  CHECK(eventually([&] { return held() == 0; }));
  RawClient next(served.port());
  next.send(post(std::string(1000, 'x')));
  CHECK(next.read().status == 200);
}

TEST_CASE("bodies: 100 unfinished ones of 4 MiB hold 64 MiB at most", "[wire.bodies] [wire.hostile]") {
  Served served(echo);
  const auto before = anonymous_kib();
  std::vector<RawClient> clients;
  for (int i = 0; i < 100; ++i) {
    clients.emplace_back(served.port());
    clients.back().try_send(unfinished(limits::kBodyBytes, limits::kBodyBytes - 1));
    REQUIRE(served.server.counters().body_bytes <= limits::kBodiesBytes);
  }
  CHECK(served.server.counters().body_bytes > limits::kBodiesBytes / 2);
  if (!kSanitized) {
    INFO("KiB for 100 unfinished bodies: " << anonymous_kib() - before);
    CHECK(anonymous_kib() - before < 100 * 1024);
  }
  RawClient other(served.port());
  other.send(get("/"));  // has no body
  CHECK(other.read().status == 200);
  clients.clear();
  CHECK(eventually([&] { return served.server.counters().body_bytes == 0; }));
}

TEST_CASE("bodies: a call that runs holds none", "[wire.bodies]") {
  TestServer server;
  McpClient client(server.port());
  client.open();
  auto request = client.call_request(1, "gate", Json::object());
  request["params"]["_meta"] = {{"x", std::string(1'000'000, 'x')}};
  auto streamed = client.start(request);
  request["id"] = 2;
  auto as_json = client.start(request, kJsonOnly);
  REQUIRE(eventually([&] { return server.at_gate() == 2; }));
  CHECK(eventually([&] { return server.counter("body_bytes") == 0; }));
  server.open_gate();
  CHECK(streamed->all_messages().size() == 1);
  CHECK(as_json->all_messages().size() == 1);
}

TEST_CASE("every answer tells browsers to do nothing with it", "[wire.answer-headers]") {
  const auto check = [](const RawReply& reply) {
    CAPTURE(reply.head);
    CHECK(reply.header("X-Content-Type-Options") == "nosniff");
    CHECK(reply.header("Cross-Origin-Resource-Policy") == "same-origin");
    CHECK_THAT(reply.header("Content-Security-Policy"),
               matchers::Contains("frame-ancestors 'none'") && matchers::Contains("sandbox"));
  };
  TestServer server;
  McpClient client(server.port());
  client.open();
  const auto http = [&](const char* method, const char* path, const Headers& headers = {},
                        const std::string& body = "") {
    const auto reply = client.http(method, path, body, headers).reply;
    check(reply);
    return reply.status;
  };
  CHECK(http("GET", "/status") == 200);
  CHECK(http("HEAD", "/healthz") == 200);
  CHECK(http("GET", "/nowhere") == 404);
  CHECK(http("GET", "/mcp") == 405);
  CHECK(http("GET", "/sse") == 406);
  CHECK(http("POST", "/mcp", {}, "{") == 400);
  CHECK(http("POST", "/mcp", {{"Content-Type", "text/plain"}}, "{}") == 415);
  CHECK(http("GET", "/status", {{"Origin", "http://evil.example"}}) == 403);
  CHECK(http("OPTIONS", "/mcp", {{"Origin", "http://127.0.0.1:" + std::to_string(server.port())}}) == 204);
  check(client.get()->head());  // a stream
  for (const char* request : {"nonsense\r\n\r\n", "GET / HTTP/1.1\r\n\r\n", "POST / HTTP/1.1\r\nHost: a\r\n\r\n"}) {
    RawClient raw(server.port());
    raw.send(request);
    const auto reply = raw.read();
    CHECK(reply.status / 100 == 4);
    check(reply);
  }
  HttpServerOptions full;
  full.max_connections = 0;
  Served served([](const HttpRequest&) -> HttpReply { throw std::runtime_error("secret"); }, full);
  RawClient over(served.port());
  check(over.read());
  Served failing([](const HttpRequest&) -> HttpReply { throw std::runtime_error("secret"); });
  RawClient failed(failing.port());
  failed.send(get("/"));
  check(failed.read());
  TestServer guarded([](ServerOptions& options) { options.token = kToken; });
  CHECK(McpClient(guarded.port()).http("GET", "/status", "", {}).status == 401);
  check(McpClient(guarded.port()).http("GET", "/status", "", {}).reply);
}

TEST_CASE("/sse: no session for who doesn't ask for events, as a page that only has the URL doesn't", "[wire.sse]") {
  TestServer server;
  McpClient client(server.port());
  for (const char* accept : {"*/*", "text/*", "text/html,application/xhtml+xml,*/*;q=0.8", "image/avif,image/webp,*/*",
                             "application/json", "text/event-stream;q=0", ""}) {
    CAPTURE(accept);
    CHECK(client.http("GET", "/sse", "", {{"Accept", accept}}).status == 406);
  }
  CHECK(client.http("GET", "/sse", "", {}).status == 406);
  for (const char* site : {"cross-site", "same-site"}) {
    CHECK(client.http("GET", "/sse", "", {{"Accept", "text/event-stream"}, {"Sec-Fetch-Site", site}}).status == 403);
  }
  CHECK(server.counter("sessions") == 0);
  for (const char* accept : {"text/event-stream", "application/json, Text/Event-Stream;q=0.5"}) {
    Exchange stream(server.port(), http_text(server.port(), "GET", "/sse", "", {{"Accept", accept}}), kLatestLegacy,
                    "?");
    CHECK(stream.head().status == 200);
    REQUIRE(stream.next_event());
    CHECK(server.counter("sessions") == 1);
    stream.close();
    CHECK(eventually([&] { return server.counter("sessions") == 0; }));
  }
}
