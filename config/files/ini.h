#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

namespace bridle {

// An ini file as the JSON object that it stands for: `a.b = c` is {"a": {"b": "c"}}, a [section] stands before each of
// its keys, `key[] = x` once or more is a list, a key alone is true. Values are text. Throws std::invalid_argument with
// the line's number.
nlohmann::json parse_ini(std::string_view text);

}  // namespace bridle
