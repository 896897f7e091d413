#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <csignal>
#include <fstream>
#include <memory>
#include <thread>

#include "base/limits.h"
#include "base/sync.h"
#include "server/http_server.h"
#include "tests/wire/raw_client.h"

using namespace bridle;
using namespace bridle::wire;

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

// A server on a port of its own, served by a thread of its own.
class Served {
 public:
  explicit Served(HttpServer::Handler handler, HttpServerOptions options = {})
      : server(std::move(options), std::move(handler)) {
    server.bind();
    thread_ = std::thread([this] { server.run(); });
  }
  ~Served() { stop(Millis(0)); }
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;
  void stop(Millis grace) {
    server.stop(grace);
    if (thread_.joinable()) thread_.join();
  }
  int port() const { return server.port(); }

  HttpServer server;

 private:
  std::thread thread_;
};

template <typename Condition>
bool eventually(Condition condition, Millis time = kPatience) {
  const auto deadline = Deadline::after(time);
  while (!condition()) {
    if (deadline.expired()) return false;
    std::this_thread::yield();
  }
  return true;
}

class Gate {
 public:
  void open() {
    MutexLock lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  bool wait(Millis time = kPatience) {
    MutexLock lock(mutex_);
    const auto until = Clock::now() + time;
    while (!open_) {
      if (changed_.wait_until(lock, until) == std::cv_status::timeout) break;
    }
    return open_;
  }

 private:
  Mutex mutex_;
  CondVar changed_;
  bool open_ GUARDED_BY(mutex_) = false;
};

// For server threads, where Catch's own assertions may not be used: counts what was wrong.
class Wrongs {
 public:
  void unless(bool right) {
    if (!right) ++count_;
  }
  int count() const { return count_; }

 private:
  std::atomic<int> count_{0};
};

// Says what it got.
HttpReply echo(const HttpRequest& request) {
  return HttpReply::text(200, request.method + " " + request.path + " " + request.body);
}

HttpReply stream_of(std::function<void(HttpStream&)> stream) {
  HttpReply reply;
  reply.headers.emplace_back("Content-Type", "text/event-stream");
  reply.stream = std::move(stream);
  return reply;
}

std::string get(std::string_view target, std::string_view headers = "") {
  return "GET " + std::string(target) + " HTTP/1.1\r\nHost: localhost\r\n" + std::string(headers) + "\r\n";
}

std::string post(std::string_view body, std::string_view headers = "") {
  return "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" +
         std::string(headers) + "\r\n" + std::string(body);
}

HttpServerOptions short_times() {
  HttpServerOptions options;
  options.head_time = options.body_time = options.idle_time = options.write_time = Millis(200);
  return options;
}

// The properties of every refusal (spec/protocol 6, 14).
void check_refused(const RawReply& reply, int status) {
  CHECK(reply.status == status);
  CHECK(reply.header("Connection") == "close");
  CHECK(reply.header("Content-Type") == "text/plain; charset=utf-8");
  CHECK(reply.whole);
  CHECK(reply.body.find('<') == std::string::npos);
  CHECK(reply.body.size() > 10);
  CHECK(reply.body.size() < 200);
}

Millis cpu_time() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto millis = [](const timeval& t) { return t.tv_sec * 1000 + t.tv_usec / 1000; };
  return Millis(millis(usage.ru_utime) + millis(usage.ru_stime));
}

long pss_kib() {
  std::ifstream file("/proc/self/smaps_rollup");
  for (std::string word; file >> word;) {
    long value = 0;
    if (word == "Pss:" && file >> value) return value;
  }
  return 0;
}

std::size_t open_files() {
  std::size_t count = 0;
  auto* folder = ::opendir("/proc/self/fd");
  while (::readdir(folder) != nullptr) ++count;
  ::closedir(folder);
  return count;
}

// As many descriptors as the system grants.
class FileLimit {
 public:
  FileLimit() {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    set(before_.rlim_max);
  }
  ~FileLimit() { ::setrlimit(RLIMIT_NOFILE, &before_); }
  FileLimit(const FileLimit&) = delete;
  FileLimit& operator=(const FileLimit&) = delete;
  void set(rlim_t files) {
    rlimit limit = before_;
    limit.rlim_cur = std::min(files, before_.rlim_max);
    ::setrlimit(RLIMIT_NOFILE, &limit);
  }

 private:
  rlimit before_{};
};

}  // namespace

TEST_CASE("requests are answered on one connection, without header noise", "[http_server]") {
  Served served(echo);
  RawClient client(served.port());
  for (const auto* target : {"/a", "/b%20c?q"}) {
    client.send(get(target));
    const auto reply = client.read();
    CHECK(reply.status == 200);
    CHECK(reply.headers.size() == 2);
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

TEST_CASE("a half-closed client gets all its answers", "[http_server]") {
  Served served(echo);
  RawClient client(served.port());
  client.send(get("/1") + get("/2"));
  client.half_close();
  CHECK(client.read().body == "GET /1 ");
  CHECK(client.read().body == "GET /2 ");
  CHECK(client.closed_within());
}

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

TEST_CASE("ambiguous and missing lengths are refused at once", "[http_server]") {
  Served served(echo);
  const auto refused = [&](std::string_view headers, int status) {
    RawClient client(served.port());
    client.send("POST /mcp HTTP/1.1\r\nHost: a\r\n" + std::string(headers) + "\r\n");
    const auto before = Clock::now();
    check_refused(client.read(), status);
    CHECK(Clock::now() - before < Millis(1000));
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

TEST_CASE("a chunked bomb is refused before it is read", "[http_server]") {
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

TEST_CASE("slow heads and slow bodies have one deadline, however they trickle", "[http_server]") {
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
  const auto before = Clock::now();
  const auto reply = client.read();
  const auto took = Clock::now() - before;
  over.open();
  trickle.join();
  check_refused(reply, 408);
  CHECK(took > Millis(150));
  CHECK(took < Millis(2000));
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

TEST_CASE("a request that is cut off is not handled", "[http_server]") {
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

TEST_CASE("a handler's exception is a 500 that tells nothing", "[http_server]") {
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

TEST_CASE("small answers don't wait for acknowledgements", "[http_server]") {
  Served served(echo);
  RawClient client(served.port());
  const auto before = Clock::now();
  for (int i = 0; i < 100; ++i) {
    client.send(get("/"));
    client.read();
  }
  CHECK(Clock::now() - before < Millis(2000));  // 4.4 s with Nagle's algorithm
}

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

TEST_CASE("HTTP/1.0 connections live on only when asked to", "[http_server]") {
  Served served(echo);
  RawClient client(served.port());
  client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  CHECK(client.read().header("Connection") == "keep-alive");
  client.send("GET / HTTP/1.0\r\n\r\n");
  CHECK(client.read().header("Connection") == "close");
  CHECK(client.closed_within());
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

TEST_CASE("a peer that takes no bytes is given up", "[http_server]") {
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

TEST_CASE("a second server on the same port is told about --port", "[http_server]") {
  Served served(echo);
  HttpServerOptions options;
  options.port = served.port();
  HttpServer second(options, echo);
  CHECK_THROWS_WITH(second.bind(), Catch::Contains(std::to_string(served.port())) && Catch::Contains("--port") &&
                                       Catch::Contains("in use"));
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

TEST_CASE("IPv6 loopback works", "[http_server]") {
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

TEST_CASE("a burst of connections waits in the backlog", "[http_server]") {
  const FileLimit files;
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

TEST_CASE("over the cap a 503 comes at once, and room comes back", "[http_server]") {
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
    files.set(100'000);
  }
  CHECK(cpu_time() - before < Millis(500));
  for (const auto& answer : answers) CHECK(answer.starts_with("HTTP/1.1 503"));
  CHECK(status == 200);
  RawClient late(served.port());
  late.send(get("/"));
  CHECK(late.read().status == 200);
}

TEST_CASE("idle connections cost no CPU", "[http_server]") {
  const FileLimit files;
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

TEST_CASE("1,000 streams at once: all served, cheap, and nothing remains of them", "[http_server]") {
  const FileLimit files;
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
  const auto pss_before = pss_kib();
  {
    std::vector<RawClient> clients;
    for (int i = 0; i < 1000; ++i) {
      clients.emplace_back(served.port());
      clients.back().send(get("/"));
    }
    REQUIRE(eventually([&] { return streaming == 1000; }, Millis(60'000)));
    if (!kSanitized) {
      INFO("KiB for 1,000 streams: " << pss_kib() - pss_before);
      CHECK(pss_kib() - pss_before < 40 * 1024);
    }
    CHECK(served.server.counters().watched == 1000);
    RawClient quick(served.port());
    const auto before = Clock::now();
    quick.send(get("/quick"));
    CHECK(quick.read().status == 200);
    CHECK(Clock::now() - before < Millis(1000));
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
  const auto before = Clock::now();
  served.stop(Millis(5000));
  CHECK(Clock::now() - before < Millis(1000));
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
  const auto before = Clock::now();
  served.stop(Millis(100));
  const auto took = Clock::now() - before;
  CHECK(took >= Millis(100));
  CHECK(took < Millis(1500));
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

TEST_CASE("the longest path allowed fits the threads' stacks", "[http_server]") {
  Served served(echo);
  RawClient client(served.port());
  const std::string path = "/" + std::string(limits::kTargetBytes - 1, 'a');
  client.send(get(path));
  CHECK(client.read().status == 200);
}
