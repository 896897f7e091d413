#include "browser/proxy/upstream_handshake.h"
#include "config/network/proxy_settings.h"
#include "tests/support/catch.h"

using namespace bridle;
using matchers::Contains;
using Progress = UpstreamHandshake::Progress;

TEST_CASE("a proxy is named by a URL or by host and port", "[proxy_settings]") {
  const auto plain = ProxyServer::parse("proxy.test:3128");
  CHECK(plain.kind == ProxyServer::Kind::http);
  CHECK(plain.without_credential() == "http://proxy.test:3128");
  const auto socks = ProxyServer::parse("socks5://us%40er:pa%3Ass@[::1]:1081/");
  CHECK(socks.kind == ProxyServer::Kind::socks5);
  CHECK(socks.host == "[::1]");
  CHECK(socks.user == "us@er");
  CHECK(socks.password == "pa:ss");
  CHECK(socks.without_credential() == "socks5://[::1]:1081");
  CHECK(ProxyServer::parse("socks5://a").port == 1080);
  CHECK(ProxyServer::parse("http://a").port == 80);
  for (const char* wrong :
       {"", "https://a:1", "pac://a", "http://", "http://a:x", "http://a:70000", "http://a/b", "a b"}) {
    CAPTURE(wrong);
    CHECK_THROWS_WITH(ProxyServer::parse(wrong), Contains("write http://HOST:PORT"));
  }
  CHECK_THROWS_WITH(ProxyServer::parse("https://user:secret@a:1"), !Contains("secret"));
}

TEST_CASE("a proxy is gone around for this machine and for what is named", "[proxy_settings]") {
  const ProxyBypass none;
  CHECK(none.covers("localhost", 80));
  CHECK(none.covers("127.0.0.1", 80));
  CHECK_FALSE(none.covers("a.test", 80));
  const ProxyBypass bypass({"a.test", ".b.test", "*.c.test", "d.test:8080", "10.0.0.0/8", "<local>", "[fd00::1]"});
  for (const char* host : {"a.test", "b.test", "x.b.test", "x.c.test", "10.2.3.4", "intranet", "[fd00::1]"}) {
    CAPTURE(host);
    CHECK(bypass.covers(host, 80));
  }
  for (const char* host : {"x.a.test", "xb.test", "c.test", "d.test", "11.2.3.4", "[fd00::2]"}) {
    CAPTURE(host);
    CHECK_FALSE(bypass.covers(host, 80));
  }
  CHECK(bypass.covers("d.test", 8080));
  CHECK_FALSE(ProxyBypass({"<-loopback>"}).covers("localhost", 80));
  CHECK(ProxyBypass({"a", "b"}).text() == "a;b");
}

TEST_CASE("an HTTP proxy is asked by CONNECT", "[upstream_handshake]") {
  UpstreamHandshake handshake(ProxyServer::parse("http://u:p@proxy:1"), "a.test", 443);
  CHECK(handshake.take_output() ==
        "CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443\r\nProxy-Authorization: Basic dTpw\r\n\r\n");
  CHECK(handshake.take_output().empty());
  std::string received = "HTTP/1.1 200 OK\r\n";
  CHECK(handshake.take(received) == Progress::more);
  received += "\r\nrest";
  CHECK(handshake.take(received) == Progress::done);
  CHECK(received == "rest");
  UpstreamHandshake refused(ProxyServer::parse("http://proxy:1"), "a.test", 443);
  received = "HTTP/1.1 407 No\r\n\r\n";
  CHECK(refused.take(received) == Progress::refused);
  CHECK_THAT(refused.error(), Contains("credentials"));
  received = "SSH-2.0\r\n\r\n";
  CHECK(refused.take(received) == Progress::refused);
}

TEST_CASE("a SOCKS5 proxy is asked in its steps, byte by byte", "[upstream_handshake]") {
  UpstreamHandshake handshake(ProxyServer::parse("socks5://u:pw@proxy:1"), "a.test", 0x1234);
  CHECK(handshake.take_output() == std::string("\x05\x01\x02", 3));
  std::string received("\x05", 1);
  CHECK(handshake.take(received) == Progress::more);
  received += '\x02';
  CHECK(handshake.take(received) == Progress::more);
  CHECK(handshake.take_output() == std::string("\x01\x01u\x02pw", 6));
  received += std::string("\x01\x00", 2);
  CHECK(handshake.take(received) == Progress::more);
  CHECK(handshake.take_output() == std::string("\x05\x01\x00\x03\x06", 5) + "a.test" + "\x12\x34");
  received += std::string("\x05\x00\x00\x01\x7f\x00\x00\x01\x00", 9);
  CHECK(handshake.take(received) == Progress::more);
  received += std::string("\x50rest", 5);
  CHECK(handshake.take(received) == Progress::done);
  CHECK(received == "rest");
  UpstreamHandshake refused(ProxyServer::parse("socks5://proxy:1"), "a.test", 1);
  received = std::string("\x05\x00\x05\x05\x00\x01\x00", 7);
  CHECK(refused.take(received) == Progress::refused);
  CHECK_THAT(refused.error(), Contains("refused"));
}
