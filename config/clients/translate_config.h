#pragma once

#include <string>

#include "config/clients/print_config.h"
#include "config/options.h"

namespace bridle {

// What `bridle print-config CLIENT --from FILE` prints: the entry of @playwright/mcp in a client's configuration (JSON,
// or TOML for codex) as one that starts bridle, with the flags and variables that it has. Throws std::runtime_error:
// the file can't be read, has no such entry, or its flags can't be honoured.
ClientConfig translated_config(const Options& options, const std::string& binary);

}  // namespace bridle
