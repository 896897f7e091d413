#pragma once

#include <string>
#include <vector>

namespace bridle {

// The known name that an unknown one most likely means, case aside; "" when none is near. The first of equals.
std::string closest_name(const std::string& name, const std::vector<std::string>& known);

}  // namespace bridle
