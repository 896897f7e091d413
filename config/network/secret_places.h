#pragma once

#include <map>
#include <string>

#include "config/network/origin_rules.h"

namespace bridle {

// Where the values of secrets may be typed [tool.secrets.origins], by the secrets' names; one that isn't in here may be
// typed everywhere.
using SecretPlaces = std::map<std::string, OriginList>;

}  // namespace bridle
