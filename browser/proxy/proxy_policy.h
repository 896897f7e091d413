#pragma once

#include <optional>
#include <string>

#include "config/network/egress_rules.h"
#include "config/network/proxy_settings.h"

namespace bridle {

// What a forward proxy goes by. A value type, read-only while the proxy runs.
struct ProxyPolicy {
  EgressRules rules{};
  std::string credential{};               // what Proxy-Authorization must say
  std::optional<ProxyServer> upstream{};  // the user's own proxy
  ProxyBypass bypass{};                   // what is reached without it
};

}  // namespace bridle
