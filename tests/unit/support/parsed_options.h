#pragma once

#include <map>
#include <string>
#include <vector>

#include "config/options.h"

namespace bridle {

using Variables = std::map<std::string, std::string>;

// What the command line and these variables say, and no others.
inline ParsedOptions parse(const std::vector<std::string>& arguments, const Variables& variables = {}) {
  std::vector<const char*> argv = {"bridle"};
  for (const auto& argument : arguments) argv.push_back(argument.c_str());
  return parse_options(static_cast<int>(argv.size()), argv.data(), [&](const char* name) -> const char* {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

}  // namespace bridle
