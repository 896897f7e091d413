#include "server/http/origin_guard.h"

#include <algorithm>

#include "base/text.h"
#include "server/http/refusals.h"
#include "server/mcp/jsonrpc.h"

namespace bridle {
namespace {

bool has_port(std::string_view host) {
  const auto colon = host.rfind(':');
  return colon != std::string_view::npos && host.find(']', colon) == std::string_view::npos;
}

std::string_view without_port(std::string_view host) { return has_port(host) ? host.substr(0, host.rfind(':')) : host; }

HttpReply forbidden(std::string_view words) {
  HttpReply reply = rpc_refusal(403, jsonrpc::kInvalidRequest, words);
  reply.close = true;
  return reply;
}

}  // namespace

OriginGuard::OriginGuard(int port, const std::vector<std::string>& allowed_hosts) {
  for (const char* name : {"localhost", "127.0.0.1", "[::1]"})
    hosts_.push_back(std::string(name) + ":" + std::to_string(port));
  if (port == 80) hosts_.insert(hosts_.end(), {"localhost", "127.0.0.1", "[::1]"});
  for (const std::string& host : allowed_hosts) {
    (has_port(host) ? hosts_ : any_port_hosts_).push_back(lower(host));
  }
}

bool OriginGuard::allows_host(std::string_view host) const {
  const std::string wanted = lower(host);
  const auto among = [](const std::vector<std::string>& list, std::string_view name) {
    return std::find(list.begin(), list.end(), name) != list.end();
  };
  return among(hosts_, wanted) || among(any_port_hosts_, without_port(wanted));
}

// `null` (a sandboxed frame, a file) has no host, so it is refused with everything else that isn't http(s).
bool OriginGuard::allows_origin(std::string_view origin) const {
  const std::string wanted = lower(origin);
  if (wanted.starts_with("http://")) return allows_host(std::string_view(wanted).substr(7));
  if (!wanted.starts_with("https://")) return false;
  // We speak no TLS: an https origin is never ours, but may be one that the user allowed.
  const std::string_view host = std::string_view(wanted).substr(8);
  return std::find(any_port_hosts_.begin(), any_port_hosts_.end(), without_port(host)) != any_port_hosts_.end();
}

std::optional<HttpReply> OriginGuard::check(const HttpRequest& request) const {
  const auto hosts = request.header_values("Host");
  if (hosts.size() != 1 || !allows_host(hosts.front())) {
    return forbidden("Forbidden: the Host header names no allowed host; see --allowed-hosts");
  }
  for (const std::string& origin : request.header_values("Origin")) {
    if (!allows_origin(origin)) return forbidden("Forbidden: requests from this origin are not allowed");
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
