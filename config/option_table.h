#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/options.h"

namespace bridle {

// One option, as flag `--key`, environment variable BRIDLE_KEY and key of the JSON file. Inside of config/.
struct OptionRow {
  // repeated: a list whose items may hold commas, so each is given by itself; a variable holds one a line.
  enum class Kind { value, list, repeated, flag };
  const char* key;
  Kind kind;
  const char* help;
  // Sets the option from text; a list gets all its items at once. Throws std::invalid_argument with what is wrong.
  void (*set)(Options& options, const std::vector<std::string>& values);
};
const std::vector<OptionRow>& option_table();

}  // namespace bridle
