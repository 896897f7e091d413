#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/http/message.h"

namespace bridle {

// Keeps web pages out [wire.host-origin]: Host against DNS rebinding and Origin against cross-site
// requests, each checked on its own, on every method and path. Immutable once constructed: any thread.
class OriginGuard {
 public:
  // `port`: ours. `allowed_hosts`: further hosts, as `name` or `name:port`.
  OriginGuard(int port, const std::vector<std::string>& allowed_hosts);

  // A refusal (403), or nullopt.
  std::optional<HttpReply> check(const HttpRequest& request) const;
  // OPTIONS, after check(): 204 with CORS headers for an allowed origin, 405 without one.
  static HttpReply preflight(const HttpRequest& request);
  // Adds the CORS header that lets a page of an allowed origin read the answer; never `*`.
  static void add_cors(const HttpRequest& request, HttpReply& reply);

 private:
  bool allows_host(std::string_view host) const;
  bool allows_origin(std::string_view origin) const;
  std::vector<std::string> hosts_;  // lower case, with port
  std::vector<std::string> any_port_hosts_;
};

}  // namespace bridle
