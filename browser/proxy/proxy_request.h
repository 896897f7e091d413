#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace bridle {

// The head of a request to a forward proxy (RFC 9110, 9.3.6; RFC 9112, 3.2.2): CONNECT host:port, or a method with a
// whole http: URL. A value type.
struct ProxyRequest {
  // What becomes of the bytes after the head.
  enum class Body {
    counted,  // `body_bytes` of them belong to the request; then the next head follows
    rest      // all of them: a tunnel, an upgrade, or a chunked body, after which the server is to close
  };

  std::string method{};
  std::string host{};  // in lower case; an IPv6 address in brackets
  int port = 0;
  std::string path{};        // from the slash on; empty for CONNECT
  std::string credential{};  // of Proxy-Authorization, "" without
  Body body = Body::counted;
  std::uint64_t body_bytes = 0;

  bool is_connect() const { return method == "CONNECT"; }
  std::string authority() const;  // host:port
  // The head as the server itself takes it, and as a further proxy does, with that proxy's own credential ("" for
  // none).
  std::string head_for_server() const;
  std::string head_for_proxy(std::string_view upstream_credential) const;

  std::string version{};                                      // HTTP/1.1
  std::vector<std::pair<std::string, std::string>> fields{};  // without those that are for the proxy alone

 private:
  std::string head_with(std::string_view target, std::string_view upstream_credential) const;
};

// Reads a head up to and with its empty line. Whatever isn't plainly a request of the two kinds gives the status to
// refuse it with: a proxy that guesses can be talked past.
std::variant<ProxyRequest, int> parse_proxy_request(std::string_view head);

// host:port, as CONNECT and URLs have it; false when it isn't such. The host is brought to lower case; `port` keeps its
// value where none is named.
bool parse_authority(std::string_view text, std::string& host, int& port);

}  // namespace bridle
