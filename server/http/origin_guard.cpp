#include "server/http/origin_guard.h"

#include <algorithm>

#include "base/text/text.h"
#include "server/http/messages/refusals.h"
#include "server/mcp/jsonrpc.h"

namespace bridle {
namespace {

bool has_port(std::string_view host) {
  const auto colon = host.rfind(':');
  return colon != std::string_view::npos && host.find(']', colon) == std::string_view::npos;
}

std::string_view without_port(std::string_view host) { return has_port(host) ? host.substr(0, host.rfind(':')) : host; }

bool holds(const std::vector<std::string>& list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

HttpReply forbidden(std::string_view words) {
  HttpReply reply = rpc_refusal(403, jsonrpc::kInvalidRequest, words);
  reply.close = true;
  return reply;
}

}  // namespace

OriginGuard::OriginGuard(const std::vector<std::string>& own_hosts, int port,
                         const std::vector<std::string>& allowed_hosts) {
  for (const std::string& host : own_hosts) {
    own_.push_back(lower(host) + ":" + std::to_string(port));
    if (port == 80) own_.push_back(lower(host));
  }
  for (const std::string& host : allowed_hosts) {
    (has_port(host) ? allowed_ : allowed_names_).push_back(lower(host));
  }
}

bool OriginGuard::is_own(std::string_view host) const { return holds(own_, lower(host)); }

bool OriginGuard::is_allowed(std::string_view host, std::string_view default_port) const {
  const std::string wanted = lower(host);
  const auto full = has_port(wanted) ? wanted : wanted + ":" + std::string(default_port);
  return holds(allowed_, full) || holds(allowed_names_, without_port(wanted));
}

// We speak no TLS: an https origin is never ours, but may be one that the user allowed. `null` (a sandboxed frame, a
// file) has no host, so it is refused with everything else that isn't http(s).
bool OriginGuard::is_allowed_origin(std::string_view origin) const {
  const std::string wanted = lower(origin);
  if (wanted.starts_with("http://")) return is_allowed(std::string_view(wanted).substr(7), "80");
  return wanted.starts_with("https://") && is_allowed(std::string_view(wanted).substr(8), "443");
}

bool OriginGuard::is_own_origin(std::string_view origin) const {
  const std::string wanted = lower(origin);
  return wanted.starts_with("http://") && is_own(std::string_view(wanted).substr(7));
}

// `localhost` is what people expect to work, so they are told when it doesn't.
HttpReply OriginGuard::refuse_host(const HttpRequest& request) const {
  const std::string* host = request.header("Host");
  if (host != nullptr && !own_.empty() && equals_ignoring_case(without_port(*host), "localhost")) {
    return forbidden("Forbidden: localhost may be somebody else here; use http://" + own_.front() +
                     ", or see --allowed-hosts");
  }
  return forbidden("Forbidden: the Host header names no allowed host; see --allowed-hosts");
}

std::optional<HttpReply> OriginGuard::check(const HttpRequest& request) const {
  const auto hosts = request.header_values("Host");
  if (hosts.size() != 1 || (!is_own(hosts.front()) && !is_allowed(hosts.front(), "80"))) return refuse_host(request);
  bool origin_allowed = false;
  for (const std::string& origin : request.header_values("Origin")) {
    origin_allowed = is_allowed_origin(origin);
    if (!origin_allowed && !is_own_origin(origin)) {
      return forbidden("Forbidden: requests from this origin are not allowed");
    }
  }
  // A browser says by itself whether a page of another site asks, also where it sends no Origin: images, scripts,
  // links, no-cors fetches. Pages of --allowed-hosts are other sites, and always send their Origin when they fetch.
  for (const std::string& site : request.header_values("Sec-Fetch-Site")) {
    if (origin_allowed || equals_ignoring_case(site, "same-origin") || equals_ignoring_case(site, "none")) continue;
    return forbidden("Forbidden: a page of another site asks");
  }
  return std::nullopt;
}

HttpReply OriginGuard::preflight(const HttpRequest& request) {
  if (request.header("Origin") == nullptr) return method_not_allowed("GET, POST, DELETE");
  HttpReply reply = HttpReply::empty(204);
  reply.headers.emplace_back("Access-Control-Allow-Methods", "GET, POST, DELETE");
  reply.headers.emplace_back("Access-Control-Allow-Headers",
                             "Accept, Authorization, Content-Type, Last-Event-ID, Mcp-Method, Mcp-Name, "
                             "Mcp-Protocol-Version, Mcp-Session-Id");
  reply.headers.emplace_back("Access-Control-Max-Age", "600");
  return reply;
}

void OriginGuard::add_cors(const HttpRequest& request, HttpReply& reply) {
  const std::string* origin = request.header("Origin");
  if (origin == nullptr) return;
  reply.headers.emplace_back("Access-Control-Allow-Origin", *origin);
  reply.headers.emplace_back("Access-Control-Expose-Headers", "Mcp-Session-Id");
  reply.headers.emplace_back("Vary", "Origin");
}

}  // namespace bridle
