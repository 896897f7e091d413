#include <fcntl.h>

#include <memory>
#include <vector>

#include "tests/support/catch.h"
#include "tests/support/stopwatch.h"
#include "tests/wire/support/served.h"

using namespace bridle;
using namespace bridle::wire;

using bridle::testing::Stopwatch;

TEST_CASE("requests are answered on one connection, without header noise", "[http_server]") {
  Served served(echo);
  RawClient client(served.port());
  for (const auto* target : {"/a", "/b%20c?q"}) {
    client.send(get(target));
    const auto reply = client.read();
    CHECK(reply.status == 200);
    CHECK(reply.headers.size() == 2 + std::size(HttpReply::kAlways));
    CHECK(reply.header("Content-Type") == "text/plain; charset=utf-8");
    CHECK(reply.whole);
  }
  client.send(post("body"));
  CHECK(client.read().body == "POST /mcp body");
  const auto counters = served.server.counters();
  CHECK(counters.connections == 1);
  CHECK(counters.accepted_total == 1);
}

TEST_CASE("every known method reaches the handler; others don't", "[http_server]") {
  Served served([](const HttpRequest& request) { return HttpReply::text(405, request.method); });
  RawClient client(served.port());
  for (const std::string method : {"GET", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"}) {
    client.send(method + " / HTTP/1.1\r\nHost: a\r\n\r\n");
    const auto reply = client.read();
    CHECK(reply.status == 405);
    CHECK(reply.body == method);
  }
  client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n");
  const auto head = client.read(false);
  CHECK(head.status == 405);
  CHECK(head.header("Content-Length") == "4");
  client.send("CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n");
  CHECK(client.read().body == "CONNECT");
  RawClient other(served.port());
  other.send("BREW / HTTP/1.1\r\nHost: a\r\n\r\n");
  check_refused(other.read(), 501);
}

TEST_CASE("headers arrive as sent; nobody passes his own for ours", "[http_server]") {
  std::vector<std::pair<std::string, std::string>> headers;
  std::string address;
  int port = 0;
  Served served([&](const HttpRequest& request) {
    headers = request.headers;
    address = request.peer->address();
    port = request.peer->port();
    return HttpReply::empty(204);
  });
  RawClient client(served.port());
  client.send(get("/", "REMOTE_ADDR: 6.6.6.6\r\nX: 2\r\nx: \xC3\xA9%41\r\nREMOTE_PORT: 6\r\n"));
  const auto reply = client.read();
  CHECK(reply.status == 204);
  CHECK(reply.header("Content-Length").empty());
  const std::vector<std::pair<std::string, std::string>> expected = {
      {"Host", "localhost"}, {"REMOTE_ADDR", "6.6.6.6"}, {"X", "2"}, {"x", "\xC3\xA9%41"}, {"REMOTE_PORT", "6"}};
  CHECK(headers == expected);
  CHECK(address == "127.0.0.1");
  CHECK(port == client.local_port());
}

TEST_CASE("a header with a line break isn't sent", "[http_server]") {
  Served served([](const HttpRequest&) {
    auto reply = HttpReply::text(200, "x");
    reply.headers.emplace_back("X-Evil", "a\r\nX-Injected: b");
    return reply;
  });
  RawClient client(served.port());
  client.send(get("/"));
  CHECK(client.read().head.find("Injected") == std::string::npos);
}

TEST_CASE("pipelined requests are all answered, in order", "[http_server]") {
  Served served(echo);
  RawClient client(served.port());
  client.send(get("/1") + post("2") +
              "POST /3 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n" + get("/4"));
  CHECK(client.read().body == "GET /1 ");
  CHECK(client.read().body == "POST /mcp 2");
  CHECK(client.read().body == "POST /3 ab");
  CHECK(client.read().body == "GET /4 ");
}

TEST_CASE("a half-closed client gets all its answers", "[http_server] [cancel.wire.half-close]") {
  Served served(echo);
  RawClient client(served.port());
  client.send(get("/1") + get("/2"));
  client.half_close();
  CHECK(client.read().body == "GET /1 ");
  CHECK(client.read().body == "GET /2 ");
  CHECK(client.closed_within());
}

TEST_CASE("small answers don't wait for acknowledgements", "[http_server]") {
  Served served(echo);
  RawClient client(served.port());
  const Stopwatch before;
  for (int i = 0; i < 100; ++i) {
    client.send(get("/"));
    client.read();
  }
  CHECK(before.waited() < Millis(2000));  // 4.4 s with Nagle's algorithm
}

TEST_CASE("HTTP/1.0 connections live on only when asked to", "[http_server]") {
  Served served(echo);
  RawClient client(served.port());
  client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  CHECK(client.read().header("Connection") == "keep-alive");
  client.send("GET / HTTP/1.0\r\n\r\n");
  CHECK(client.read().header("Connection") == "close");
  CHECK(client.closed_within());
}

TEST_CASE("close and drop end the connection, with and without an answer", "[http_server]") {
  Served served([](const HttpRequest& request) {
    auto reply = echo(request);
    (request.path == "/drop" ? reply.drop : reply.close) = true;
    return reply;
  });
  RawClient closing(served.port());
  closing.send(get("/"));
  CHECK(closing.read().header("Connection") == "close");
  CHECK(closing.closed_within());
  RawClient dropped(served.port());
  dropped.send(get("/drop"));
  CHECK(dropped.read_all().empty());
}

TEST_CASE("IPv6 loopback works", "[http_server] [wire.loopback]") {
  HttpServerOptions options;
  options.host = GENERATE("::1", "[::1]");
  std::unique_ptr<Served> served;
  std::string address;
  try {
    served = std::make_unique<Served>(
        [&](const HttpRequest& request) {
          address = request.peer->address();
          return echo(request);
        },
        options);
  } catch (const std::runtime_error&) {
    WARN("no IPv6 here");
    return;
  }
  RawClient client(served->port(), "::1");
  client.send(get("/"));
  CHECK(client.read().status == 200);
  CHECK(address == "::1");
}

TEST_CASE("accepted sockets are closed on exec", "[http_server]") {
  Served served([](const HttpRequest& request) {
    int closing = 0;
    for (int fd = 3; fd < 1024; ++fd) {
      sockaddr_in peer{};
      socklen_t size = sizeof peer;
      if (::getpeername(fd, reinterpret_cast<sockaddr*>(&peer), &size) != 0) continue;
      if (ntohs(peer.sin_port) != request.peer->port()) continue;
      closing += (::fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0 ? 1 : 100;
    }
    return HttpReply::text(200, std::to_string(closing));
  });
  RawClient client(served.port());
  client.send(get("/"));
  CHECK(client.read().body == "1");
}
