#pragma once

#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "browser/proxy/proxy_policy.h"

namespace bridle {

class ProxyLoop;

// The forward proxy that all of a launched browser's traffic goes through while there are rules for it, or a proxy of
// the user's that wants a credential [security.egress]: what a page can do to get a request past the checks in the
// browser ends here. It listens on a port of its own on 127.0.0.1 and serves only whoever knows its credential. One
// thread of its own (`bridle-proxy`) for all connections. Any thread may call anything.
class ForwardProxy {
 public:
  // Listens and starts. The policy's credential is made here, and its own port is added to `own_ports`. Throws
  // std::system_error.
  struct Rules {
    OriginRules origins{};
    bool block_private_networks = false;
    std::vector<int> own_ports{};  // of bridle's own servers, which the browser may not reach
    std::optional<ProxyServer> upstream{};
    ProxyBypass bypass{};
  };
  explicit ForwardProxy(Rules rules);
  ~ForwardProxy();  // closes every connection
  ForwardProxy(const ForwardProxy&) = delete;
  ForwardProxy& operator=(const ForwardProxy&) = delete;

  int port() const { return port_; }
  const std::string& user() const { return user_; }
  const std::string& password() const { return password_; }
  long connections() const;
  // Why the last connection to the URL's host and port failed: Chromium's name of a network error, and words; both ""
  // when none failed. The browser itself only learns that its proxy closed the connection.
  std::pair<std::string, std::string> failure_of(std::string_view url) const;

 private:
  int port_ = 0;
  const std::string user_ = "bridle";
  const std::string password_;
  std::unique_ptr<ProxyLoop> loop_;
  std::thread thread_;
};

}  // namespace bridle
