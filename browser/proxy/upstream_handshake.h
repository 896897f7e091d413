#pragma once

#include <string>

#include "config/network/proxy_settings.h"

namespace bridle {

// What is said to the user's own proxy before bytes go through it to `host`: CONNECT (RFC 9110, 9.3.6) or SOCKS5
// (RFC 1928, 1929). A state machine without a socket; not thread-safe.
class UpstreamHandshake {
 public:
  UpstreamHandshake(const ProxyServer& proxy, std::string host, int port);

  // What is to be sent now; taken once.
  std::string take_output();

  enum class Progress {
    more,    // the proxy is to say more
    done,    // what is left in `received` comes from the host already
    refused  // error() says why
  };
  // Takes what belongs to the handshake from the front of `received`.
  Progress take(std::string& received);
  const std::string& error() const { return error_; }

  // The value of Proxy-Authorization for an HTTP proxy; "" where it needs none.
  static std::string credential(const ProxyServer& proxy);

 private:
  enum class Step { connect_reply, socks_method, socks_password, socks_reply };
  Progress refuse(std::string why);
  Progress take_connect_reply(std::string& received);
  Progress take_socks(std::string& received);
  void send_socks_request();

  const ProxyServer proxy_;
  const std::string host_;
  const int port_;
  Step step_;
  std::string output_{};
  std::string error_{};
};

}  // namespace bridle
