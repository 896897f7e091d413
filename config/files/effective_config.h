#pragma once

#include <string>

#include "config/options.h"

namespace bridle {

// What is in force of @playwright/mcp's settings, as a JSON object under the keys of its configuration files; a setting
// that holds nothing is left out. No credential is in it: what stands for one is kHidden [tool.config].
std::string effective_config(const Options& options);

}  // namespace bridle
