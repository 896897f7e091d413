#pragma once

#include <map>
#include <string>
#include <vector>

#include "config/options.h"
#include "tests/unit/support/temp_file.h"

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

// With a configuration file that holds this.
inline ParsedOptions with_file(const std::string& content, const std::string& suffix = ".json",
                               std::vector<std::string> arguments = {}) {
  const TempFile file(content, suffix);
  arguments.insert(arguments.end(), {"--config", file.path()});
  return parse(arguments);
}

}  // namespace bridle
