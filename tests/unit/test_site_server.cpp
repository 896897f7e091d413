// The fixture server's own promises, checked with raw sockets: what a browser test concludes rests on them.
#include <dirent.h>

#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "tests/site/site_server.h"
#include "tests/support/catch.h"
#include "tests/support/stopwatch.h"
#include "tests/unit/support/byte_client.h"

namespace {

using bridle::site::Millis;
using bridle::site::SiteServer;
using bridle::site::steady_now;
using bridle::testing::Answer;
using bridle::testing::Client;
using bridle::testing::fetch;
using bridle::testing::header_of;
using bridle::testing::kPatience;
using namespace std::chrono_literals;

using bridle::testing::Stopwatch;

Millis since(Millis start) { return steady_now() - start; }

std::size_t count_fds() {
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir("/proc/self/fd"), ::closedir);
  std::size_t count = 0;
  while (::readdir(folder.get()) != nullptr) ++count;
  return count;
}

}  // namespace

TEST_CASE("site: serves both origins, and 404 with a body for the unknown", "[site]") {
  SiteServer server;
  REQUIRE(server.port() != server.other_port());
  CHECK(server.url("/x") == "http://127.0.0.1:" + std::to_string(server.port()) + "/x");
  CHECK(server.other_url("/x") == "http://127.0.0.1:" + std::to_string(server.other_port()) + "/x");

  CHECK(fetch(server.port(), "/plain?title=A+%3Cb%3E&text=X").body.contains("<title>A &lt;b&gt;</title>"));
  CHECK(fetch(server.other_port(), "/plain").status == 200);
  const Answer missing = fetch(server.port(), "/nowhere");
  CHECK(missing.status == 404);
  CHECK(missing.body.contains("No page at /nowhere."));
}

TEST_CASE("site: a request is logged with method, headers, body and time", "[site]") {
  SiteServer server;
  const Millis before = steady_now();
  Client client(server.port());
  client.send("POST /api/echo?a=1 HTTP/1.1\r\nHost: h\r\nX-Mark: yes\r\nContent-Length: 5\r\n\r\nhello");
  CHECK(client.answer().body.contains("\"body\":\"hello\""));

  REQUIRE(server.wait_for_open_connections("/api/echo", 0, kPatience));
  const auto requests = server.requests("/api/echo");
  REQUIRE(requests.size() == 1);
  CHECK(requests[0].method == "POST");
  CHECK(requests[0].target == "/api/echo?a=1");
  CHECK(requests[0].body == "hello");
  CHECK(*bridle::site::find_header(requests[0].headers, "x-mark") == "yes");
  CHECK(requests[0].received >= before);
  CHECK(requests[0].finished.has_value());
  CHECK(server.requests("/api/echo?a=1").size() == 1);
  CHECK(server.requests("/api/echo?a=2").empty());

  server.reset_log();
  CHECK(server.requests().empty());
}

TEST_CASE("site: wait_for_request returns when it comes, and false when it doesn't", "[site]") {
  SiteServer server;
  CHECK_FALSE(server.wait_for_request("/plain", 20ms));
  auto late = std::async(std::launch::async, [&] { return fetch(server.port(), "/plain").status; });
  CHECK(server.wait_for_request("/plain", kPatience));
  CHECK(late.get() == 200);
  CHECK_FALSE(server.wait_for_request("/plain", 0ms, 2));
}

TEST_CASE("site: a peer that leaves an unfinished answer is noticed at once", "[site]") {
  SiteServer server;
  const std::string path = GENERATE("/never", "/never-body", "/slow?ms=60000", "/slow-body?ms=60000", "/held?key=K",
                                    "/drip?ms=60000", "/download-never", "/sse?ms=60000", "/api/never");
  const bool by_reset = GENERATE(false, true);
  Client client(server.port());
  client.get(path);
  REQUIRE(server.wait_for_request(path, kPatience));
  CHECK(server.open_connections(path) == 1);
  CHECK_FALSE(server.wait_for_hangup(path, 10ms));

  const Millis closed = steady_now();
  const Stopwatch since_close;
  by_reset ? client.close_with_reset() : client.close();
  const auto seen = server.wait_for_hangup(path, kPatience);
  REQUIRE(seen);
  CHECK(*seen >= closed);
  CHECK(since_close.waited() < 500ms);
  CHECK(server.hangups(path) == 1);
  CHECK(server.open_connections(path) == 0);
}

TEST_CASE("site: a half-close counts as leaving", "[site]") {
  SiteServer server;
  Client client(server.port());
  client.get("/never");
  REQUIRE(server.wait_for_request("/never", kPatience));
  client.half_close();
  CHECK(server.wait_for_hangup("/never", kPatience));
}

TEST_CASE("site: leaving after the whole answer is no hang-up", "[site]") {
  SiteServer server;
  fetch(server.port(), "/plain");
  REQUIRE(server.wait_for_open_connections("", 0, kPatience));
  CHECK(server.hangups() == 0);
}

TEST_CASE("site: a peer that stops reading a large answer and leaves is a hang-up", "[site]") {
  SiteServer server;
  Client client(server.port());
  client.get("/large?bytes=60000000");
  REQUIRE(client.receive());
  client.close();
  CHECK(server.wait_for_hangup("/large", kPatience));
}

TEST_CASE("site: what was open before reset_log isn't reported after it", "[site]") {
  SiteServer server;
  Client old(server.port());
  old.get("/never?old");
  REQUIRE(server.wait_for_request("/never?old", kPatience));
  server.reset_log();
  CHECK(server.open_connections("/never") == 1);
  old.close();
  REQUIRE(server.wait_for_open_connections("/never", 0, kPatience));
  CHECK(server.hangups() == 0);
}

TEST_CASE("site: a held answer waits for its key", "[site]") {
  SiteServer server;
  Client one(server.port());
  Client two(server.port());
  one.get("/held?key=one");
  two.get("/held?key=two");
  REQUIRE(server.wait_for_request("/held", kPatience, 2));
  CHECK_FALSE(one.receive(30ms));
  server.release("one");
  CHECK(one.answer().body.contains("Released by one"));
  CHECK_FALSE(two.receive(30ms));

  SECTION("over HTTP") {
    CHECK(fetch(server.port(), "/__release?key=two").status == 200);
    CHECK(two.answer().body.contains("Released by two"));
  }
  SECTION("by path") {
    server.release("/held");
    CHECK(two.answer().body.contains("Released by two"));
  }
  SECTION("a key stays released until the log is reset") {
    CHECK(fetch(server.port(), "/held?key=one").status == 200);
    server.reset_log();
    Client again(server.port());
    again.get("/held?key=one");
    CHECK_FALSE(again.receive(30ms));
  }
}

TEST_CASE("site: a path's release frees what is under way, once it was logged", "[site]") {
  SiteServer server;
  for (const std::string path : {"/slow?ms=60000", "/slow-body?ms=60000", "/never", "/drip?ms=60000&chunks=3"}) {
    Client client(server.port());
    client.get(path);
    REQUIRE(server.wait_for_request(path, kPatience));
    server.release(path);
    CHECK(client.answer().status == 200);
  }
  Client later(server.port());
  later.get("/never?later");
  CHECK_FALSE(later.receive(30ms));
}

TEST_CASE("site: slow answers take their time, head or body", "[site]") {
  SiteServer server;
  const Millis start = steady_now();
  CHECK(fetch(server.port(), "/slow?ms=120").body.contains("It came in the end."));
  CHECK(since(start) >= 120ms);

  Client client(server.port());
  client.get("/slow-body?ms=60000");
  REQUIRE(client.receive_until("\r\n\r\n"));
  CHECK(client.buffered().ends_with("\r\n\r\n"));
}

TEST_CASE("site: one connection carries many requests, pipelined too", "[site]") {
  SiteServer server;
  Client client(server.port());
  client.get("/plain?title=1");
  CHECK(client.answer().body.contains("<title>1</title>"));
  client.get("/drip?ms=1&chunks=3");
  CHECK(client.answer().body.contains("Drop 3"));
  client.get("/status-empty/404");
  CHECK(client.answer().status == 404);
  client.get("/no-content");
  CHECK(client.answer().status == 204);
  client.send("HEAD /plain HTTP/1.1\r\n\r\n");
  CHECK(client.answer(false).status == 200);
  CHECK(client.buffered().empty());
}

TEST_CASE("site: pipelined requests are answered in order", "[site]") {
  SiteServer server;
  Client client(server.port());
  client.send("GET /slow?ms=30 HTTP/1.1\r\n\r\nGET /plain?title=second HTTP/1.1\r\n\r\n");
  CHECK(client.answer().body.contains("<title>Slow</title>"));
  CHECK(client.answer().body.contains("<title>second</title>"));
}

TEST_CASE("site: a chunked request body is understood, Connection: close obeyed, nonsense refused", "[site]") {
  SiteServer server;
  Client chunked(server.port());
  chunked.send("POST /api/echo HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhell\r\n");
  chunked.send("2\r\no!\r\n0\r\n\r\n");
  CHECK(chunked.answer().body.contains("\"body\":\"hello!\""));

  Client closing(server.port());
  closing.get("/plain", "Connection: close\r\n");
  CHECK(closing.answer().status == 200);
  CHECK_FALSE(closing.receive());

  Client nonsense(server.port());
  nonsense.send("what is this\r\n\r\n");
  CHECK(nonsense.answer().status == 400);
}

TEST_CASE("site: redirects lead where they say", "[site]") {
  SiteServer server;
  const std::uint16_t port = server.port();
  const Answer plain = fetch(port, "/redirect?to=%2Fplain%3Ftitle%3DX&status=307");
  CHECK(plain.status == 307);
  CHECK(header_of(plain, "Location") == "/plain?title=X");
  CHECK(header_of(fetch(port, "/redirect-chain?n=2"), "Location") == "/redirect-chain?n=1");
  CHECK(fetch(port, "/redirect-chain?n=0").status == 200);
  CHECK(header_of(fetch(port, "/redirect-loop"), "Location") == "/redirect-loop");
  CHECK(header_of(fetch(port, "/cross-redirect?path=/x"), "Location") == server.other_url("/x"));
  CHECK(header_of(fetch(server.other_port(), "/cross-redirect?path=/x"), "Location") == server.url("/x"));

  CHECK(header_of(fetch(port, "/aba"), "Location") == server.other_url("/aba?hop=1"));
  CHECK(header_of(fetch(server.other_port(), "/aba?hop=1"), "Location").starts_with(server.url("/plain")));
  // A line end in a parameter must not start a header.
  CHECK(header_of(fetch(port, "/redirect?to=%0D%0AX-Evil:%201"), "X-Evil").empty());
}

TEST_CASE("site: /reset ends with RST and no byte", "[site]") {
  SiteServer server;
  Client client(server.port());
  client.get("/reset");
  CHECK_FALSE(client.receive());
  CHECK(client.last_error() == ECONNRESET);
  CHECK(client.buffered().empty());
}

TEST_CASE("site: credentials, statuses and refreshes", "[site]") {
  SiteServer server;
  const std::uint16_t port = server.port();
  CHECK(header_of(fetch(port, "/auth"), "WWW-Authenticate") == "Basic realm=\"fixture\"");
  CHECK(fetch(port, "/auth", "Authorization: Basic dXNlcjpwYXNz\r\n").status == 200);
  CHECK(fetch(port, "/status/418").status == 418);
  CHECK(fetch(port, "/status/abc").status == 400);
  CHECK(fetch(port, "/empty-500").body.empty());
  CHECK(header_of(fetch(port, "/header-refresh?s=0&to=/x"), "Refresh") == "0; url=/x");
  CHECK(header_of(fetch(port, "/download?name=a.txt&size=7"), "Content-Length") == "7");
}

TEST_CASE("site: pages and handlers can be added, and a handler that throws shows", "[site]") {
  SiteServer server;
  server.set_page("/mine", "<title>Mine</title>");
  server.set_handler("/plain", [](const auto& request, auto& response) { response.text("over " + request.path); });
  server.set_handler("/throws", [](const auto&, auto&) { throw std::runtime_error("broken"); });
  CHECK(fetch(server.port(), "/mine").body == "<title>Mine</title>");
  CHECK(fetch(server.other_port(), "/plain").body == "over /plain");
  CHECK(fetch(server.port(), "/throws").status == 500);
}

TEST_CASE("site: the remote control tells what the API tells, and isn't logged", "[site]") {
  SiteServer server;
  const std::uint16_t port = server.port();
  Client hanging(port);
  hanging.get("/never?x");
  CHECK(fetch(port, "/__wait_request?path=/never&timeout=5000").body.contains("\"target\":\"/never?x\""));
  CHECK(fetch(port, "/__log?path=/never").body.contains("\"open\":1"));
  CHECK(fetch(port, "/__wait_hangup?path=/never&timeout=10").status == 504);
  hanging.close();
  CHECK(fetch(port, "/__wait_hangup?path=/never&timeout=5000").status == 200);
  CHECK(fetch(port, "/__log?path=/never").body.contains("\"hangups\":[{\"path\":\"/never\""));
  CHECK(fetch(port, "/__origins").body.contains(server.other_origin()));
  CHECK(server.requests().size() == 1);

  Client reset(port);
  reset.send("POST /__reset HTTP/1.1\r\nContent-Length: 0\r\n\r\n");
  CHECK(reset.answer().status == 200);
  CHECK(server.requests().empty());
}

TEST_CASE("site: stop() ends at once whatever is open", "[site]") {
  SiteServer server;
  std::vector<std::unique_ptr<Client>> clients;
  for (const std::string path :
       {"/never", "/never-body", "/slow?ms=60000", "/drip?ms=60000", "/held?key=K", "/sse?ms=60000", "/download-never",
        "/large?bytes=60000000", "/__wait_hangup?path=/x&timeout=60000"}) {
    clients.emplace_back(std::make_unique<Client>(server.port()))->get(path);
  }
  clients.emplace_back(std::make_unique<Client>(server.port()));                   // says nothing
  clients.emplace_back(std::make_unique<Client>(server.port()))->send("GET /pl");  // says half
  REQUIRE(server.wait_for_request("", kPatience, 8));
  auto waiting = std::async(std::launch::async, [&] { return server.wait_for_request("/x", 60s); });

  const Stopwatch start;
  server.stop();
  CHECK_FALSE(waiting.get());
  CHECK(start.waited() < 1s);
  CHECK(server.open_connections() == 0);
  CHECK(server.hangups() == 0);
  server.stop();
}

TEST_CASE("site: many clients at once, and nothing is left of them", "[site]") {
  const std::size_t fds = count_fds();
  {
    SiteServer server;
    std::vector<std::future<int>> clients;
    for (int i = 0; i < 16; ++i) {
      clients.push_back(std::async(std::launch::async, [&server, i] {
        int good = 0;
        Client client(i % 2 == 0 ? server.port() : server.other_port());
        for (int j = 0; j < 20; ++j) {
          const std::string title = std::to_string(i) + '-' + std::to_string(j);
          client.get(j % 5 == 0 ? "/slow?ms=5" : "/plain?title=" + title);
          if (client.answer().body.contains(j % 5 == 0 ? "Slow" : title)) ++good;
        }
        client.get("/never?" + std::to_string(i));
        if (server.wait_for_request("/never?" + std::to_string(i), kPatience)) ++good;
        return good;
      }));
    }
    for (auto& client : clients) CHECK(client.get() == 21);
    CHECK(server.wait_for_hangup("/never", kPatience, 16));
    CHECK(server.requests("").size() == 16 * 21);
  }
  CHECK(count_fds() == fds);
}
