#pragma once

#include <string>

#include "config/options.h"

namespace bridle {

// Applies a configuration file: JSON (with comments) or ini, whose keys are bridle's options, or a configuration of
// @playwright/mcp, whose keys have other names and places (see playwright_keys.h). Throws OptionError: an unknown key,
// with the nearest known one; what can't be honoured, with what to do instead [tool.cli.drop-in].
void apply_config_file(Options& options, const std::string& path);

}  // namespace bridle
