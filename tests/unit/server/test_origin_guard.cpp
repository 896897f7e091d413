// Which pages may ask: Host, Origin and Sec-Fetch-Site.
#include "server/http/messages/message.h"
#include "server/http/origin_guard.h"
#include "tests/support/catch.h"

using namespace bridle;

namespace {

const std::vector<std::string> kBoth{"127.0.0.1", "[::1]", "localhost"};

bool passes(const OriginGuard& guard, std::vector<std::pair<std::string, std::string>> headers) {
  HttpRequest request;
  request.method = "GET";
  request.path = "/sse";
  request.headers = std::move(headers);
  return !guard.check(request).has_value();
}

}  // namespace

TEST_CASE("origin guard: own hosts are those that lead to nobody else", "[wire.host-origin] [wire.loopback.both]") {
  const OriginGuard both(kBoth, 8437, {});
  const OriginGuard one({"127.0.0.1"}, 8437, {});
  for (const char* host : {"127.0.0.1:8437", "localhost:8437", "LOCALHOST:8437", "[::1]:8437"}) {
    CAPTURE(host);
    CHECK(passes(both, {{"Host", host}, {"Origin", std::string("http://") + host}}));
    const bool literal = host[0] == '1';
    CHECK(passes(one, {{"Host", host}}) == literal);
    CHECK(passes(one, {{"Host", "127.0.0.1:8437"}, {"Origin", std::string("http://") + host}}) == literal);
  }
  for (const char* host :
       {"", "127.0.0.1", "127.0.0.1:843", "127.0.0.2:8437", "0.0.0.0:8437", "[::ffff:127.0.0.1]:8437", "127.1:8437",
        "2130706433:8437", "localhost.:8437", "x.localhost:8437", "evil.example:8437"}) {
    CAPTURE(host);
    CHECK_FALSE(passes(both, {{"Host", host}}));
    CHECK_FALSE(passes(both, {{"Host", "127.0.0.1:8437"}, {"Origin", std::string("http://") + host}}));
  }
  CHECK_FALSE(passes(both, {{"Host", "127.0.0.1:8437"}, {"Origin", "https://127.0.0.1:8437"}}));  // we speak no TLS
  CHECK_FALSE(passes(both, {{"Host", "127.0.0.1:8437"}, {"Origin", "null"}}));
  CHECK_FALSE(passes(both, {}));
  CHECK(passes(OriginGuard(kBoth, 80, {}), {{"Host", "127.0.0.1"}, {"Origin", "http://localhost"}}));
}

TEST_CASE("origin guard: a page of another site is refused, whatever else it sends", "[wire.fetch-site]") {
  const OriginGuard guard(kBoth, 8437, {"inspector.example", "localhost:6274"});
  const std::pair<std::string, std::string> host{"Host", "127.0.0.1:8437"};
  for (const char* site : {"cross-site", "same-site", "Cross-Site", "", "anything"}) {
    CAPTURE(site);
    CHECK_FALSE(passes(guard, {host, {"Sec-Fetch-Site", site}}));
    CHECK_FALSE(passes(guard, {host, {"Sec-Fetch-Site", "none"}, {"Sec-Fetch-Site", site}}));
    CHECK_FALSE(passes(guard, {host, {"Sec-Fetch-Site", site}, {"Origin", "http://localhost:8437"}}));
    CHECK_FALSE(passes(guard, {host, {"Sec-Fetch-Site", site}, {"Origin", "http://evil.example"}}));
    // Whom the user allowed is another site, too.
    CHECK(passes(guard, {host, {"Sec-Fetch-Site", site}, {"Origin", "https://inspector.example"}}));
    CHECK(passes(guard, {host, {"Sec-Fetch-Site", site}, {"Origin", "http://localhost:6274"}}));
  }
  for (const char* site : {"none", "same-origin"}) CHECK(passes(guard, {host, {"Sec-Fetch-Site", site}}));
  CHECK(passes(guard, {host}));  // no browser
}

TEST_CASE("origin guard: --allowed-hosts, with and without a port", "[wire.allowed-hosts]") {
  const OriginGuard guard({"127.0.0.1"}, 8437, {"Any.Example", "one.example:443", "plain.example:80", "[2001:db8::1]"});
  for (const char* host : {"any.example", "any.example:1", "ANY.example:8437", "one.example:443", "plain.example",
                           "[2001:db8::1]", "[2001:db8::1]:8437"}) {
    CAPTURE(host);
    CHECK(passes(guard, {{"Host", host}}));
    CHECK(passes(guard, {{"Host", host}, {"Origin", std::string("http://") + host}}));
  }
  CHECK(passes(guard, {{"Host", "any.example"}, {"Origin", "https://any.example"}}));
  CHECK(passes(guard, {{"Host", "any.example"}, {"Origin", "https://one.example"}}));
  CHECK(passes(guard, {{"Host", "any.example"}, {"Origin", "http://plain.example"}}));
  CHECK_FALSE(passes(guard, {{"Host", "any.example"}, {"Origin", "http://one.example"}}));
  CHECK_FALSE(passes(guard, {{"Host", "any.example"}, {"Origin", "https://plain.example"}}));
  CHECK_FALSE(passes(guard, {{"Host", "one.example"}}));
  CHECK_FALSE(passes(guard, {{"Host", "xany.example"}}));
}
