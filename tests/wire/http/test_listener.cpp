// Where the server listens: both loopbacks, or exactly what --host says.
#include <fcntl.h>

#include "server/http/origin_guard.h"
#include "tests/support/catch.h"
#include "tests/wire/support/bridle_process.h"
#include "tests/wire/support/neighbours.h"
#include "tests/wire/support/served.h"

using namespace bridle;
using namespace bridle::wire;

namespace {

using Hosts = std::vector<std::string>;

HttpServerOptions on(const std::string& host, int port = 0) {
  HttpServerOptions options;
  options.host = host;
  options.port = port;
  return options;
}

bool answers(const char* host, int port) {
  RawClient client(port, host);
  client.send(get("/"));
  return client.read().status == 200;
}

// What a neighbour does: listens on the IPv6 loopback, on a port whose IPv4 loopback is free.
class OnIpv6 {
 public:
  OnIpv6() : fd_(::socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in6 address{};
    address.sin6_family = AF_INET6;
    address.sin6_addr = in6addr_loopback;
    // Below the ports that the kernel deals out: one of those may be somebody's on 127.0.0.1.
    const int first = 20'000 + ::getpid() % 10'000;
    for (int port = first; port < first + 100 && port_ == 0; ++port) {
      address.sin6_port = htons(static_cast<std::uint16_t>(port));
      if (::bind(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 && ::listen(fd_, 8) == 0)
        port_ = port;
    }
  }
  ~OnIpv6() { ::close(fd_); }
  OnIpv6(const OnIpv6&) = delete;
  OnIpv6& operator=(const OnIpv6&) = delete;
  int port() const { return port_; }  // 0: this machine has no IPv6

 private:
  int fd_;
  int port_ = 0;
};

}  // namespace

TEST_CASE("by default both loopbacks are served, on one port, and localhost is ours", "[wire.loopback.both]") {
  if (OnIpv6().port() == 0) {
    WARN("this machine has no IPv6");
    return;
  }
  Served served(echo);
  CHECK(served.server.own_hosts() == Hosts{"127.0.0.1", "[::1]", "localhost"});
  CHECK(answers("127.0.0.1", served.port()));
  CHECK(answers("::1", served.port()));
  served.stop(Millis(0));
  for (const char* host : {"127.0.0.1", "::1"}) CHECK_THROWS(RawClient(served.port(), host));
}

TEST_CASE("a port that somebody has on the other loopback ends the start, and the words say what to do",
          "[wire.loopback.both]") {
  const OnIpv6 neighbour;
  if (neighbour.port() == 0) {
    WARN("this machine has no IPv6");
    return;
  }
  HttpServer server(on("localhost", neighbour.port()), echo);
  CHECK_THROWS_WITH(server.bind(),
                    matchers::Contains(std::to_string(neighbour.port()) + " on [::1] is already in use") &&
                        matchers::Contains("localhost") && matchers::Contains("--port") &&
                        matchers::Contains("--host 127.0.0.1"));
  // Nothing of it is left behind, and the advice works: without the name.
  HttpServer alone(on("127.0.0.1", neighbour.port()), echo);
  alone.bind();
  CHECK(alone.own_hosts() == Hosts{"127.0.0.1"});
}

TEST_CASE("--host is taken at its word", "[wire.loopback.both]") {
  const auto hosts_of = [](const std::string& host) {
    HttpServer server(on(host), echo);
    server.bind();
    return server.own_hosts();
  };
  CHECK(hosts_of("127.0.0.1") == Hosts{"127.0.0.1"});
  CHECK(hosts_of("127.0.0.2") == Hosts{"127.0.0.2"});
  CHECK_THROWS_WITH(hosts_of("192.0.2.77"), matchers::Contains("cannot listen on 192.0.2.77"));
  if (OnIpv6().port() == 0) return;
  CHECK(hosts_of("LocalHost") == Hosts{"127.0.0.1", "[::1]", "localhost"});
  CHECK(hosts_of("::1") == Hosts{"[::1]"});
  CHECK(hosts_of("[::1]") == Hosts{"[::1]"});
  CHECK(hosts_of("0.0.0.0") == Hosts{"127.0.0.1"});
  CHECK(hosts_of("::") == Hosts{"127.0.0.1", "[::1]", "localhost"});
}

TEST_CASE("on a machine without IPv6 the one loopback is enough, and localhost is ours", "[wire.loopback.both]") {
  Hosts by_default, wildcard;
  bool served = false;
  const bool tried = without_ipv6([&] {
    HttpServer server(on("localhost"), echo);
    server.bind();
    by_default = server.own_hosts();
    std::thread thread([&] { server.run(); });
    served = answers("127.0.0.1", server.port());
    server.stop(Millis(0));
    thread.join();
    HttpServer everywhere(on("0.0.0.0"), echo);
    everywhere.bind();
    wildcard = everywhere.own_hosts();
  });
  if (!tried) return;
  CHECK(by_default == Hosts{"127.0.0.1", "localhost"});
  CHECK(wildcard == Hosts{"127.0.0.1", "localhost"});
  CHECK(served);
}

TEST_CASE(
    "the program on one loopback: localhost, which may be a neighbour's, is refused; what is printed says 127.0.0.1",
    "[wire.loopback.both] [wire.host-origin]") {
  const TempDir tmp;
  const OnIpv6 neighbour;
  if (neighbour.port() == 0) return;
  const std::string port = std::to_string(neighbour.port());
  BridleProcess refused(tmp, {"--port", port});
  CHECK(refused.wait(kPatience) == 1);
  CHECK_THAT(refused.errors(), matchers::Contains("[::1]") && matchers::Contains("--host 127.0.0.1"));
  BridleProcess bridle(tmp, {"--port", port, "--host", "127.0.0.1"});
  REQUIRE(bridle.port() == neighbour.port());
  const auto status_of = [&](const std::string& headers) {
    RawClient client(neighbour.port());
    client.send("GET /healthz HTTP/1.1\r\n" + headers + "\r\n");
    const auto reply = client.read();
    return std::make_pair(reply.status, reply.body);
  };
  const std::string literal = "Host: 127.0.0.1:" + port + "\r\n";
  CHECK(status_of(literal).first == 200);
  // The neighbour's page in the user's browser, which falls back to us once the neighbour stops answering.
  CHECK(status_of(literal + "Origin: http://localhost:" + port + "\r\n").first == 403);
  CHECK(status_of(literal + "Origin: http://[::1]:" + port + "\r\n").first == 403);
  const auto [status, words] = status_of("Host: localhost:" + port + "\r\n");
  CHECK(status == 403);
  CHECK_THAT(words, matchers::Contains("http://127.0.0.1:" + port));
}
