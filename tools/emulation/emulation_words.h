#pragma once

#include <optional>
#include <string>
#include <vector>

#include "browser/emulation/emulation.h"

namespace bridle {

// What is in force, a line each, in the order of the tool's arguments; of headers the names alone, of credentials the
// origin alone [tool.emulate.secrets]. `permissions`: nullopt where none were set.
std::vector<std::string> emulation_lines(const Emulation& emulation,
                                         const std::optional<std::vector<std::string>>& permissions);
// The same as values, under the arguments' names.
Json emulation_values(const Emulation& emulation, const std::optional<std::vector<std::string>>& permissions);
// Whether a page that is there has read values that are no longer so.
bool is_stale_for_scripts(const Emulation& before, const Emulation& after);

}  // namespace bridle
