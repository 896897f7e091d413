#include "browser/proxy/proxy_request.h"
#include "tests/support/catch.h"

using namespace bridle;

namespace {

ProxyRequest parsed(const std::string& head) {
  auto result = parse_proxy_request(head);
  INFO(head);
  REQUIRE(std::holds_alternative<ProxyRequest>(result));
  return std::get<ProxyRequest>(result);
}

int refused(const std::string& head) {
  const auto result = parse_proxy_request(head);
  const int* status = std::get_if<int>(&result);
  return status == nullptr ? 0 : *status;
}

}  // namespace

TEST_CASE("CONNECT names a host and a port", "[proxy_request]") {
  const auto request =
      parsed("CONNECT Example.COM:443 HTTP/1.1\r\nHost: example.com:443\r\nProxy-Authorization: Basic eA==\r\n\r\n");
  CHECK(request.is_connect());
  CHECK(request.host == "example.com");
  CHECK(request.port == 443);
  CHECK(request.credential == "Basic eA==");
  CHECK(request.body == ProxyRequest::Body::rest);
  CHECK(parsed("CONNECT [::1]:8080 HTTP/1.1\r\n\r\n").host == "[::1]");
}

TEST_CASE("a whole URL becomes what its server expects", "[proxy_request]") {
  const auto request = parsed(
      "POST http://example.com:8080/a?b=c HTTP/1.1\r\nHost: example.com:8080\r\nProxy-Connection: keep-alive\r\n"
      "Proxy-Authorization: Basic eA==\r\nContent-Length: 12\r\nX-A: b\r\n\r\n");
  CHECK(request.authority() == "example.com:8080");
  CHECK(request.body_bytes == 12);
  CHECK(request.head_for_server() ==
        "POST /a?b=c HTTP/1.1\r\nHost: example.com:8080\r\nConnection: keep-alive\r\nContent-Length: 12\r\nX-A: "
        "b\r\n\r\n");
  CHECK(request.head_for_proxy("Basic dXNlcg==") ==
        "POST http://example.com:8080/a?b=c HTTP/1.1\r\nHost: example.com:8080\r\nConnection: keep-alive\r\n"
        "Content-Length: 12\r\nX-A: b\r\nProxy-Authorization: Basic dXNlcg==\r\n\r\n");
  CHECK(parsed("GET http://a?q HTTP/1.1\r\n\r\n").path == "/?q");
  CHECK(parsed("GET http://a HTTP/1.1\r\n\r\n").port == 80);
}

TEST_CASE("a request whose end isn't counted is the last of its connection", "[proxy_request]") {
  const auto chunked =
      parsed("POST http://a/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\nConnection: keep-alive\r\n\r\n");
  CHECK(chunked.body == ProxyRequest::Body::rest);
  CHECK(chunked.head_for_server() == "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n");
  const auto upgrade = parsed("GET http://a/ HTTP/1.1\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n");
  CHECK(upgrade.body == ProxyRequest::Body::rest);
  CHECK(upgrade.head_for_server() == "GET / HTTP/1.1\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n");
}

TEST_CASE("what isn't plainly a request to a proxy is refused", "[proxy_request]") {
  for (const char* head :
       {"GET / HTTP/1.1\r\n\r\n", "GET https://a/ HTTP/1.1\r\n\r\n", "GET ftp://a/ HTTP/1.1\r\n\r\n",
        "GET http:///x HTTP/1.1\r\n\r\n", "GET http://user@a/ HTTP/1.1\r\n\r\n", "GET http://a:0/ HTTP/1.1\r\n\r\n",
        "GET http://a:65536/ HTTP/1.1\r\n\r\n", "GET http://a:8x/ HTTP/1.1\r\n\r\n"}) {
    CAPTURE(head);
    CHECK(refused(head) == 501);
  }
  for (const char* head :
       {"", "GET http://a/\r\n\r\n", "GET  http://a/ HTTP/1.1\r\n\r\n", "GET http://a/ HTTP/2\r\n\r\n",
        "GET http://a/ b HTTP/1.1\r\n\r\n", "CONNECT a HTTP/1.1\r\n\r\n", "CONNECT a:0 HTTP/1.1\r\n\r\n",
        "CONNECT a/b:1 HTTP/1.1\r\n\r\n", "GET http://a/ HTTP/1.1\r\nA\r\n\r\n",
        "GET http://a/ HTTP/1.1\r\n continued: 1\r\n\r\n", "GET http://a/ HTTP/1.1\r\nA : b\r\n\r\n",
        "GET http://a/ HTTP/1.1\r\nContent-Length: x\r\n\r\n",
        "POST http://a/ HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        "POST http://a/ HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        "GET http://a/ HTTP/1.1\r\nA: b\nC: d\r\n\r\n",
        "GET http://a/ HTTP/1.1\r\n\r\nGET http://b/ HTTP/1.1\r\n\r\n"}) {
    CAPTURE(head);
    CHECK(refused(head) == 400);
  }
}
