#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "server/http/messages/message.h"
#include "server/http/origin_guard.h"
#include "server/status_board.h"
#include "server/transports/streamable_http.h"

namespace bridle {

class HttpSse;
class Panel;

// Everything that arrives over HTTP: the guards, then one table of routes. Called concurrently, on connection threads.
class HttpRoutes {
 public:
  struct Parts {
    StreamableHttp& streamable;
    HttpSse& sse;
    StatusBoard& board;
    const OriginGuard& guard;
    Panel& panel;
    std::function<bool()> draining;
    std::string token{};  // empty: none is asked for, and only our own user's processes are served
  };
  explicit HttpRoutes(Parts parts);
  // The guards, which need no body: a refusal, or nullopt.
  std::optional<HttpReply> check(const HttpRequest& request) const;
  // A request that check() let pass.
  HttpReply handle(HttpRequest& request);

 private:
  struct Route;
  static const Route* find(std::string_view path);
  HttpReply route(HttpRequest& request);
  bool is_authorized(const HttpRequest& request) const;
  HttpReply root(HttpRequest& request);
  HttpReply mcp(HttpRequest& request);
  HttpReply sse(HttpRequest& request);
  HttpReply message(HttpRequest& request);
  HttpReply status(HttpRequest& request);
  HttpReply stop(HttpRequest& request);
  HttpReply health(HttpRequest& request);

  Parts parts_;
};

}  // namespace bridle
