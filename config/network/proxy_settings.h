#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/network/network_address.h"

namespace bridle {

// A proxy that the browser's traffic is to go through (--proxy-server). A value type.
struct ProxyServer {
  enum class Kind { http, socks5 };
  Kind kind = Kind::http;
  std::string host{};  // an IPv6 address in brackets
  int port = 0;
  std::string user{};  // "" without a credential
  std::string password{};

  // http://host:port, socks5://user:password@host:port, or host:port. Throws std::invalid_argument with what is wrong
  // and what to write instead; the words hold no password.
  static ProxyServer parse(std::string_view text);
  // As Chromium's own flag takes it, which knows no credentials.
  std::string without_credential() const;
};

// Hosts that are reached without the proxy (--proxy-bypass), in Chromium's notation: example.com, .example.com,
// *.example.com, example.com:8080, 10.0.0.0/8, <local> for names without a dot. This machine is always reached without
// it, unless <-loopback> is among the items. A value type.
class ProxyBypass {
 public:
  ProxyBypass() = default;
  explicit ProxyBypass(std::vector<std::string> items);

  bool covers(std::string_view host, int port) const;
  // As Chromium's own flag takes it.
  std::string text() const;
  bool empty() const { return items_.empty(); }

 private:
  std::vector<std::string> items_{};  // in lower case
};

}  // namespace bridle
