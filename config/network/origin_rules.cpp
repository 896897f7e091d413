#include "config/network/origin_rules.h"

#include <algorithm>
#include <cctype>
#include <stdexcept>

#include "base/text/text.h"
#include "config/network/network_address.h"

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

constexpr std::string_view kAnyPortSuffix = ":*";

std::string origin_in_list(std::string_view item) {
  auto bare = item.ends_with('/') ? item.substr(0, item.size() - 1) : item;
  const bool any_port = bare.ends_with(kAnyPortSuffix);
  if (any_port) bare.remove_suffix(kAnyPortSuffix.size());
  const std::string words = "\"" + std::string(item) + "\" is not an origin: ";
  const auto rest = bare.substr(bare.find("://") + 3);
  if (rest.find_first_of("/?#@\\") != std::string_view::npos) {
    throw std::invalid_argument(words + "leave out what follows the host and port");
  }
  if (rest.find('*') != std::string_view::npos) {
    throw std::invalid_argument(words + "there are no wildcards but :* for any port; list each origin");
  }
  auto origin = network_origin(bare);
  if (origin.empty() || !(bare.starts_with("http") || bare.starts_with("HTTP"))) {
    throw std::invalid_argument(words +
                                "give http or https, an ASCII host (xn--... for others) and, if need be, a port");
  }
  if (any_port && !authority_of(origin).ends_with(origin.starts_with("https") ? ":443" : ":80")) {
    throw std::invalid_argument(words + "it names a port before :*");
  }
  return any_port ? origin + std::string(kAnyPortSuffix) : origin;
}

std::vector<std::string> origins_in(const std::vector<std::string>& items) {
  std::vector<std::string> origins;
  for (const std::string& item : items) {
    for (const std::string& part : split(item, ';')) {
      const auto one = trimmed(part);
      if (one.empty()) continue;
      if (one.find("://") != std::string::npos) {
        origins.push_back(origin_in_list(one));
      } else {
        for (const char* scheme : {"https://", "http://"}) origins.push_back(origin_in_list(scheme + std::string(one)));
      }
    }
  }
  return origins;
}

// The host of an origin, with its brackets where it is an IPv6 address.
std::string_view host_of(std::string_view origin) {
  const auto host = origin.substr(origin.find("://") + 3);
  return host.substr(0, host.find(':', host.starts_with('[') ? host.find(']') : 0));
}

// The origin with one name for all that this machine is called.
std::string machine_form(const std::string& origin) {
  const auto host = host_of(origin);
  if (!names_this_machine(host)) return origin;
  const auto start = static_cast<std::size_t>(host.data() - origin.data());
  return origin.substr(0, start) + "localhost" + origin.substr(start + host.size());
}

// Whether an item of a list means that origin, whatever its port where the item says so.
bool means(std::string_view item, std::string_view origin) {
  if (!item.ends_with(kAnyPortSuffix)) return item == origin;
  const auto host_end = host_of(origin).data() + host_of(origin).size();
  return item.substr(0, item.size() - kAnyPortSuffix.size()) ==
         origin.substr(0, static_cast<std::size_t>(host_end - origin.data()));
}

bool holds(const std::vector<std::string>& origins, const std::string& origin) {
  return std::any_of(origins.begin(), origins.end(), [&](const std::string& item) { return means(item, origin); });
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

std::string authority_of(std::string_view url) {
  const auto origin = network_origin(url);
  if (origin.empty()) return {};
  const auto host = host_of(origin);
  const bool has_port = !origin.ends_with(host);
  const auto authority = origin.substr(origin.find("://") + 3);
  return has_port ? authority : authority + (origin.starts_with("https") ? ":443" : ":80");
}

bool names_this_machine(std::string_view host) {
  if (host == "localhost" || host.ends_with(".localhost")) return true;
  const auto address = NetworkAddress::parse(host);
  return address && address->is_loopback();
}

OriginRules::OriginRules(const std::vector<std::string>& allowed, const std::vector<std::string>& blocked)
    : has_allowed_(!allowed.empty()), allowed_(origins_in(allowed)), blocked_(origins_in(blocked)) {}

bool OriginRules::allows(std::string_view url) const {
  if (empty()) return true;
  const auto origin = network_origin(url);
  if (origin.empty()) return true;
  return blocker_of(origin) == nullptr && (!has_allowed_ || holds(allowed_, origin));
}

const std::string* OriginRules::blocker_of(const std::string& origin) const {
  const auto form = machine_form(origin);
  const auto found = std::find_if(blocked_.begin(), blocked_.end(), [&](const std::string& blocked) {
    return means(blocked, origin) || means(machine_form(blocked), form);
  });
  return found == blocked_.end() ? nullptr : &*found;
}

std::string OriginRules::reason(std::string_view url) const {
  const auto origin = network_origin(url);
  if (allows(url)) return {};
  if (const auto* blocker = blocker_of(origin)) {
    return origin + " is " + (means(*blocker, origin) ? "" : *blocker + ", which is ") + "in --blocked-origins";
  }
  std::string list;
  for (const auto& one : allowed_) list += (list.empty() ? "" : ", ") + one;
  return origin + " is not in --allowed-origins (" + (list.empty() ? "which is empty" : list) + ")";
}

}  // namespace bridle
