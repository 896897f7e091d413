#include <stdexcept>

#include "config/network/origin_rules.h"
#include "tests/support/catch.h"

using namespace bridle;
using matchers::Contains;

namespace {

std::string wrong(const std::string& item) {
  try {
    const OriginRules rules({item}, {});
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "taken";
}

}  // namespace

TEST_CASE("an origin is scheme, host and port, as a browser sees them", "[origins]") {
  CHECK(network_origin("https://Example.COM/a?b#c") == "https://example.com");
  CHECK(network_origin("HTTP://example.com:80/") == "http://example.com");
  CHECK(network_origin("https://example.com:443") == "https://example.com");
  CHECK(network_origin("https://example.com:0443/") == "https://example.com");
  CHECK(network_origin("http://example.com:443/") == "http://example.com:443");
  CHECK(network_origin("http://user:p@ss@example.com:8080/") == "http://example.com:8080");
  CHECK(network_origin("http://[::1]:3000/x") == "http://[::1]:3000");
  CHECK(network_origin("http://[::1]/x") == "http://[::1]");
  CHECK(network_origin("http://example.com./") == "http://example.com");  // the same host
  CHECK(network_origin("ws://example.com/socket") == "http://example.com");
  CHECK(network_origin("wss://example.com:443/socket") == "https://example.com");
}

TEST_CASE("tricks to look like another host", "[origins]") {
  CHECK(network_origin("https://good.example\\@evil.example/") == "https://good.example");  // as browsers read it
  CHECK(network_origin("https://good.example@evil.example/") == "https://evil.example");
  CHECK(network_origin("https://good.example:443@evil.example/") == "https://evil.example");
  CHECK(network_origin("https://evil.example/https://good.example") == "https://evil.example");
  CHECK(network_origin("https://evil.example?@good.example") == "https://evil.example");
}

TEST_CASE("what has no origin of the network", "[origins]") {
  for (const char* url : {"data:text/html,x", "about:blank", "blob:https://example.com/1", "", "/path", "file:///etc",
                          "chrome://version", "https://", "https://bücher.example/", "https://a%2eb/", "http://a:b/"}) {
    CAPTURE(url);
    CHECK(network_origin(url).empty());
  }
}

TEST_CASE("without a list everything is allowed", "[origins]") {
  const OriginRules none;
  CHECK(none.empty());
  CHECK(none.allows("https://example.com/"));
  CHECK(none.reason("https://example.com/").empty());
}

TEST_CASE("allowed: these only; blocked: all but these; both: blocked wins", "[origins]") {
  const OriginRules allowed({"https://a.example", "http://localhost:3000/"}, {});
  CHECK_FALSE(allowed.empty());
  CHECK(allowed.allows("https://a.example/x"));
  CHECK(allowed.allows("wss://a.example/x"));
  CHECK(allowed.allows("http://localhost:3000/x"));
  CHECK_FALSE(allowed.allows("http://localhost:3001/x"));
  CHECK_FALSE(allowed.allows("http://a.example/"));
  CHECK_FALSE(allowed.allows("https://sub.a.example/"));
  CHECK_FALSE(allowed.allows("https://a.example.evil.example/"));
  CHECK(allowed.allows("data:,x"));
  CHECK(allowed.allows("about:blank"));
  CHECK_THAT(allowed.reason("https://b.example/secret?x=1"),
             Contains("https://b.example is not in --allowed-origins") && Contains("https://a.example") &&
                 !Contains("secret"));

  const OriginRules blocked({}, {"https://b.example"});
  CHECK(blocked.allows("https://a.example/"));
  CHECK_FALSE(blocked.allows("https://b.example:443/"));
  CHECK_FALSE(blocked.allows("https://b.example./"));
  CHECK_THAT(blocked.reason("https://b.example/"), Contains("is in --blocked-origins"));

  const OriginRules both({"https://a.example", "https://b.example"}, {"https://b.example"});
  CHECK(both.allows("https://a.example/"));
  CHECK_FALSE(both.allows("https://b.example/"));
  CHECK_FALSE(both.allows("https://c.example/"));
}

TEST_CASE("items may be separated by semicolons", "[origins]") {
  const OriginRules rules({"https://a.example; https://b.example;"}, {});
  CHECK(rules.allows("https://a.example/"));
  CHECK(rules.allows("https://b.example/"));
  CHECK_FALSE(rules.allows("https://c.example/"));
}

TEST_CASE("a host alone stands for http and https, on the port that it names", "[origins] [nav.policy.origins]") {
  const OriginRules rules({"a.example", "localhost:3000"}, {});
  CHECK(rules.allows("https://a.example/"));
  CHECK(rules.allows("http://a.example/"));
  CHECK_FALSE(rules.allows("http://a.example:8080/"));
  CHECK_FALSE(rules.allows("https://b.a.example/"));
  CHECK(rules.allows("http://localhost:3000/"));
  CHECK_FALSE(rules.allows("http://localhost/"));
}

TEST_CASE("the port * is any port of that host", "[origins] [nav.policy.origins]") {
  const OriginRules rules({"http://localhost:*", "b.example:*"}, {"https://c.example:*", "http://127.0.0.1:*"});
  CHECK(rules.allows("https://b.example/"));
  CHECK(rules.allows("http://b.example:8080/"));
  CHECK_FALSE(rules.allows("http://b.example.evil.example:8080/"));
  CHECK_FALSE(rules.allows("http://x.b.example:8080/"));
  CHECK_FALSE(rules.allows("https://localhost:3000/"));
  CHECK_FALSE(rules.allows("http://localhost:3000/"));  // this machine is blocked under each of its names
  CHECK_THAT(rules.reason("http://localhost:3000/"), Contains("http://127.0.0.1:*"));
  CHECK(OriginRules({"http://localhost:*"}, {}).allows("http://localhost:3000/"));
  CHECK(OriginRules({"http://localhost:*"}, {}).allows("http://localhost/"));
  CHECK(OriginRules({"http://[::1]:*"}, {}).allows("http://[::1]:3000/"));
  CHECK_FALSE(OriginRules({}, {"https://c.example:*"}).allows("https://c.example:8443/"));
  CHECK(OriginRules({}, {"https://c.example:*"}).allows("http://c.example/"));
}

TEST_CASE("a list's mistakes are said, with what to write", "[origins] [nav.policy.origins]") {
  CHECK_THAT(wrong("example.com/path"), Contains("\"https://example.com/path\"") && Contains("follows"));
  CHECK_THAT(wrong("*.example.com"), Contains("wildcard"));
  CHECK_THAT(wrong("https://example.com/path"), Contains("follows"));
  CHECK_THAT(wrong("https://user@example.com"), Contains("follows"));
  CHECK_THAT(wrong("https://*.example.com"), Contains("wildcard"));
  CHECK_THAT(wrong("ftp://example.com"), Contains("http or https"));
  CHECK_THAT(wrong("https://bücher.example"), Contains("xn--"));
  CHECK_THAT(wrong("https://example.com:http"), Contains("not an origin"));
  CHECK(wrong("https://example.com/") == "taken");
  CHECK(wrong("https://example.com:*") == "taken");
  CHECK_THAT(wrong("https://example.com:8*"), Contains("wildcard"));
  CHECK_THAT(wrong("https://example.com:*:*"), Contains("wildcard"));
  CHECK_THAT(wrong("https://example.com:8080:*"), Contains("not an origin"));
}

TEST_CASE("a blocked origin of this machine is blocked under each of its names", "[origins] [security.machine-names]") {
  const OriginRules rules(std::vector<std::string>{}, {"http://127.0.0.1:8080", "https://a.test"});
  for (const char* url :
       {"http://127.0.0.1:8080/", "http://localhost:8080/x", "http://sub.localhost:8080/", "http://[::1]:8080/",
        "http://[::ffff:7f00:1]:8080/", "http://0.0.0.0:8080/", "http://127.1.2.3:8080/", "ws://localhost:8080/"}) {
    CAPTURE(url);
    CHECK_FALSE(rules.allows(url));
    CHECK(rules.reason(url).find("in --blocked-origins") != std::string::npos);
  }
  for (const char* url : {"http://127.0.0.1:8081/", "https://localhost:8080/", "http://10.0.0.1:8080/"}) {
    CAPTURE(url);
    CHECK(rules.allows(url));
  }
  // An allowed list means what it says.
  CHECK_FALSE(OriginRules({"http://127.0.0.1:8080"}, std::vector<std::string>{}).allows("http://localhost:8080/"));
}
