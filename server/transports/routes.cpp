#include "server/transports/routes.h"

#include "base/limits.h"
#include "base/text/digest.h"
#include "base/text/named_secrets.h"
#include "base/text/text.h"
#include "server/http/messages/negotiation.h"
#include "server/http/messages/refusals.h"
#include "server/mcp/jsonrpc.h"
#include "server/panel/panel.h"
#include "server/transports/legacy_sse.h"

namespace bridle {
namespace {

HttpReply plain_error(int status, const char* words) { return HttpReply::json(status, dump({{"error", words}})); }

}  // namespace

struct HttpRoutes::Route {
  std::string_view path;
  bool needs_token;  // where a token is asked for at all [wire.token]
  HttpReply (HttpRoutes::*handler)(HttpRequest&);
};

HttpRoutes::HttpRoutes(Parts parts) : parts_(std::move(parts)) {}

const HttpRoutes::Route* HttpRoutes::find(std::string_view path) {
  static constexpr Route kRoutes[] = {
      {"/", true, &HttpRoutes::root},           {"/mcp", true, &HttpRoutes::mcp},
      {"/sse", true, &HttpRoutes::sse},         {"/message", true, &HttpRoutes::message},
      {"/status", true, &HttpRoutes::status},   {"/stop", true, &HttpRoutes::stop},
      {"/healthz", false, &HttpRoutes::health},
  };
  for (const Route& one : kRoutes) {
    if (one.path == path) return &one;
  }
  return nullptr;
}

std::optional<HttpReply> HttpRoutes::check(const HttpRequest& request) const {
  if (auto refused = parts_.guard.check(request)) return refused;
  const bool is_panel = Panel::serves(request);
  if (is_panel) {
    if (parts_.draining()) return std::nullopt;
    if (auto refused = parts_.panel.check(request)) return refused;
    if (!Panel::asks_for_link(request)) return std::nullopt;
  }
  const Route* const wanted = find(request.path);
  const bool open = !is_panel && (wanted == nullptr || !wanted->needs_token);
  if (request.method == "OPTIONS" || open || parts_.draining()) {
    return std::nullopt;
  }
  if (is_authorized(request)) {
    if (request.peer != nullptr) request.peer->trust();
    return std::nullopt;
  }
  // No WWW-Authenticate: it would send clients looking for OAuth [wire.token].
  HttpReply reply = plain_error(401, "Unauthorized");
  reply.close = true;
  OriginGuard::add_cors(request, reply);
  return reply;
}

HttpReply HttpRoutes::handle(HttpRequest& request) {
  // The panel is for its own page alone: no CORS.
  if (Panel::serves(request) && !parts_.draining()) return parts_.panel.handle(request);
  HttpReply reply = request.method == "OPTIONS" ? OriginGuard::preflight(request) : route(request);
  OriginGuard::add_cors(request, reply);
  return reply;
}

HttpReply HttpRoutes::route(HttpRequest& request) {
  if (parts_.draining()) {
    HttpReply reply = rpc_refusal(503, jsonrpc::kInternalError, "The server is shutting down; start it again to go on");
    reply.close = true;
    return reply;
  }
  const Route* const wanted = find(request.path);
  // The well-known paths of OAuth too: clients that probe them take 404 for "no authorization here".
  return wanted == nullptr ? plain_error(404, "Not found") : (this->*wanted->handler)(request);
}

bool HttpRoutes::is_authorized(const HttpRequest& request) const {
  if (parts_.token.empty()) return true;
  const auto values = request.header_values("Authorization");
  if (values.size() != 1 || lower(values.front().substr(0, 7)) != "bearer ") return false;
  return equal_constant_time(trimmed(std::string_view(values.front()).substr(7)), parts_.token);
}

// MCP as at /mcp; a browser's visit is the panel's.
HttpReply HttpRoutes::root(HttpRequest& request) { return mcp(request); }

HttpReply HttpRoutes::mcp(HttpRequest& request) { return parts_.streamable.handle(request); }
HttpReply HttpRoutes::sse(HttpRequest& request) { return parts_.sse.open(request); }
HttpReply HttpRoutes::message(HttpRequest& request) { return parts_.sse.message(request); }

HttpReply HttpRoutes::status(HttpRequest& request) {
  if (request.method != "GET") return method_not_allowed("GET");
  std::string status = dump(parts_.board.status_of_all());
  hide_named_secrets(status);
  return HttpReply::json(200, std::move(status));
}

// {request?, session?}: {} means everything [cancel.stop].
HttpReply HttpRoutes::stop(HttpRequest& request) {
  if (request.method != "POST") return method_not_allowed("POST");
  if (!has_json_body(request)) return plain_error(415, "Content-Type must be application/json");
  std::string problem;
  const Json body = jsonrpc::parse_bounded(request.body, problem);
  if (!body.is_object()) return plain_error(400, "The body must be a JSON object: {request?, session?}");
  const Json wanted = body.value("request", Json());
  if (!wanted.is_null() && jsonrpc::id_text(wanted).empty()) {
    return plain_error(400, "request must be the id of a request: a string or an integer");
  }
  const Json session = body.value("session", Json());
  if (!session.is_null() && !session.is_string()) return plain_error(400, "session must be a string");
  for (const auto& [name, unused] : body.items()) {
    if (name != "request" && name != "session") return plain_error(400, "Known members: request, session");
  }
  const CallContext context{.deadline = Deadline::after(limits::kStopWait * 2)};
  return HttpReply::json(
      200, dump(parts_.board.stop_any(context, wanted, session.is_string() ? session.get<std::string>() : "")));
}

HttpReply HttpRoutes::health(HttpRequest& request) {
  if (request.method != "GET" && request.method != "HEAD") return method_not_allowed("GET");
  return HttpReply::json(200, R"({"status":"ok"})");
}

}  // namespace bridle
