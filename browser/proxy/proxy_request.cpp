#include "browser/proxy/proxy_request.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "base/text/text.h"

namespace bridle {
namespace {

constexpr int kBadRequest = 400;
constexpr int kNotImplemented = 501;
constexpr std::string_view kHttpScheme = "http://";
constexpr std::size_t kHostLength = 255;

// "GET http://host/ HTTP/1.1" in its three parts; false when it has others.
bool split_request_line(std::string_view line, ProxyRequest& request, std::string_view& target) {
  const auto first = line.find(' ');
  const auto last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) return false;
  target = line.substr(first + 1, last - first - 1);
  request.method = line.substr(0, first);
  request.version = line.substr(last + 1);
  return is_token(request.method) && !target.empty() && target.find(' ') == std::string_view::npos &&
         (request.version == "HTTP/1.1" || request.version == "HTTP/1.0");
}

bool has_control_characters(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](unsigned char c) { return (c < 0x20 && c != '\t') || c == 0x7F; });
}

// One field of the head into `request`; 0, or the status to refuse with.
int take_field(std::string_view line, ProxyRequest& request, bool& has_length) {
  const auto colon = line.find(':');
  if (colon == std::string_view::npos || has_control_characters(line)) return kBadRequest;
  const auto name = line.substr(0, colon);
  const auto value = trimmed(line.substr(colon + 1));
  if (!is_token(name)) return kBadRequest;  // also a line that continues the one before
  const auto is = [&](std::string_view other) { return equals_ignoring_case(name, other); };
  if (is("proxy-authorization")) {
    request.credential = value;
    return 0;
  }
  if (is("proxy-connection")) {
    request.fields.emplace_back("Connection", value);
    return 0;
  }
  if (is("content-length")) {
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), request.body_bytes);
    if (has_length || value.empty() || error != std::errc() || end != value.data() + value.size()) return kBadRequest;
    has_length = true;
  }
  if (is("transfer-encoding") || is("upgrade")) request.body = ProxyRequest::Body::rest;
  request.fields.emplace_back(name, value);
  return 0;
}

// The server must end a connection whose requests are no longer told apart.
void close_after(ProxyRequest& request) {
  const auto upgrades = std::any_of(request.fields.begin(), request.fields.end(),
                                    [](const auto& field) { return equals_ignoring_case(field.first, "upgrade"); });
  if (upgrades) return;
  std::erase_if(request.fields, [](const auto& field) { return equals_ignoring_case(field.first, "connection"); });
  request.fields.emplace_back("Connection", "close");
}

bool take_target(std::string_view target, ProxyRequest& request) {
  if (request.is_connect()) {
    request.body = ProxyRequest::Body::rest;
    return parse_authority(target, request.host, request.port) && request.port != 0;
  }
  if (!equals_ignoring_case(target.substr(0, kHttpScheme.size()), kHttpScheme)) return false;
  target.remove_prefix(kHttpScheme.size());
  const auto end = std::min(target.find_first_of("/?"), target.size());
  const auto path = target.substr(end);
  request.path = (path.starts_with('/') ? "" : "/") + std::string(path);
  request.port = 80;
  return parse_authority(target.substr(0, end), request.host, request.port);
}

}  // namespace

bool parse_authority(std::string_view text, std::string& host, int& port) {
  const auto after_host = text.starts_with('[') ? text.find(']') : std::size_t{0};
  if (after_host == std::string_view::npos) return false;
  const auto colon = text.find(':', after_host);
  host = lower(text.substr(0, colon));
  const bool in_brackets = host.starts_with('[') && host.ends_with(']');
  const auto plain = in_brackets ? std::string_view(host).substr(1, host.size() - 2) : std::string_view(host);
  const bool known = std::all_of(plain.begin(), plain.end(), [&](unsigned char c) {
    return std::isalnum(c) || c == '.' || c == '-' || c == '_' || (in_brackets && c == ':');
  });
  if (plain.empty() || host.size() > kHostLength || !known) return false;
  if (colon == std::string_view::npos) return true;
  const auto digits = text.substr(colon + 1);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  return error == std::errc() && end == digits.data() + digits.size() && port > 0 && port <= 65535;
}

std::variant<ProxyRequest, int> parse_proxy_request(std::string_view head) {
  ProxyRequest request;
  std::string_view target;
  bool has_length = false;
  for (bool first = true; !head.empty(); first = false) {
    const auto end = head.find("\r\n");
    if (end == std::string_view::npos) return kBadRequest;
    const auto line = head.substr(0, end);
    head.remove_prefix(end + 2);
    if (first) {
      if (has_control_characters(line) || !split_request_line(line, request, target)) return kBadRequest;
    } else if (!line.empty()) {
      if (const int status = take_field(line, request, has_length); status != 0) return status;
    } else if (!head.empty()) {
      return kBadRequest;
    }
  }
  if (target.empty()) return kBadRequest;
  if (request.body == ProxyRequest::Body::rest && has_length) return kBadRequest;  // two lengths: request smuggling
  const bool chunked = request.body == ProxyRequest::Body::rest;
  if (!take_target(target, request)) return request.is_connect() ? kBadRequest : kNotImplemented;
  if (chunked && !request.is_connect()) close_after(request);
  return request;
}

std::string ProxyRequest::authority() const { return host + ":" + std::to_string(port); }

std::string ProxyRequest::head_with(std::string_view target, std::string_view upstream_credential) const {
  std::string head = method + " " + std::string(target) + " " + version + "\r\n";
  for (const auto& [name, value] : fields) head += name + ": " + value + "\r\n";
  if (!upstream_credential.empty()) head += "Proxy-Authorization: " + std::string(upstream_credential) + "\r\n";
  return head + "\r\n";
}

std::string ProxyRequest::head_for_server() const { return head_with(path, {}); }

std::string ProxyRequest::head_for_proxy(std::string_view upstream_credential) const {
  return head_with("http://" + (port == 80 ? host : authority()) + path, upstream_credential);
}

}  // namespace bridle
