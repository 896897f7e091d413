// The transfer layer, against the fixture server: what it hands out, how it fails, and that an abort closes its socket.
#include <atomic>
#include <future>
#include <string>

#include "base/concurrency/abort.h"
#include "base/net/transfer.h"
#include "tests/site/site_server.h"
#include "tests/support/catch.h"

namespace {

using namespace bridle;
using namespace std::chrono_literals;
using site::SiteServer;

constexpr auto kPatience = 10s;
using Failure = net::TransferError::Kind;

Failure failure_of_fetch(const CallContext& ctx, const net::Request& request) {
  try {
    net::fetch(ctx, request);
  } catch (const net::TransferError& error) {
    CHECK_FALSE(std::string(error.what()).empty());
    return error.kind;
  }
  FAIL("the transfer did not fail");
  return Failure::cut;
}

}  // namespace

TEST_CASE("transfer: an answer comes with its status, headers and body", "[transfer]") {
  SiteServer server;
  const auto answer = net::fetch({}, {.url = server.url("/api/echo?a=1"), .headers = {"X-Mark: yes"}, .body = "hello"});
  CHECK(answer.head.status == 200);
  CHECK(answer.head.header("content-type").starts_with("application/json"));
  CHECK(answer.head.header("x-none").empty());
  CHECK(answer.body.find("\"body\":\"hello\"") != std::string::npos);
  const auto requests = server.requests("/api/echo");
  REQUIRE(requests.size() == 1);
  CHECK(requests[0].method == "POST");
  CHECK(*site::find_header(requests[0].headers, "x-mark") == "yes");
  CHECK(net::fetch({}, {.url = server.url("/nowhere")}).head.status == 404);
}

TEST_CASE("transfer: a header's value arrives as it was given", "[transfer]") {
  SiteServer server;
  net::fetch({}, {.url = server.url("/plain"), .headers = {"X-Ends: urn:", "X-Mark: a;", "X-Empty:", "X-Blank: "}});
  const auto headers = server.requests("/plain").at(0).headers;
  const auto value = [&](const char* name) {
    const auto* found = site::find_header(headers, name);
    return found == nullptr ? std::string("(left out)") : *found;
  };
  CHECK(value("x-ends") == "urn:");
  CHECK(value("x-mark") == "a;");
  CHECK(value("x-empty").empty());
  CHECK(value("x-blank").empty());
}

TEST_CASE("transfer: a redirect is not followed, since the headers are meant for one server", "[transfer]") {
  SiteServer server;
  const auto answer = net::fetch({}, {.url = server.url("/redirect?to=/plain"), .headers = {"X-Secret: s"}});
  CHECK(answer.head.status == 302);
  CHECK(server.requests("/plain").empty());
}

TEST_CASE("transfer: the body is handed out as it comes", "[transfer]") {
  SiteServer server;
  server.set_handler("/pieces", [](const site::Request&, site::Response& response) {
    if (response.begin() && response.write("one ") && response.hold("go on")) response.write("two");
  });
  std::string body;
  int status = 0;
  net::transfer(
      {}, {.url = server.url("/pieces")}, [&](const net::Head& head) { status = head.status; },
      [&](std::string_view piece) {
        body += piece;
        if (body == "one ") server.release("go on");  // the rest comes only once the first piece has been seen
      });
  CHECK(status == 200);
  CHECK(body == "one two");
}

TEST_CASE("transfer: what fails says why", "[transfer]") {
  SiteServer server;
  std::uint16_t closed = 0;
  {
    SiteServer gone;
    closed = gone.port();
  }
  CHECK(failure_of_fetch({}, {.url = "http://127.0.0.1:" + std::to_string(closed) + "/"}) == Failure::unreachable);
  CHECK(failure_of_fetch({}, {.url = server.url("/never"), .first_byte = 50ms}) == Failure::timeout);
  CHECK(failure_of_fetch({}, {.url = server.url("/never-body"), .idle = 50ms}) == Failure::timeout);
  CHECK(failure_of_fetch(CallContext{}.within(50ms), {.url = server.url("/never")}) == Failure::timeout);
  CHECK(failure_of_fetch({}, {.url = server.url("/reset")}) == Failure::cut);
  CHECK(failure_of_fetch({}, {.url = server.url("/large?bytes=2000"), .largest = 1999}) == Failure::too_large);
  CHECK(net::fetch({}, {.url = server.url("/large?bytes=2000"), .largest = 2000}).body.size() == 2000);
}

TEST_CASE("transfer: what a callback throws comes out, and the connection is closed", "[transfer]") {
  SiteServer server;
  CHECK_THROWS_AS(
      net::transfer(
          {}, {.url = server.url("/never-body")}, [](const net::Head&) { throw 42; }, [](std::string_view) {}),
      int);
  CHECK(server.wait_for_hangup("/never-body", kPatience).has_value());
}

TEST_CASE("transfer: an abort closes the socket, before the answer and in its middle",
          "[transfer] [cancel.one-signal]") {
  SiteServer server;
  const std::string path = GENERATE("/never", "/never-body");
  AbortController controller;
  std::promise<void> begun;
  auto transfer = std::async(std::launch::async, [&] {
    std::atomic<bool> told = false;
    net::transfer(
        {.signal = controller.signal()}, {.url = server.url(path)},
        [&](const net::Head&) {
          if (!told.exchange(true)) begun.set_value();
        },
        [](std::string_view) {});
  });
  REQUIRE(server.wait_for_request(path, kPatience));
  if (path == "/never-body") begun.get_future().wait();
  controller.abort(AbortReason::stopped_by_user);
  CHECK_THROWS_AS(transfer.get(), Aborted);
  CHECK(server.wait_for_hangup(path, kPatience).has_value());
  const auto before = server.requests("").size();
  CHECK_THROWS_AS(net::fetch({.signal = controller.signal()}, {.url = server.url("/plain")}), Aborted);
  CHECK(server.requests("").size() == before);
}

TEST_CASE("transfer: the parts of URLs", "[transfer]") {
  const auto url = net::parse_url("HTTPS://us%20er:p%40ss@Example.com:8443/v1/x?q=1#f");
  REQUIRE(url);
  CHECK(url->scheme == "https");
  CHECK(url->host_and_port == "Example.com:8443");
  CHECK(url->target == "/v1/x?q=1");
  CHECK(url->user == "us er");
  CHECK(url->password == "p@ss");
  CHECK(url->authorization() == "Basic dXMgZXI6cEBzcw==");
  CHECK_FALSE(net::parse_url("no url at all"));
  CHECK(net::parse_url("http://h")->target == "/");
  CHECK(net::parse_url("http://h")->authorization().empty());
  for (const std::string host : {"127.0.0.1", "[::1]", "localhost", "127.8.9.10"})
    CHECK(net::is_loopback(*net::parse_url("http://" + host + ":1/")));
  for (const std::string host : {"127.example.com", "example.com", "[::2]", "128.0.0.1"})
    CHECK_FALSE(net::is_loopback(*net::parse_url("http://" + host + "/")));
}
