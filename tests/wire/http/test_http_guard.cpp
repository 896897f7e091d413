#include <atomic>
#include <thread>

#include "base/limits.h"
#include "tests/support/catch.h"
#include "tests/support/stopwatch.h"
#include "tests/wire/support/served.h"

using namespace bridle;
using namespace bridle::wire;

using bridle::testing::Stopwatch;

TEST_CASE("a body that no method calls for is read all the same", "[http_server]") {
  Served served(echo);
  RawClient client(served.port());
  client.send("GET /1 HTTP/1.1\r\nHost: a\r\nContent-Length: 16\r\n\r\nGET /evil HTTP/1" + get("/2"));
  CHECK(client.read().body == "GET /1 GET /evil HTTP/1");
  CHECK(client.read().body == "GET /2 ");
}

TEST_CASE("heads that are too large are refused", "[http_server]") {
  Served served(echo);
  RawClient target(served.port());
  target.try_send("GET /" + std::string(1'000'000, 'a'));
  check_refused(target.read(), 414);
  RawClient head(served.port());
  head.try_send("GET / HTTP/1.1\r\nHost: a\r\nX: " + std::string(1'000'000, 'a'));
  check_refused(head.read(), 431);
}

TEST_CASE("ambiguous and missing lengths are refused at once", "[http_server] [wire.http.strict]") {
  Served served(echo);
  const auto refused = [&](std::string_view headers, int status) {
    RawClient client(served.port());
    client.send("POST /mcp HTTP/1.1\r\nHost: a\r\n" + std::string(headers) + "\r\n");
    const Stopwatch before;
    check_refused(client.read(), status);
    CHECK(before.waited() < Millis(1000));
    CHECK(client.closed_within());
  };
  refused("", 411);
  refused("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", 400);
  refused("Content-Length: 5\r\nContent-Length: 6\r\n", 400);
  refused("Content-Length: 999999999999\r\n", 413);
  refused("Content-Length: 5\r\nContent-Encoding: gzip\r\n", 415);
  refused("Host: b\r\nContent-Length: 0\r\n", 400);
}

TEST_CASE("a refusal reaches a client that is still sending", "[http_server]") {
  Served served(echo);
  RawClient client(served.port());
  client.try_send("POST /mcp HTTP/1.1\r\nHost: a\r\nContent-Length: 50000000\r\n\r\n" + std::string(5'000'000, 'x'));
  check_refused(client.read(), 413);
}

TEST_CASE("a chunked bomb is refused before it is read", "[http_server] [wire.http.bounds]") {
  HttpServerOptions options;
  options.max_body_bytes = 1000;
  Served served(echo, options);
  const std::string head = "POST /mcp HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
  RawClient client(served.port());
  client.send(head + "6400000\r\n");
  check_refused(client.read(), 413);
  RawClient many(served.port());
  std::string chunks;
  for (int i = 0; i < 1001; ++i) chunks += "1\r\nx\r\n";
  many.send(head + chunks);
  check_refused(many.read(), 413);
  RawClient exact(served.port());
  exact.send(head + "3E8\r\n" + std::string(1000, 'x') + "\r\n0\r\n\r\n");
  CHECK(exact.read().status == 200);
}

TEST_CASE("slow heads and slow bodies have one deadline, however they trickle",
          "[http_server] [wire.http.bounds] [wire.hostile]") {
  Served served(echo, short_times());
  const std::string head =
      GENERATE("GET / HTTP/1.1\r\n", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n",
               "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nFFFF\r\n");
  RawClient client(served.port());
  client.send(head);
  Gate over;
  std::thread trickle([&] {
    while (!over.wait(Millis(5)) && client.try_send("a")) {
    }
  });
  const Stopwatch watch;
  const auto reply = client.read();
  const auto took = watch.passed();
  const auto waited = watch.waited();
  over.open();
  trickle.join();
  check_refused(reply, 408);
  CHECK(took > Millis(150));
  CHECK(waited < Millis(2000));
}

TEST_CASE("connections without requests end after their time, without a word", "[http_server]") {
  Served served(echo, short_times());
  RawClient fresh(served.port());
  CHECK(fresh.read_all().empty());
  RawClient used(served.port());
  used.send(get("/"));
  used.read();
  CHECK(used.read_all().empty());
}

TEST_CASE("a request that is cut off is not handled", "[http_server] [wire.http.strict]") {
  std::atomic<int> calls{0};
  Served served([&](const HttpRequest& request) {
    ++calls;
    return echo(request);
  });
  for (const std::string cut : {"GET / HT", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab"}) {
    RawClient client(served.port());
    client.send(cut);
    client.half_close();
    check_refused(client.read(), 400);
  }
  CHECK(calls == 0);
}

TEST_CASE("100-continue is sent before the body, and only when there is something to wait for", "[http_server]") {
  Served served(echo);
  RawClient client(served.port());
  client.send("POST /mcp HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n");
  CHECK(client.read().status == 100);
  client.send("ab");
  CHECK(client.read().body == "POST /mcp ab");
  client.send("POST /mcp HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\nab");
  CHECK(client.read().status == 200);
  client.send("POST /mcp HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\nExpect: 100-continue\r\n\r\n");
  check_refused(client.read(), 413);
}

TEST_CASE("Range and Accept-Encoding change nothing", "[http_server]") {
  Served served([](const HttpRequest&) { return HttpReply::json(200, std::string(100'000, 'x')); });
  RawClient client(served.port());
  for (const auto* headers : {"Range: bytes=0-1\r\n", "Range: nonsense\r\n", "Accept-Encoding: gzip, br\r\n"}) {
    client.send(get("/", headers));
    const auto reply = client.read();
    CHECK(reply.status == 200);
    CHECK(reply.body.size() == 100'000);
    CHECK(reply.header("Content-Encoding").empty());
    CHECK(reply.header("Content-Range").empty());
  }
}

TEST_CASE("a handler's exception is a 500 that tells nothing", "[http_server] [wire.errors.words]") {
  Served served([](const HttpRequest& request) -> HttpReply {
    if (request.path == "/odd") throw 42;
    throw std::runtime_error("secret /home/me");
  });
  RawClient client(served.port());
  for (const auto* path : {"/", "/odd"}) {
    client.send(get(path));
    const auto reply = client.read();
    CHECK(reply.status == 500);
    CHECK(reply.header("Content-Type") == "text/plain; charset=utf-8");
    CHECK((reply.head + reply.body).find("secret") == std::string::npos);
    CHECK(reply.head.find("EXCEPTION") == std::string::npos);
  }
}

TEST_CASE("the longest path allowed fits the threads' stacks", "[http_server]") {
  Served served(echo);
  RawClient client(served.port());
  const std::string path = "/" + std::string(limits::kTargetBytes - 1, 'a');
  client.send(get(path));
  CHECK(client.read().status == 200);
}
