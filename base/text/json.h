#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace bridle {

using Json = nlohmann::json;

// JSON text on one line. Bytes that are no UTF-8 are replaced, never thrown on.
std::string dump(const Json& value);
// Indented by two.
std::string dump_pretty(const Json& value);
// The value that `text` holds; a discarded one (is_discarded(), and no other kind) when it is no JSON.
Json parse_json(std::string_view text);

}  // namespace bridle
