#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "config/foreign_flags.h"
#include "config/option_table.h"

// One thing that the command line, the environment or a file says, and what becomes of it. Inside of config/.
namespace bridle {

// A mistake of the person who starts us: words for stderr, exit code 2.
class OptionError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The option of that name; null: there is none.
const OptionRow* find_option(std::string_view key);
// Sets it; a list's values may hold several, separated by commas. Throws OptionError. `where` names the flag, the
// variable or the file and its key.
void set_option(Options& options, const OptionRow& row, const std::vector<std::string>& values,
                const std::string& where);
// What another server's flag says; throws OptionError where that can't be honoured.
void set_foreign(Options& options, const ForeignFlag& flag, const std::string& value, const std::string& where);

// "; did you mean \"port\"?", or "" when nothing known is near.
std::string or_nearest(const std::string& name, const std::vector<std::string>& known);

}  // namespace bridle
