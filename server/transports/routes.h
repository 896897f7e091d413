#pragma once

#include <functional>
#include <optional>
#include <string>

#include "server/http/message.h"
#include "server/http/origin_guard.h"
#include "server/status_board.h"
#include "server/transports/streamable_http.h"

namespace bridle {

class HttpSse;

// Everything that arrives over HTTP: the guards, then one table of routes. Called concurrently, on connection threads.
class HttpRoutes {
 public:
  struct Parts {
    StreamableHttp& streamable;
    HttpSse& sse;
    StatusBoard& board;
    const OriginGuard& guard;
    std::function<bool()> draining;
    std::string token{};  // empty: none is asked for, and only our own user's processes are served
  };
  explicit HttpRoutes(Parts parts);
  HttpReply handle(const HttpRequest& request);

 private:
  struct Route;
  HttpReply route(const HttpRequest& request);
  std::optional<HttpReply> check_user(const HttpRequest& request) const;
  bool is_authorized(const HttpRequest& request) const;
  HttpReply mcp(const HttpRequest& request);
  HttpReply sse(const HttpRequest& request);
  HttpReply message(const HttpRequest& request);
  HttpReply status(const HttpRequest& request);
  HttpReply stop(const HttpRequest& request);
  HttpReply health(const HttpRequest& request);

  Parts parts_;
};

}  // namespace bridle
