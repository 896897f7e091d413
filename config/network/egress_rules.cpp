#include "config/network/egress_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace bridle {
namespace {

constexpr int kAnyPort = 0;

// Host and port of a network_origin().
std::pair<std::string_view, int> host_and_port(std::string_view origin) {
  const bool https = origin.starts_with("https://");
  auto rest = origin.substr(origin.find("://") + 3);
  const auto colon = rest.find(':', rest.starts_with('[') ? rest.find(']') : 0);
  int port = https ? 443 : 80;
  if (colon != std::string_view::npos) {
    if (rest.substr(colon + 1) == "*") port = kAnyPort;
    std::from_chars(rest.data() + colon + 1, rest.data() + rest.size(), port);
    rest = rest.substr(0, colon);
  }
  return {rest, port};
}

std::string url_of(std::string_view scheme, std::string_view host, int port) {
  return fmt::format("{}://{}:{}/", scheme, host, port);
}

}  // namespace

EgressRules::EgressRules(OriginRules origins, bool block_private_networks, std::vector<int> own_ports)
    : origins_(std::move(origins)), block_private_networks_(block_private_networks), own_ports_(std::move(own_ports)) {
  for (const auto& origin : origins_.blocked()) {
    const auto [host, port] = host_and_port(origin);
    const auto address = NetworkAddress::parse(host);
    if (names_this_machine(host)) {
      blocked_.push_back({std::nullopt, port, origin});
    } else if (address) {
      blocked_.push_back({address, port, origin});
    }
  }
}

std::string EgressRules::refusal(std::string_view scheme, std::string_view host, int port) const {
  if (!scheme.empty()) {
    const auto url = url_of(scheme, host, port);
    const bool is_host = host.find_first_of("/?#@\\") == std::string_view::npos;
    if (!is_host || network_origin(url).empty()) return fmt::format("\"{}\" is no host name that can be judged", host);
    return origins_.reason(url);
  }
  auto why = refusal("https", host, port);
  if (!why.empty() && refusal("http", host, port).empty()) why.clear();
  return why;
}

std::string EgressRules::refusal(const NetworkAddress& address, int port) const {
  const bool own_port = std::find(own_ports_.begin(), own_ports_.end(), port) != own_ports_.end();
  if (own_port && address.is_this_machine()) return "it is a port of bridle itself";
  if (block_private_networks_ && (address.is_private() || address.is_this_machine())) {
    return fmt::format("{} is an address of a private network (--block-private-networks)", address.text());
  }
  for (const auto& blocked : blocked_) {
    if (blocked.port != kAnyPort && blocked.port != port) continue;
    if (blocked.address ? *blocked.address == address : address.is_this_machine()) {
      return fmt::format("its address {} is that of {}, which is in --blocked-origins", address.text(), blocked.origin);
    }
  }
  return {};
}

}  // namespace bridle
