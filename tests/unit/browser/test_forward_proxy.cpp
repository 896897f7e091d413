// The forward proxy over real sockets: the test site as the server, raw clients in the browser's place.
#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>

#include <future>

#include "base/text/codecs.h"
#include "browser/proxy/forward_proxy.h"
#include "tests/site/site_server.h"
#include "tests/support/catch.h"
#include "tests/unit/support/concurrency_support.h"

using namespace bridle;
using matchers::Contains;
using matchers::StartsWith;

namespace {

constexpr int kPatience = 20'000;  // ms; a bound for what takes microseconds

Fd connect_to(int port) {
  Fd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  REQUIRE(::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  return fd;
}

// A blocking connection, with what it received.
struct Client {
  Fd fd;
  std::string received{};

  explicit Client(int port) : fd(connect_to(port)) {}
  void send(const std::string& bytes) const {
    CHECK(::send(fd.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size()));
  }
  // False at the end of the stream.
  bool receive() {
    pollfd poller{fd.get(), POLLIN, 0};
    REQUIRE(::poll(&poller, 1, kPatience) == 1);
    char buffer[65536];
    const auto got = ::recv(fd.get(), buffer, sizeof buffer, 0);
    if (got > 0) received.append(buffer, static_cast<std::size_t>(got));
    return got > 0;
  }
  // Takes what comes up to and with `mark`; all that came, when the stream ends before it.
  std::string until(const std::string& mark) {
    while (received.find(mark) == std::string::npos && receive()) continue;
    const auto at = received.find(mark);
    const auto end = at == std::string::npos ? received.size() : at + mark.size();
    auto taken = received.substr(0, end);
    received.erase(0, end);
    return taken;
  }
  std::string all() {
    while (receive()) continue;
    return std::exchange(received, {});
  }
};

struct Proxied {
  site::SiteServer site{};
  ForwardProxy proxy;
  explicit Proxied(ForwardProxy::Rules rules = {}) : proxy(std::move(rules)) {}
  // To be built when the site's port is known.
  static ForwardProxy::Rules allowing(const site::SiteServer& site) {
    return {.origins = OriginRules({site.origin()}, {})};
  }

  std::string credential() const {
    return "Proxy-Authorization: Basic " + base64(proxy.user() + ":" + proxy.password()) + "\r\n";
  }
  Client client() const { return Client(proxy.port()); }
  std::string get(const std::string& url, const std::string& fields = "") const {
    return "GET " + url + " HTTP/1.1\r\nHost: x\r\n" + credential() + fields + "\r\n";
  }
  std::string tunnel(const std::string& authority) const {
    return "CONNECT " + authority + " HTTP/1.1\r\nHost: " + authority + "\r\n" + credential() + "\r\n";
  }
  bool empty_again() const {
    return testing::eventually([this] { return proxy.connections() == 0; });
  }
};

std::string authority(const std::string& origin) { return origin.substr(origin.find("://") + 3); }

}  // namespace

TEST_CASE("the proxy serves only whoever knows its credential", "[forward_proxy] [security.egress]") {
  Proxied it;
  it.site.set_page("/p", "hello");
  const auto without = "GET " + it.site.url("/p") + " HTTP/1.1\r\nHost: x\r\n";
  auto client = it.client();
  client.send(without + "\r\n");
  CHECK_THAT(client.until("\r\n\r\n"), StartsWith("HTTP/1.1 407") && Contains("Proxy-Authenticate: Basic"));
  // A browser asks again on the same connection.
  client.send(without + "Proxy-Authorization: Basic " + base64("bridle:wrong") + "\r\n\r\n");
  CHECK_THAT(client.until("\r\n\r\n"), StartsWith("HTTP/1.1 407"));
  CHECK(it.site.requests("/p").empty());
  client.send(it.get(it.site.url("/p")));
  CHECK_THAT(client.until("hello"), StartsWith("HTTP/1.1 200"));
  auto tunnel = it.client();
  tunnel.send("CONNECT " + authority(it.site.origin()) + " HTTP/1.1\r\n\r\n");
  CHECK_THAT(tunnel.until("\r\n\r\n"), StartsWith("HTTP/1.1 407"));
}

TEST_CASE("requests of one connection reach their servers one after the other", "[forward_proxy]") {
  Proxied it;
  it.site.set_page("/one", "first page");
  it.site.set_page("/two", "second page");
  auto client = it.client();
  for (const auto& [url, words] : {std::pair{it.site.url("/one"), "first page"},
                                   {it.site.url("/two"), "second page"},
                                   {it.site.other_url("/two"), "second page"},
                                   {it.site.url("/one"), "first page"}}) {
    client.send(it.get(url));
    CHECK_THAT(client.until(words), Contains("200") && Contains(words));
  }
  CHECK(it.site.requests().size() == 4);
  for (const auto& request : it.site.requests())
    CHECK(site::find_header(request.headers, "proxy-authorization") == nullptr);
}

TEST_CASE("a request's body goes with it, however it comes", "[forward_proxy]") {
  Proxied it;
  it.site.set_handler("/echo", [](const site::Request& request, site::Response& response) {
    response.html("got " + std::to_string(request.body.size()) + " bytes");
  });
  const std::string body(300'000, 'b');
  auto client = it.client();
  const auto head = "POST " + it.site.url("/echo") + " HTTP/1.1\r\nHost: x\r\n" + it.credential();
  for (int i = 0; i < 2; ++i) {
    client.send(head + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body.substr(0, 10));
    client.send(body.substr(10));
    CHECK_THAT(client.until("bytes"), Contains("got 300000 bytes"));
  }
}

TEST_CASE("a tunnel carries what comes, and ends side by side", "[forward_proxy]") {
  Proxied it;
  it.site.set_page("/p", "through the tunnel");
  auto client = it.client();
  client.send(it.tunnel(authority(it.site.origin())));
  CHECK(client.until("\r\n\r\n") == "HTTP/1.1 200 Connection established\r\n\r\n");
  client.send("GET /p HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  ::shutdown(client.fd.get(), SHUT_WR);  // the answer still comes
  CHECK_THAT(client.all(), Contains("through the tunnel"));
  CHECK(it.empty_again());
}

TEST_CASE("what isn't allowed gets no connection", "[forward_proxy] [security.egress]") {
  site::SiteServer site;
  const Proxied it(Proxied::allowing(site));
  site.set_page("/p", "allowed");
  auto allowed = it.client();
  allowed.send(it.get(site.url("/p")));
  CHECK_THAT(allowed.until("allowed"), StartsWith("HTTP/1.1 200"));
  // The same connection, another origin: no word of an answer that could be shown as the page.
  allowed.send(it.get(site.other_url("/p")));
  CHECK(allowed.all().empty());
  CHECK(it.proxy.failure_of(site.other_url("/p")).first == "net::ERR_BLOCKED_BY_CLIENT");
  CHECK_THAT(it.proxy.failure_of(site.other_url("/p")).second, Contains("--allowed-origins"));
  auto tunnel = it.client();
  tunnel.send(it.tunnel(authority(site.other_origin())));
  CHECK_THAT(tunnel.all(), StartsWith("HTTP/1.1 403"));
  // The allowed origin is http: a tunnel to it may not speak TLS.
  auto tls = it.client();
  tls.send(it.tunnel(authority(site.origin())));
  CHECK_THAT(tls.until("\r\n\r\n"), StartsWith("HTTP/1.1 200"));
  tls.send("\x16\x03\x01");
  CHECK(tls.all().empty());
  CHECK(site.requests().size() == 1);
  CHECK(it.empty_again());
}

TEST_CASE("a private network is out of reach by each of its names", "[forward_proxy] [security.private-networks]") {
  const Proxied it({.block_private_networks = true});
  const auto port = ":" + std::to_string(it.site.port());
  for (const char* host :
       {"127.0.0.1", "localhost", "sub.localhost", "[::1]", "[::ffff:7f00:1]", "0.0.0.0", "127.8.8.8"}) {
    CAPTURE(host);
    auto client = it.client();
    client.send(it.get("http://" + (host + port) + "/p"));
    CHECK(client.all().empty());
    CHECK_THAT(it.proxy.failure_of("http://" + (host + port)).second, Contains("--block-private-networks"));
  }
  CHECK(it.site.requests().empty());
}

TEST_CASE("bridle's own ports can't be reached through it", "[forward_proxy] [security.own-ports]") {
  site::SiteServer own;
  const Proxied it({.own_ports = {own.port()}});
  for (const auto& url : {own.url("/status"), "http://localhost:" + std::to_string(own.port()) + "/status",
                          "http://127.0.0.1:" + std::to_string(it.proxy.port()) + "/"}) {
    CAPTURE(url);
    auto client = it.client();
    client.send(it.get(url));
    CHECK(client.all().empty());
    CHECK_THAT(it.proxy.failure_of(url).second, Contains("bridle itself"));
  }
  CHECK(own.requests().empty());
}

TEST_CASE("why a connection failed is known by its host and port", "[forward_proxy]") {
  const Proxied it;
  auto client = it.client();
  client.send(it.get("http://127.0.0.1:1/"));
  CHECK(client.all().empty());
  CHECK(it.proxy.failure_of("http://127.0.0.1:1/x").first == "net::ERR_CONNECTION_REFUSED");
  auto unknown = it.client();
  unknown.send(it.tunnel("no-such-host.invalid:443"));
  CHECK_THAT(unknown.all(), StartsWith("HTTP/1.1 502"));
  CHECK(it.proxy.failure_of("https://no-such-host.invalid/").first == "net::ERR_NAME_NOT_RESOLVED");
  CHECK(it.proxy.failure_of("http://127.0.0.1:2/").first.empty());
}

TEST_CASE("bytes that nobody takes are not kept", "[forward_proxy]") {
  Proxied it;
  constexpr std::size_t kSize = 64 * 1024 * 1024;
  it.site.set_handler("/large",
                      [](const site::Request&, site::Response& response) { response.html(std::string(kSize, 'x')); });
  auto slow = it.client();
  slow.send(it.get(it.site.url("/large")));
  slow.until("\r\n\r\n");
  // Other connections go on meanwhile.
  it.site.set_page("/p", "quick");
  auto quick = it.client();
  quick.send(it.get(it.site.url("/p")));
  CHECK_THAT(quick.until("quick"), Contains("200"));
  CHECK(it.site.open_connections("/large") == 1);  // most of it still waits at the site
  std::size_t got = slow.received.size();
  while (got < kSize) {
    slow.received.clear();
    REQUIRE(slow.receive());
    got += slow.received.size();
  }
  CHECK(got == kSize);
}

TEST_CASE("an answer that is cut off is cut off for the browser too", "[forward_proxy]") {
  Proxied it;
  auto client = it.client();
  const auto listener = site::listen_on_loopback(0);
  client.send(it.tunnel("127.0.0.1:" + std::to_string(site::local_port(listener.get()))));
  client.until("\r\n\r\n");
  pollfd poller{listener.get(), POLLIN, 0};
  REQUIRE(::poll(&poller, 1, kPatience) == 1);
  Fd server(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
  CHECK(::send(server.get(), "half", 4, MSG_NOSIGNAL) == 4);
  CHECK(client.until("half") == "half");
  const linger reset{1, 0};
  ::setsockopt(server.get(), SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
  server.reset();
  pollfd end{client.fd.get(), POLLIN, 0};
  REQUIRE(::poll(&end, 1, kPatience) == 1);
  char byte = 0;
  CHECK(::recv(client.fd.get(), &byte, 1, 0) == -1);
  CHECK(errno == ECONNRESET);
  CHECK(it.empty_again());
}

TEST_CASE("a user's own proxy is gone through, judged before and gone around where asked",
          "[forward_proxy] [security.user-proxy]") {
  site::SiteServer site;
  site.set_page("/p", "behind two proxies");
  const ForwardProxy outer({.origins = {}});
  const auto settings = ProxyServer::parse("http://" + outer.user() + ":" + outer.password() +
                                           "@127.0.0.1:" + std::to_string(outer.port()));
  const Proxied it(
      {.origins = OriginRules({site.origin()}, {}), .upstream = settings, .bypass = ProxyBypass({"<-loopback>"})});
  auto client = it.client();
  client.send(it.get(site.url("/p")));
  CHECK_THAT(client.until("proxies"), StartsWith("HTTP/1.1 200"));
  CHECK(outer.connections() == 1);
  auto tunnel = it.client();
  tunnel.send(it.tunnel(authority(site.origin())));
  tunnel.until("\r\n\r\n");
  tunnel.send("GET /p HTTP/1.1\r\nHost: x\r\n\r\n");
  CHECK_THAT(tunnel.until("proxies"), Contains("200"));
  CHECK(outer.connections() == 2);
  auto refused = it.client();
  refused.send(it.get(site.other_url("/p")));
  CHECK(refused.all().empty());
  const Proxied around({.upstream = settings});
  auto direct = around.client();
  direct.send(around.get(site.url("/p")));
  CHECK_THAT(direct.until("proxies"), Contains("200"));
  CHECK(outer.connections() == 2);
}

TEST_CASE("thousands of connections are held, and end with the proxy", "[forward_proxy]") {
  Proxied it;
  it.site.set_page("/p", "still there");
  std::vector<Client> clients;
  constexpr int kMany = 400;  // of three descriptors each, all in this process
  for (int i = 0; i < kMany; ++i) {
    clients.push_back(it.client());
    clients.back().send(it.tunnel(authority(it.site.origin())));
  }
  for (auto& client : clients) CHECK_THAT(client.until("\r\n\r\n"), StartsWith("HTTP/1.1 200"));
  CHECK(it.proxy.connections() == kMany);
  auto last = it.client();
  last.send(it.get(it.site.url("/p")));
  CHECK_THAT(last.until("there"), Contains("200"));
  clients.clear();
  last.fd.reset();
  CHECK(it.empty_again());
}
