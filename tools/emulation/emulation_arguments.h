#pragma once

#include <optional>
#include <string>
#include <vector>

#include "browser/emulation/emulation.h"
#include "tools/contract/arguments.h"

namespace bridle {

Json emulation_schema();

// What a caller's arguments lead to from what is in force. A null resets to `start`, which holds where nobody has
// asked for anything. `page_url`: whose origin credentials are for that name none. Throws ToolError, with nothing
// changed; whether the browser knows the timezone and the locale isn't looked at.
struct EmulationBasis {
  const Emulation& now;
  const Emulation& start;
  std::string chromium_major{};
  std::string page_url{};
};
Emulation emulation_of(const EmulationBasis& basis, const Arguments& args);

// What --emulate says that every tab is to emulate. Throws std::invalid_argument with what is wrong.
Emulation start_emulation_of(const std::string& json);

// The permissions that the arguments name: nullopt to reset them. Throws ToolError. Only where they are given.
std::optional<std::vector<std::string>> permissions_of(const Arguments& args);

}  // namespace bridle
