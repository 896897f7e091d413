#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/network/network_address.h"
#include "config/network/origin_rules.h"

namespace bridle {

// Where the browser may connect to [security.egress]: the origin lists, --block-private-networks and bridle's own
// ports, judged once by name and once by each address that the name stands for. A value type; read-only once set up.
class EgressRules {
 public:
  EgressRules() = default;
  EgressRules(OriginRules origins, bool block_private_networks, std::vector<int> own_ports);

  // Why nothing may be sent to host:port, as the end of a sentence; "" if it may. `scheme` is http or https, or ""
  // where it isn't known yet: then it is enough that one of the two is allowed.
  std::string refusal(std::string_view scheme, std::string_view host, int port) const;
  // The same for an address that the host turned out to have.
  std::string refusal(const NetworkAddress& address, int port) const;

  // Whether a host whose address can't be found out must be refused.
  bool needs_address() const { return block_private_networks_; }

 private:
  struct BlockedAddress {
    std::optional<NetworkAddress> address{};  // none: this machine, by whichever address
    int port = 0;
    std::string origin{};
  };

  OriginRules origins_{};
  bool block_private_networks_ = false;
  std::vector<int> own_ports_{};
  std::vector<BlockedAddress> blocked_{};
};

}  // namespace bridle
