#pragma once

#include <map>
#include <string>
#include <vector>

#include "config/network/origin_rules.h"

namespace bridle {

// Where a secret's value may be typed [tool.secrets.origins].
struct SecretOrigins {
  std::vector<std::string> listed{};
  OriginRules rules{};
};
// By the secrets' names; one that isn't in here may be typed everywhere.
using SecretPlaces = std::map<std::string, SecretOrigins>;

}  // namespace bridle
