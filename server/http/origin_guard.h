#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/http/messages/message.h"

namespace bridle {

// Keeps web pages out [wire.host-origin] [wire.fetch-site]: Host against DNS rebinding, Origin and Sec-Fetch-Site
// against cross-site requests, each checked on its own, on every method and path. Immutable once constructed: any
// thread.
class OriginGuard {
 public:
  // `own_hosts`, with `port`: what HttpListener::own_hosts() says. `allowed_hosts`: further hosts, as `name` or
  // `name:port`.
  OriginGuard(const std::vector<std::string>& own_hosts, int port, const std::vector<std::string>& allowed_hosts);

  // A refusal (403), or nullopt.
  std::optional<HttpReply> check(const HttpRequest& request) const;
  // OPTIONS, after check(): 204 with CORS headers for an allowed origin, 405 without one.
  static HttpReply preflight(const HttpRequest& request);
  // Adds the CORS header that lets a page of an allowed origin read the answer; never `*`.
  static void add_cors(const HttpRequest& request, HttpReply& reply);

 private:
  bool is_own(std::string_view host) const;
  bool is_allowed(std::string_view host, std::string_view default_port) const;
  bool is_allowed_origin(std::string_view origin) const;
  bool is_own_origin(std::string_view origin) const;
  HttpReply refuse_host(const HttpRequest& request) const;

  // Lower case.
  std::vector<std::string> own_;            // with port
  std::vector<std::string> allowed_;        // with port
  std::vector<std::string> allowed_names_;  // for any port
};

}  // namespace bridle
