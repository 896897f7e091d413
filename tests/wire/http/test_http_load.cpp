#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "tests/support/catch.h"
#include "tests/support/stopwatch.h"
#include "tests/wire/support/served.h"

using namespace bridle;
using namespace bridle::wire;

using bridle::testing::Stopwatch;

TEST_CASE("a second server on the same port is told about --port", "[http_server]") {
  Served served(echo);
  HttpServerOptions options;
  options.port = served.port();
  HttpServer second(options, echo);
  CHECK_THROWS_WITH(second.bind(), matchers::Contains(std::to_string(served.port())) && matchers::Contains("--port") &&
                                       matchers::Contains("in use"));
}

TEST_CASE("a port can be taken again at once", "[http_server]") {
  HttpServerOptions options;
  {
    Served served(echo);
    options.port = served.port();
    RawClient client(served.port());
    client.send(get("/", "Connection: close\r\n"));  // the server's side goes to TIME_WAIT
    client.read();
  }
  HttpServer again(options, echo);
  CHECK_NOTHROW(again.bind());
}

TEST_CASE("a burst of connections waits in the backlog", "[http_server]") {
  HttpServer server(HttpServerOptions(), echo);
  server.bind();
  std::vector<RawClient> clients;
  for (int i = 0; i < 400; ++i) clients.emplace_back(server.port());  // nobody accepts yet
  std::thread thread([&] { server.run(); });
  for (auto& client : clients) client.send(get("/"));
  for (auto& client : clients) CHECK(client.read().status == 200);
  server.stop(Millis(0));
  thread.join();
}

TEST_CASE("over the cap a 503 comes at once, and room comes back", "[http_server] [wire.load]") {
  HttpServerOptions options;
  options.max_connections = 2;
  Served served(echo, options);
  auto first = std::make_unique<RawClient>(served.port());
  RawClient second(served.port());
  for (auto* client : {first.get(), &second}) {
    client->send(get("/"));
    CHECK(client->read().status == 200);
  }
  for (int i = 0; i < 200; ++i) {
    RawClient third(served.port());
    third.try_send(post(std::string(1000, 'x')));
    check_refused(third.read(), 503);
  }
  auto counters = served.server.counters();
  CHECK(counters.refused_total == 200);
  CHECK(counters.connections == 2);
  CHECK(counters.threads <= 2);
  first.reset();
  REQUIRE(eventually([&] { return served.server.counters().connections == 1; }));
  RawClient next(served.port());
  next.send(get("/"));
  CHECK(next.read().status == 200);
}

TEST_CASE("without descriptors left, connections are refused and nothing spins", "[http_server]") {
  FileLimit files;
  Served served(echo);
  RawClient early(served.port());
  early.send(get("/"));
  early.read();
  std::vector<RawClient> clients;
  for (int i = 0; i < 5; ++i) clients.emplace_back(RawClient::Unconnected{});
  const auto before = cpu_time();
  std::vector<std::string> answers;
  int status = 0;
  {
    // The next free number is beyond the limit. No assertions in here: UBSan's own checks open pipes.
    const int next = ::dup(0);
    ::close(next);
    files.set(static_cast<rlim_t>(next));
    for (auto& client : clients) client.connect(served.port());
    for (auto& client : clients) answers.push_back(client.read_all());
    early.send(get("/"));
    status = early.read().status;
    files.set(RLIM_INFINITY);
  }
  CHECK(cpu_time() - before < Millis(500));
  for (const auto& answer : answers) CHECK(answer.starts_with("HTTP/1.1 503"));
  CHECK(status == 200);
  RawClient late(served.port());
  late.send(get("/"));
  CHECK(late.read().status == 200);
}

TEST_CASE("idle connections cost no CPU", "[http_server]") {
  Served served(echo);
  std::vector<RawClient> clients;
  for (int i = 0; i < 200; ++i) {
    clients.emplace_back(served.port());
    clients.back().send(get("/"));
    clients.back().read();
  }
  const auto before = cpu_time();
  Gate never;
  CHECK_FALSE(never.wait(Millis(1000)));  // the span that is measured
  CHECK(cpu_time() - before < Millis(50));
}

TEST_CASE("slow requests don't hold up others", "[http_server]") {
  Gate release;
  Served served([&](const HttpRequest& request) {
    if (request.path == "/slow") release.wait();
    return echo(request);
  });
  std::vector<RawClient> slow;
  for (int i = 0; i < 64; ++i) {
    slow.emplace_back(served.port());
    slow.back().send(get("/slow"));
  }
  RawClient quick(served.port());
  quick.send(get("/quick"));
  CHECK(quick.read().status == 200);
  release.open();
  for (auto& client : slow) CHECK(client.read().status == 200);
}

TEST_CASE("1,000 streams at once: all served, cheap, and nothing remains of them", "[http_server] [wire.load]") {
  Gate end;
  std::atomic<int> streaming{0};
  Served served([&](const HttpRequest& request) {
    if (request.path == "/quick") return echo(request);
    auto told = request.peer->on_close([] {});
    return stream_of([&, told](HttpStream& stream) {
      stream.write("data: here\n\n");
      ++streaming;
      end.wait(Millis(60'000));
      stream.write("data: bye\n\n");
    });
  });
  const auto files_before = open_files();
  const auto memory_before = anonymous_kib();
  {
    std::vector<RawClient> clients;
    for (int i = 0; i < 1000; ++i) {
      clients.emplace_back(served.port());
      clients.back().send(get("/"));
    }
    REQUIRE(eventually([&] { return streaming == 1000; }, Millis(60'000)));
    if (!kSanitized) {
      INFO("KiB for 1,000 streams: " << anonymous_kib() - memory_before);
      CHECK(anonymous_kib() - memory_before < 40 * 1024);
    }
    CHECK(served.server.counters().watched == 1000);
    RawClient quick(served.port());
    const Stopwatch before;
    quick.send(get("/quick"));
    CHECK(quick.read().status == 200);
    CHECK(before.waited() < Millis(1000));
    end.open();
    for (auto& client : clients) {
      client.read_head();
      CHECK(client.read_event() == "data: here");
      CHECK(client.read_event() == "data: bye");
      CHECK(client.read_event() == std::nullopt);
      CHECK(client.stream_whole);
    }
  }
  CHECK(eventually([&] {
    const auto counters = served.server.counters();
    return counters.connections == 0 && counters.watched == 0 && counters.threads == 0;
  }));
  CHECK(eventually([&] { return open_files() <= files_before; }));
}

TEST_CASE("stop wakes idle, half-read and fresh connections at once", "[http_server]") {
  Served served(echo);
  RawClient fresh(served.port()), idle(served.port()), half(served.port()), body(served.port());
  idle.send(get("/"));
  idle.read();
  half.send("GET / HT");
  body.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab");
  REQUIRE(eventually([&] { return served.server.counters().connections == 4; }));
  const Stopwatch before;
  served.stop(Millis(5000));
  CHECK(before.waited() < Millis(1000));
  for (auto* client : {&fresh, &idle, &half, &body}) CHECK(client->closed_within());
  CHECK(served.server.counters().threads == 0);
  CHECK_THROWS(RawClient(served.port()));
}

TEST_CASE("stop waits for running handlers, and their answers say that the connection ends", "[http_server]") {
  Gate entered, release;
  Served served([&](const HttpRequest& request) {
    entered.open();
    release.wait();
    return echo(request);
  });
  RawClient client(served.port());
  client.send(get("/"));
  REQUIRE(entered.wait());
  std::thread stopper([&] { served.server.stop(kPatience); });
  REQUIRE(eventually([&] {
    try {
      RawClient another(served.port());
      return another.closed_within(Millis(1));
    } catch (const std::runtime_error&) {
      return true;
    }
  }));
  release.open();
  const auto reply = client.read();
  CHECK(reply.status == 200);
  CHECK(reply.header("Connection") == "close");
  client.close();
  stopper.join();
}

TEST_CASE("stop shuts the sockets of what outlasts the grace", "[http_server]") {
  Gate entered;
  Wrongs wrongs;
  Served served([&](const HttpRequest& request) {
    auto gone = std::make_shared<Gate>();
    std::shared_ptr<void> told = request.peer->on_close([gone] { gone->open(); });
    return stream_of([&, gone, told](HttpStream& stream) {
      stream.write("data: 1\n\n");
      entered.open();
      gone->wait(Millis(60'000));
      wrongs.unless(!(stream.write("x") && stream.write("y")));
    });
  });
  RawClient client(served.port());
  client.send(get("/"));
  REQUIRE(entered.wait());
  const Stopwatch watch;
  served.stop(Millis(100));
  CHECK(watch.waited() < Millis(1500));
  CHECK(watch.passed() >= Millis(100));
  CHECK_FALSE(client.read().whole);
  CHECK(wrongs.count() == 0);
}

TEST_CASE("stop before run, and stop twice", "[http_server]") {
  HttpServer server(HttpServerOptions(), echo);
  server.bind();
  server.stop(Millis(1000));
  server.run();  // returns at once
  server.stop(Millis(1000));
  CHECK(server.counters().accepted_total == 0);
}
