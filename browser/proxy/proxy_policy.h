#pragma once

#include <optional>
#include <string>

#include "config/egress_rules.h"
#include "config/proxy_settings.h"

namespace bridle {

// What a forward proxy goes by. A value type, read-only while the proxy runs.
struct ProxyPolicy {
  EgressRules rules{};
  std::string credential{};               // what Proxy-Authorization must say
  std::optional<ProxyServer> upstream{};  // the user's own proxy
  ProxyBypass bypass{};                   // what is reached without it
};

}  // namespace bridle
