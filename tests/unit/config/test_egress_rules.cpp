#include "config/network/egress_rules.h"
#include "tests/support/catch.h"

using namespace bridle;
using matchers::Contains;

namespace {

EgressRules rules(const std::vector<std::string>& allowed, const std::vector<std::string>& blocked,
                  bool block_private = false, std::vector<int> own_ports = {}) {
  return EgressRules(OriginRules(allowed, blocked), block_private, std::move(own_ports));
}

std::string by_address(const EgressRules& egress, const std::string& address, int port) {
  return egress.refusal(*NetworkAddress::parse(address), port);
}

}  // namespace

TEST_CASE("a host and port are judged by their origin", "[egress] [security.egress]") {
  const auto egress = rules({"https://a.test", "http://b.test:8080"}, {});
  CHECK(egress.refusal("https", "a.test", 443).empty());
  CHECK_THAT(egress.refusal("http", "a.test", 80), Contains("--allowed-origins"));
  CHECK_FALSE(egress.refusal("https", "a.test", 8443).empty());
  CHECK(egress.refusal("http", "b.test", 8080).empty());
  CHECK_FALSE(egress.refusal("https", "b.test", 8080).empty());
  CHECK_FALSE(egress.refusal("https", "evil.test", 443).empty());
  // A tunnel's scheme isn't known when it is asked for.
  CHECK(egress.refusal("", "b.test", 8080).empty());
  CHECK(egress.refusal("", "a.test", 443).empty());
  CHECK_FALSE(egress.refusal("", "a.test", 80).empty());
  CHECK_FALSE(egress.refusal("", "evil.test", 443).empty());
}

TEST_CASE("what can't be judged is refused", "[egress] [security.egress]") {
  const auto egress = rules({}, {"https://evil.test"});
  for (const char* host : {"", "a b", "a/b", "a%2eb", "[::1", "\xC3\xA4.test", "a@b"}) {
    CAPTURE(host);
    CHECK_FALSE(egress.refusal("https", host, 443).empty());
    CHECK_FALSE(egress.refusal("", host, 443).empty());
  }
  CHECK(egress.refusal("https", "fine.test", 443).empty());
}

TEST_CASE("a private address is refused whatever its name is", "[egress] [security.egress]") {
  const auto egress = rules({}, {}, true);
  CHECK(egress.needs_address());
  CHECK_THAT(by_address(egress, "169.254.169.254", 80), Contains("--block-private-networks"));
  CHECK_FALSE(by_address(egress, "::1", 443).empty());
  CHECK(by_address(egress, "8.8.8.8", 443).empty());
}

TEST_CASE("a blocked address is blocked under each of its names", "[egress] [security.egress]") {
  const auto egress = rules({}, {"http://127.0.0.1:8080", "http://10.0.0.1"});
  CHECK_THAT(by_address(egress, "127.0.0.1", 8080), Contains("--blocked-origins"));
  CHECK_FALSE(by_address(egress, "::1", 8080).empty());
  CHECK_FALSE(by_address(egress, "::ffff:127.0.0.1", 8080).empty());
  CHECK(by_address(egress, "127.0.0.1", 8081).empty());
  CHECK_FALSE(by_address(egress, "10.0.0.1", 80).empty());
  CHECK(by_address(egress, "10.0.0.2", 80).empty());
}

TEST_CASE("bridle's own ports are out of reach", "[egress] [security.own-ports]") {
  const auto egress = rules({"http://127.0.0.1:8437"}, {}, false, {8437, 9000});
  CHECK_THAT(by_address(egress, "127.0.0.1", 8437), Contains("bridle itself"));
  CHECK_FALSE(by_address(egress, "::1", 9000).empty());
  CHECK_FALSE(by_address(egress, "0.0.0.0", 9000).empty());
  CHECK(by_address(egress, "192.0.2.7", 8437).empty());
  CHECK(by_address(egress, "127.0.0.1", 8438).empty());
}
