#include <atomic>
#include <csignal>

#include "tests/support/catch.h"
#include "tests/wire/support/served.h"

using namespace bridle;
using namespace bridle::wire;

TEST_CASE("a stream's head and chunks arrive as they are written, and its end is clean", "[http_server]") {
  Gate first, second;
  Wrongs wrongs;
  Served served([&](const HttpRequest&) {
    return stream_of([&](HttpStream& stream) {
      first.wait();
      wrongs.unless(stream.write("data: 1\n\n"));
      wrongs.unless(stream.write(""));
      second.wait();
      wrongs.unless(stream.write("data: 2\n\n"));
    });
  });
  RawClient client(served.port());
  client.send(get("/"));
  const auto head = client.read_head();
  CHECK(head.status == 200);
  CHECK(head.header("Transfer-Encoding") == "chunked");
  CHECK(head.header("Content-Type") == "text/event-stream");
  first.open();
  CHECK(client.read_event() == "data: 1");
  second.open();
  CHECK(client.read_event() == "data: 2");
  CHECK(client.read_event() == std::nullopt);
  CHECK(client.stream_whole);
  client.send(get("/"));  // the connection lives on
  CHECK(client.read().whole);
  CHECK(wrongs.count() == 0);
}

TEST_CASE("an HTTP/1.0 client gets its stream without chunks, up to the close", "[http_server]") {
  Served served([&](const HttpRequest&) { return stream_of([](HttpStream& stream) { stream.write("data: 1\n\n"); }); });
  RawClient client(served.port());
  client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  const auto reply = client.read();
  CHECK(reply.header("Transfer-Encoding").empty());
  CHECK(reply.header("Connection") == "close");
  CHECK(reply.body == "data: 1\n\n");
}

TEST_CASE("an exception in a stream cuts the connection, visibly, and leaks nothing", "[http_server]") {
  Served served([](const HttpRequest&) {
    return stream_of([](HttpStream& stream) {
      stream.write("data: 1\n\n");
      throw std::runtime_error("secret");
    });
  });
  RawClient client(served.port());
  client.send(get("/"));
  const auto reply = client.read();
  CHECK_FALSE(reply.whole);
  CHECK(reply.body == "data: 1\n\n");
  client.close();
  CHECK(eventually([&] { return served.server.counters().connections == 0; }));
}

TEST_CASE("a peer's close is told within 50 ms, whether FIN, half-close or RST", "[http_server]") {
  const std::string how = GENERATE("fin", "half", "rst");
  Gate registered, told;
  std::atomic<Clock::rep> at{0};
  Wrongs wrongs;
  Served served([&](const HttpRequest& request) {
    const auto handle = request.peer->on_close([&] {
      at = Clock::now().time_since_epoch().count();
      told.open();
    });
    wrongs.unless(!request.peer->closed());
    registered.open();
    told.wait();
    wrongs.unless(request.peer->closed());
    return echo(request);
  });
  RawClient client(served.port());
  client.send(get("/"));
  REQUIRE(registered.wait());
  CHECK(served.server.counters().watched == 1);
  const auto before = Clock::now();
  if (how == "fin") client.close();
  if (how == "half") client.half_close();
  if (how == "rst") client.reset();
  REQUIRE(told.wait());
  CHECK(Clock::time_point(Clock::duration(at)) - before < Millis(50));
  if (how == "half") CHECK(client.read().status == 200);
  CHECK(eventually([&] { return served.server.counters().watched == 0; }));
  CHECK(wrongs.count() == 0);
}

TEST_CASE("a peer that left before anybody registered is noticed", "[http_server]") {
  Gate entered, gone, done;
  std::atomic<int> told{0};
  Wrongs wrongs;
  Served served([&](const HttpRequest& request) {
    entered.open();
    gone.wait();
    wrongs.unless(eventually([&] { return request.peer->closed(); }));
    const auto handle = request.peer->on_close([&] { ++told; });
    wrongs.unless(told == 1);
    done.open();
    return echo(request);
  });
  RawClient client(served.port());
  client.send(get("/"));
  REQUIRE(entered.wait());
  client.reset();
  gone.open();
  CHECK(done.wait());
  CHECK(wrongs.count() == 0);
}

TEST_CASE("writing to a peer that left fails and kills nobody", "[http_server]") {
  Gate entered, gone, failed;
  Wrongs wrongs;
  Served served([&](const HttpRequest&) {
    return stream_of([&](HttpStream& stream) {
      std::signal(SIGPIPE, SIG_DFL);  // which httplib ignores
      entered.open();
      gone.wait();
      while (stream.write(": ping\n\n")) {
      }
      wrongs.unless(!stream.write("more"));
      failed.open();
    });
  });
  RawClient client(served.port());
  client.send(get("/"));
  REQUIRE(entered.wait());
  client.reset();
  gone.open();
  CHECK(failed.wait());
  std::signal(SIGPIPE, SIG_IGN);
  CHECK(wrongs.count() == 0);
  CHECK(eventually([&] { return served.server.counters().connections == 0; }));
}

TEST_CASE("a peer that takes no bytes is given up", "[http_server] [wire.hostile]") {
  Gate failed;
  Served served(
      [&](const HttpRequest&) {
        return stream_of([&](HttpStream& stream) {
          const std::string much(1'000'000, 'x');
          while (stream.write(much)) {
          }
          failed.open();
        });
      },
      short_times());
  RawClient client(served.port());
  client.send(get("/"));
  CHECK(failed.wait());
  CHECK(eventually([&] { return served.server.counters().connections == 0; }));
}
