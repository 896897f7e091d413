#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

namespace bridle {

// As much of TOML as clients' configurations need, as JSON: tables, dotted keys, strings of one line, arrays, inline
// tables, comments; numbers, booleans and dates stay text. Throws std::invalid_argument for what it can't read.
nlohmann::json parse_toml(std::string_view text);

}  // namespace bridle
