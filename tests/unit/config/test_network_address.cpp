#include "config/network/network_address.h"
#include "tests/support/catch.h"

using namespace bridle;

namespace {

NetworkAddress address(const std::string& text) {
  const auto parsed = NetworkAddress::parse(text);
  INFO(text);
  REQUIRE(parsed);
  return *parsed;
}

}  // namespace

TEST_CASE("an address is one in whichever notation, and a name is none", "[network_address]") {
  CHECK(address("127.0.0.1") == address("::ffff:127.0.0.1"));
  CHECK(address("[::ffff:7f00:1]") == address("127.0.0.1"));
  CHECK(address("[2001:4860:4860::8888]").text() == "2001:4860:4860::8888");
  CHECK(address("10.1.2.3").text() == "10.1.2.3");
  for (const char* name : {"", "localhost", "127.1", "0x7f000001", "2130706433", "1.2.3.4.5", "[::1", "fe80::1%eth0"}) {
    CAPTURE(name);
    CHECK_FALSE(NetworkAddress::parse(name));
  }
}

TEST_CASE("what reaches no host of the internet is private", "[network_address] [security.egress]") {
  for (const char* text : {"127.0.0.1",
                           "127.255.255.254",
                           "0.0.0.0",
                           "10.0.0.1",
                           "172.16.0.1",
                           "172.31.255.255",
                           "192.168.1.1",
                           "169.254.169.254",
                           "100.64.0.1",
                           "100.100.100.200",
                           "192.0.0.192",
                           "198.18.0.1",
                           "224.0.0.1",
                           "240.0.0.1",
                           "255.255.255.255",
                           "::",
                           "::1",
                           "fe80::1",
                           "fc00::1",
                           "fd00:ec2::254",
                           "ff02::1",
                           "::ffff:10.0.0.1",
                           "::10.0.0.1",
                           "64:ff9b::a00:1",
                           "64:ff9b::7f00:1",
                           "2002:7f00:1::",
                           "2002:a00:1::1",
                           "2001:0:1::1"}) {
    CAPTURE(text);
    CHECK(address(text).is_private());
  }
  for (const char* text :
       {"8.8.8.8", "1.1.1.1", "172.15.0.1", "172.32.0.1", "100.63.255.255", "100.128.0.1", "192.169.0.1",
        "223.255.255.255", "2001:4860:4860::8888", "2606:4700::1111", "64:ff9b::808:808", "2002:808:808::1"}) {
    CAPTURE(text);
    CHECK_FALSE(address(text).is_private());
  }
}

TEST_CASE("this machine is known under all of its addresses", "[network_address]") {
  CHECK(address("127.0.0.1").is_this_machine());
  CHECK(address("127.9.9.9").is_this_machine());
  CHECK(address("0.0.0.0").is_this_machine());
  CHECK(address("::1").is_this_machine());
  CHECK_FALSE(address("192.0.2.1").is_this_machine());
  CHECK_FALSE(address("2001:db8::1").is_this_machine());
}

TEST_CASE("a network's range is counted in bits", "[network_address]") {
  CHECK(address("10.1.2.3").is_in(address("10.1.0.0"), 16));
  CHECK_FALSE(address("10.2.2.3").is_in(address("10.1.0.0"), 16));
  CHECK(address("10.3.2.3").is_in(address("10.2.0.0"), 15));
  CHECK_FALSE(address("10.4.2.3").is_in(address("10.2.0.0"), 15));
  CHECK(address("2001:db8::1").is_in(address("2001:db8::"), 32));
  CHECK_FALSE(address("10.1.2.3").is_in(address("::"), 1));
}
