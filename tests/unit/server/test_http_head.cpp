#include "base/text/codecs.h"
#include "base/text/text.h"
#include "server/http/messages/chunked.h"
#include "server/http/messages/head.h"
#include "server/http/messages/message.h"
#include "tests/support/catch.h"

using namespace bridle;

namespace {

const HttpHeadLimits kLimits;

int status_of(std::string_view head, const HttpHeadLimits& limits = kLimits) {
  const auto parsed = parse_http_head(head, limits);
  if (const auto* refusal = std::get_if<HttpRefusal>(&parsed)) {
    CHECK_FALSE(refusal->text.empty());
    return refusal->status;
  }
  return 200;
}

HttpHead parsed(std::string_view head) { return std::get<HttpHead>(parse_http_head(head, kLimits)); }

// A head with `lines`, each ended by CR LF, below a valid request line and Host.
std::string with(std::string_view lines, std::string_view method = "GET") {
  return std::string(method) + " / HTTP/1.1\r\nHost: a\r\n" + std::string(lines) + "\r\n";
}

// What the scanner says to bytes that come in pieces of `step`; 0 for incomplete, 200 for complete.
int scanned(std::string_view bytes, std::size_t step, const HttpHeadLimits& limits = kLimits) {
  HttpHeadScanner scanner(limits);
  for (std::size_t size = 0; size < bytes.size();) {
    size = std::min(bytes.size(), size + step);
    const auto state = scanner.scan(bytes.substr(0, size));
    if (state == HttpHeadScanner::State::refused) return scanner.refusal().status;
    if (state == HttpHeadScanner::State::complete) return 200;
  }
  return 0;
}

int scanned(std::string_view bytes, const HttpHeadLimits& limits = kLimits) {
  const int whole = scanned(bytes, bytes.size(), limits);
  for (const std::size_t step : {1, 2, 3, 7}) CHECK(scanned(bytes, step, limits) == whole);
  return whole;
}

struct Decoded {
  int status;  // 0 incomplete, 200 complete
  std::string body;
  std::string rest;
};

Decoded decode(std::string_view bytes, std::size_t step, std::size_t max) {
  ChunkedDecoder decoder(max);
  Decoded result{0, {}, {}};
  std::string pending;
  while (result.status == 0 && !bytes.empty()) {
    const auto size = std::min(step, bytes.size());
    pending += bytes.substr(0, size);
    bytes.remove_prefix(size);
    std::string_view view = pending;
    const auto state = decoder.decode(view, result.body);
    pending = std::string(view);
    if (state == ChunkedDecoder::State::complete) result.status = 200;
    if (state == ChunkedDecoder::State::refused) result.status = decoder.refusal().status;
  }
  result.rest = pending + std::string(bytes);
  return result;
}

Decoded decode(std::string_view bytes, std::size_t max = 100) {
  const auto whole = decode(bytes, std::max<std::size_t>(bytes.size(), 1), max);
  for (const std::size_t step : {1, 2, 5}) CHECK(decode(bytes, step, max).status == whole.status);
  return whole;
}

}  // namespace

TEST_CASE("a plain head is taken apart", "[http_head]") {
  const auto head = parsed("POST /a%20b/c?x=1&y=%32 HTTP/1.1\r\nHost: localhost:1\r\nContent-Length: 12\r\n\r\n");
  CHECK(head.method == "POST");
  CHECK(head.path == "/a b/c");
  CHECK(head.query == "x=1&y=%32");
  CHECK(head.content_length == 12);
  CHECK(head.minor_version == 1);
  CHECK(head.keep_alive);
  CHECK_FALSE(head.chunked);
}

TEST_CASE("headers keep their order, their duplicates and their bytes; only spaces around values go",
          "[http_head] [wire.headers]") {
  const auto head =
      parsed(with("X-A: 1\r\nx-b:\t two words \t\r\nX-A: 2\r\nX-Raw: \xC3\xA9\xFF\r\nX-None:\r\n"
                  "X-Escape: %41\r\n"));
  const std::vector<std::pair<std::string, std::string>> expected = {
      {"Host", "a"},  {"X-A", "1"},       {"x-b", "two words"}, {"X-A", "2"}, {"X-Raw", "\xC3\xA9\xFF"},
      {"X-None", ""}, {"X-Escape", "%41"}};
  CHECK(head.headers == expected);
}

TEST_CASE("empty lines in front of a request are skipped, a few of them", "[http_head]") {
  CHECK(parsed("\r\n\r\nGET /x HTTP/1.1\r\nHost: a\r\n\r\n").path == "/x");
  CHECK(scanned("\r\n\r\nGET /x HTTP/1.1\r\nHost: a\r\n\r\n") == 200);
  CHECK(scanned("\r\n\r\n\r\n\r\n\r\n\r\n") == 400);
}

TEST_CASE("malformed request lines are refused", "[http_head]") {
  const auto line = [](std::string_view text) { return status_of(std::string(text) + "\r\nHost: a\r\n\r\n"); };
  for (const auto* text : {"GET", "GET /", "GET / ", "GET  / HTTP/1.1", "GET / HTTP/1.1 ", " GET / HTTP/1.1",
                           "GET /a b HTTP/1.1", "GET / HTTP/11", "GET / http/1.1", "GET / HTTP/1,1", "G(T / HTTP/1.1",
                           "GET x HTTP/1.1", "GET /a#b HTTP/1.1", "GET /\xC3\xA9 HTTP/1.1", "GET /%4 HTTP/1.1",
                           "GET /%zz HTTP/1.1", "GET /a%00b HTTP/1.1", "GET * HTTP/1.1", "GET http:// HTTP/1.1"}) {
    CAPTURE(text);
    CHECK(line(text) == 400);
  }
  CHECK(line("GET / HTTP/2.0") == 505);
  CHECK(line("GET / HTTP/1.2") == 505);
  CHECK(line("PRI * HTTP/2.0") == 505);
  CHECK(line("BREW / HTTP/1.1") == 501);
  CHECK(line("get / HTTP/1.1") == 501);
}

TEST_CASE("all known methods pass, with the targets that belong to them", "[http_head]") {
  for (const auto* method : {"GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH"}) {
    CAPTURE(method);
    CHECK(status_of(with("", method)) == 200);
  }
  CHECK(parsed("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n").path == "*");
  CHECK(parsed("CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n").path == "a:443");
  CHECK_FALSE(parsed("CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n").keep_alive);
}

TEST_CASE("an absolute target must agree with Host, or a rebound name would pass the guard", "[http_head]") {
  CHECK(parsed("GET http://LOCALHOST:8080/x?q HTTP/1.1\r\nHost: localhost:8080\r\n\r\n").path == "/x");
  CHECK(parsed("GET http://a HTTP/1.1\r\nHost: a\r\n\r\n").path == "/");
  CHECK(parsed("GET http://a?q HTTP/1.1\r\nHost: a\r\n\r\n").query == "q");
  CHECK(status_of("GET http://evil.test/x HTTP/1.1\r\nHost: localhost\r\n\r\n") == 400);
}

TEST_CASE("malformed header lines are refused", "[http_head] [wire.http.strict]") {
  for (const auto* lines : {"NoColon\r\n", ": v\r\n", "Na me: v\r\n", "Name : v\r\n", "A: 1\r\n folded\r\n",
                            "Na\xC3me: v\r\n", "A: \x01\r\n", "A: \x7F\r\n"}) {
    CAPTURE(lines);
    CHECK(status_of(with(lines)) == 400);
  }
  CHECK(status_of(with(std::string_view("A: x\0y\r\n", 8))) == 400);
  CHECK(status_of("GET / HTTP/1.1\r\nHost: a\r\n") == 400);
  CHECK(status_of("") == 400);
}

TEST_CASE("Host must be there once in HTTP/1.1", "[http_head]") {
  CHECK(status_of("GET / HTTP/1.1\r\n\r\n") == 400);
  CHECK(status_of("GET / HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n") == 400);
  CHECK(status_of("GET / HTTP/1.0\r\n\r\n") == 200);
  CHECK(status_of("GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n") == 400);
}

TEST_CASE("a message's length must be said once and in one way", "[http_head] [wire.http.strict]") {
  CHECK(status_of(with("Content-Length: 1\r\nContent-Length: 1\r\n", "POST")) == 400);
  CHECK(status_of(with("Content-Length: 1\r\nContent-Length: 2\r\n", "POST")) == 400);
  for (const auto* value : {"", "+1", "-1", "0x1", "1,1", "1 1", "1.0", "a"}) {
    CAPTURE(value);
    CHECK(status_of(with("Content-Length: " + std::string(value) + "\r\n", "POST")) == 400);
  }
  CHECK(status_of(with("Content-Length: 1\r\nTransfer-Encoding: chunked\r\n", "POST")) == 400);
  CHECK(status_of(with("Transfer-Encoding: gzip, chunked\r\n", "POST")) == 400);
  CHECK(status_of(with("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "POST")) == 400);
  CHECK(status_of(with("Transfer-Encoding: identity\r\n", "POST")) == 400);
  CHECK(status_of("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n") == 400);
  CHECK(parsed(with("Transfer-Encoding: Chunked\r\n", "POST")).chunked);
  CHECK(status_of(with("", "POST")) == 411);
  CHECK(status_of(with("", "DELETE")) == 200);
  CHECK(status_of(with("Content-Length: 0\r\n", "POST")) == 200);
}

TEST_CASE("a body's announced length is bounded", "[http_head] [wire.http.bounds]") {
  const auto length = [](const std::string& text) {
    return status_of(with("Content-Length: " + text + "\r\n", "POST"));
  };
  CHECK(length(std::to_string(limits::kBodyBytes - 1)) == 200);
  CHECK(length(std::to_string(limits::kBodyBytes)) == 200);
  CHECK(length(std::to_string(limits::kBodyBytes + 1)) == 413);
  CHECK(length("18446744073709551616") == 413);
  CHECK(length("99999999999999999999999999999999") == 413);
}

TEST_CASE("compressed bodies and unknown expectations are refused", "[http_head] [wire.http.bounds]") {
  CHECK(status_of(with("Content-Length: 1\r\nContent-Encoding: gzip\r\n", "POST")) == 415);
  CHECK(status_of(with("Transfer-Encoding: chunked\r\nContent-Encoding: br\r\n", "POST")) == 415);
  CHECK(status_of(with("Content-Length: 1\r\nContent-Encoding: identity\r\n", "POST")) == 200);
  CHECK(status_of(with("Content-Length: 1\r\nExpect: tea\r\n", "POST")) == 417);
  CHECK(parsed(with("Content-Length: 1\r\nExpect: 100-Continue\r\n", "POST")).expect_continue);
  CHECK_FALSE(parsed(with("Content-Length: 0\r\nExpect: 100-continue\r\n", "POST")).expect_continue);
}

TEST_CASE("keep-alive follows version and Connection", "[http_head]") {
  CHECK_FALSE(parsed(with("Connection: Close\r\n")).keep_alive);
  CHECK_FALSE(parsed(with("Connection: keep-alive, close\r\n")).keep_alive);
  CHECK(parsed(with("Connection: Upgrade, HTTP2-Settings\r\n")).keep_alive);
  CHECK_FALSE(parsed("GET / HTTP/1.0\r\n\r\n").keep_alive);
  CHECK(parsed("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n").keep_alive);
}

TEST_CASE("the scanner finds the end wherever the bytes are cut", "[http_head]") {
  const std::string head = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
  CHECK(scanned(head) == 200);
  HttpHeadScanner scanner(kLimits);
  CHECK(scanner.scan(head + "GET /next") == HttpHeadScanner::State::complete);
  CHECK(scanner.size() == head.size());
  for (std::size_t size = 1; size < head.size(); ++size) CHECK(scanned(head.substr(0, size), size) == 0);
}

TEST_CASE("the scanner refuses bad bytes before the head is whole", "[http_head]") {
  CHECK(scanned(std::string_view("GET /\0", 6)) == 400);
  CHECK(scanned("\x16\x03\x01") == 400);  // TLS
  CHECK(scanned("GET / HTTP/1.1\n") == 400);
  CHECK(scanned("GET / HTTP/1.1\rX") == 400);
  CHECK(scanned("GET / HTTP/1.1\r\r\n") == 400);
  CHECK(scanned("GET / HTTP/1.1\r\nA: \x1B") == 400);
  CHECK(scanned(std::string(33, 'A')) == 400);
}

TEST_CASE("target and head are bounded exactly", "[http_head]") {
  const auto target = [](std::size_t size) {
    return "GET /" + std::string(size - 1, 'a') + " HTTP/1.1\r\nHost: a\r\n\r\n";
  };
  CHECK(scanned(target(limits::kTargetBytes - 1)) == 200);
  CHECK(scanned(target(limits::kTargetBytes)) == 200);
  CHECK(scanned(target(limits::kTargetBytes + 1)) == 414);
  CHECK(status_of(target(limits::kTargetBytes)) == 200);
  CHECK(status_of(target(limits::kTargetBytes + 1)) == 414);
  const auto head = [](std::size_t size) {
    const auto rest = with("X: \r\n").size();
    return with("X: " + std::string(size - rest, 'x') + "\r\n");
  };
  CHECK(scanned(head(limits::kHeadBytes - 1)) == 200);
  CHECK(scanned(head(limits::kHeadBytes)) == 200);
  CHECK(scanned(head(limits::kHeadBytes + 1)) == 431);
  CHECK(status_of(head(limits::kHeadBytes)) == 200);
  CHECK(status_of(head(limits::kHeadBytes + 1)) == 431);
}

TEST_CASE("chunked bodies are decoded, and what follows them is left", "[http_head]") {
  const auto decoded = decode("5\r\nhello\r\n6;ext=\"1\"\r\n world\r\n0\r\n\r\nGET /");
  CHECK(decoded.status == 200);
  CHECK(decoded.body == "hello world");
  CHECK(decoded.rest == "GET /");
  CHECK(decode("0\r\n\r\n").status == 200);
  CHECK(decode("00A\r\n0123456789\r\n0\r\nTrailer: x\r\nOther: y\r\n\r\n").body == "0123456789");
  CHECK(decode("5\r\nhel").status == 0);
  CHECK(decode("0\r\n").status == 0);
}

TEST_CASE("malformed chunks are refused", "[http_head]") {
  for (const auto* bytes : {"\r\n", "x\r\n", "-1\r\n", "+1\r\n", "0x1\r\n", "1\n", "1\rX", "1\r\nab", "1\r\na\rX",
                            "1\r\na\n", ";\r\n", "1;\x01\r\n", "0\r\nA: \x01", "0\r\n\rX", "1 \n"}) {
    CAPTURE(bytes);
    CHECK(decode(bytes).status == 400);
  }
}

TEST_CASE("chunked bodies are bounded, by a chunk's own word", "[http_head]") {
  CHECK(decode("63\r\n" + std::string(99, 'x') + "\r\n0\r\n\r\n").status == 200);
  CHECK(decode("64\r\n" + std::string(100, 'x') + "\r\n0\r\n\r\n").status == 200);
  CHECK(decode("65\r\n").status == 413);
  CHECK(decode("FFFFFFFFFFFFFFF\r\n").status == 413);
  CHECK(decode("FFFFFFFFFFFFFFFF\r\n").status != 200);
  CHECK(decode("60\r\n" + std::string(96, 'x') + "\r\n5\r\n").status == 413);
  CHECK(decode("1;" + std::string(20'000, 'e')).status == 413);
  CHECK(decode("0\r\n" + std::string(20'000, 't')).status == 413);
}

TEST_CASE("percent escapes", "[http_head]") {
  CHECK(percent_decode("a%2Fb%c3%A9+", false) == "a/b\xC3\xA9+");
  CHECK(percent_decode("a+b", true) == "a b");
  CHECK_FALSE(percent_decode("%", false));
  CHECK_FALSE(percent_decode("%4", false));
  CHECK(percent_decode("%41", false) == "A");
  CHECK_FALSE(percent_decode("%g1", false));
  CHECK_FALSE(percent_decode("%00", false));
}

TEST_CASE("a request's headers and parameters are found", "[http_head]") {
  HttpRequest request;
  request.headers = {{"Accept", "a"}, {"X-Two", "1"}, {"x-two", "2"}};
  request.query = "a=1&b=x%20y+z&a=2&c&=d&%62%62=e&bad=%zz";
  REQUIRE(request.header("ACCEPT") != nullptr);
  CHECK(*request.header("accept") == "a");
  CHECK(request.header("none") == nullptr);
  CHECK(request.header_values("X-TWO") == std::vector<std::string>{"1", "2"});
  CHECK(request.query_param("a") == "1");
  CHECK(request.query_param("b") == "x y z");
  CHECK(request.query_param("bb") == "e");
  CHECK(request.query_param("c").empty());
  CHECK(request.query_param("bad").empty());
  CHECK(request.query_param("none").empty());
}
