#pragma once

#include <span>
#include <string>
#include <string_view>

namespace bridle {

// Flags of @playwright/mcp that bridle has no option for [tool.cli.drop-in]: what they ask for is what bridle does
// anyway, or can't be had. Inside of config/.
struct ForeignFlag {
  const char* key;
  bool takes_value;
  const char* accepted;  // the values that change nothing, separated by commas; "": the flag itself changes nothing
  const char* instead;   // what to do about any other; null: there is no other
  const char* off = nullptr;  // our flag that a variable sets by turning this one off; null: that changes nothing
};
std::span<const ForeignFlag> foreign_flags();

// Whether a value of --browser names a channel that is to be found (see --channel), beside those that mean Chromium.
bool is_other_channel(std::string_view browser);

// What is wrong with a value, or "". `where` names the flag or the variable.
std::string problem_of(const ForeignFlag& flag, std::string_view value, const std::string& where);

}  // namespace bridle
