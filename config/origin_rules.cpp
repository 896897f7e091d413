#include "config/origin_rules.h"

#include <algorithm>
#include <cctype>
#include <stdexcept>

#include "base/text.h"

namespace bridle {
namespace {

bool is_plain_host(std::string_view host) {
  if (host.starts_with('[')) return host.size() > 2 && host.ends_with(']');
  return !host.empty() && std::all_of(host.begin(), host.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '.' || c == '-' || c == '_';
  });
}

bool is_port(std::string_view port) {
  return port.size() <= 5 && std::all_of(port.begin(), port.end(), [](unsigned char c) { return std::isdigit(c); });
}

std::string origin_in_list(std::string_view item) {
  const auto bare = item.ends_with('/') ? item.substr(0, item.size() - 1) : item;
  const auto scheme_end = bare.find("://");
  const std::string words = "\"" + std::string(item) + "\" is not an origin: ";
  if (scheme_end == std::string_view::npos) {
    throw std::invalid_argument(words +
                                "write it with its scheme, such as https://example.com or http://localhost:3000");
  }
  const auto rest = bare.substr(scheme_end + 3);
  if (rest.find_first_of("/?#@\\") != std::string_view::npos) {
    throw std::invalid_argument(words + "leave out what follows the host and port");
  }
  if (rest.find('*') != std::string_view::npos) {
    throw std::invalid_argument(words + "there are no wildcards; list each origin");
  }
  auto origin = network_origin(bare);
  if (origin.empty() || !(bare.starts_with("http") || bare.starts_with("HTTP"))) {
    throw std::invalid_argument(words +
                                "give http or https, an ASCII host (xn--... for others) and, if need be, a port");
  }
  return origin;
}

std::vector<std::string> origins_in(const std::vector<std::string>& items) {
  std::vector<std::string> origins;
  for (const std::string& item : items) {
    for (const std::string& part : split(item, ';')) {
      if (const auto one = trimmed(part); !one.empty()) origins.push_back(origin_in_list(one));
    }
  }
  return origins;
}

bool holds(const std::vector<std::string>& origins, const std::string& origin) {
  return std::find(origins.begin(), origins.end(), origin) != origins.end();
}

}  // namespace

std::string network_origin(std::string_view url) {
  const auto scheme_end = url.find("://");
  if (scheme_end == std::string_view::npos) return {};
  std::string scheme = lower(url.substr(0, scheme_end));
  if (scheme == "ws") scheme = "http";
  if (scheme == "wss") scheme = "https";
  if (scheme != "http" && scheme != "https") return {};
  auto authority = url.substr(scheme_end + 3);
  authority = authority.substr(0, authority.find_first_of("/?#\\"));  // browsers take a backslash for a slash
  if (const auto at = authority.rfind('@'); at != std::string_view::npos) authority.remove_prefix(at + 1);
  const auto bracket = authority.find(']');
  const auto colon = authority.find(':', bracket == std::string_view::npos ? 0 : bracket);
  std::string host = lower(authority.substr(0, colon));
  std::string_view port = colon == std::string_view::npos ? std::string_view() : authority.substr(colon + 1);
  if (host.ends_with('.')) host.pop_back();
  if (!is_plain_host(host) || !is_port(port)) return {};
  port.remove_prefix(std::min(port.find_first_not_of('0'), port.size()));
  if (port == (scheme == "http" ? "80" : "443")) port = {};
  return scheme + "://" + host + (port.empty() ? "" : ":" + std::string(port));
}

OriginRules::OriginRules(const std::vector<std::string>& allowed, const std::vector<std::string>& blocked)
    : has_allowed_(!allowed.empty()), allowed_(origins_in(allowed)), blocked_(origins_in(blocked)) {}

bool OriginRules::allows(std::string_view url) const {
  if (empty()) return true;
  const auto origin = network_origin(url);
  if (origin.empty()) return true;
  return !holds(blocked_, origin) && (!has_allowed_ || holds(allowed_, origin));
}

std::vector<std::string> OriginRules::allowed_hosts() const {
  std::vector<std::string> hosts;
  for (const auto& origin : allowed_) {
    const auto start = origin.find("://") + 3;
    const auto bracket = origin.find(']', start);
    hosts.push_back(bracket == std::string::npos ? origin.substr(start, origin.find(':', start) - start)
                                                 : origin.substr(start + 1, bracket - start - 1));
  }
  return hosts;
}

std::string OriginRules::reason(std::string_view url) const {
  const auto origin = network_origin(url);
  if (allows(url)) return {};
  if (holds(blocked_, origin)) return origin + " is in --blocked-origins";
  std::string list;
  for (const auto& one : allowed_) list += (list.empty() ? "" : ", ") + one;
  return origin + " is not in --allowed-origins (" + (list.empty() ? "which is empty" : list) + ")";
}

}  // namespace bridle
