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

// Members of an object that others sent, who may have put anything there, if only another thing than an object.
// The object under `key`, or an empty one.
const Json& object_in(const Json& object, std::string_view key);
// The string under `key`, or "".
std::string string_in(const Json& object, std::string_view key);
// The whole number under `key`, or 0.
long integer_in(const Json& object, std::string_view key);

}  // namespace bridle
