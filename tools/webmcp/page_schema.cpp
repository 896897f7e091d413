#include "tools/webmcp/page_schema.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "base/text/log.h"

namespace bridle {
namespace {

constexpr int kDepth = 8;
constexpr std::size_t kProperties = 64;
constexpr std::size_t kBranches = 16;
constexpr std::size_t kValues = 100;  // of an enumeration
constexpr std::size_t kWords = 300;   // of a description, bytes
constexpr std::size_t kSchemaBytes = 8 * 1024;
constexpr std::size_t kNameBytes = 64;

Json cleaned(const Json& schema, int depth);

bool is_type(const Json& type) {
  constexpr std::array<std::string_view, 7> kTypes{"string", "integer", "number", "boolean", "array", "object", "null"};
  return type.is_string() &&
         std::find(kTypes.begin(), kTypes.end(), type.get_ref<const std::string&>()) != kTypes.end();
}

Json cleaned_branches(const Json& branches, int depth) {
  Json list = Json::array();
  if (!branches.is_array() || branches.size() > kBranches) return list;
  for (const Json& branch : branches) list.push_back(cleaned(branch, depth - 1));
  return list;
}

void clean_member(const std::string& key, const Json& value, int depth, Json& into) {
  if (key == "type") {
    if (is_type(value) || (value.is_array() && !value.empty() && std::all_of(value.begin(), value.end(), is_type)))
      into[key] = value;
  } else if (key == "description" || key == "title") {
    if (value.is_string()) into[key] = loggable(value.get_ref<const std::string&>(), kWords);
  } else if (key == "enum") {
    if (value.is_array() && !value.empty() && value.size() <= kValues) into[key] = value;
  } else if (key == "const") {
    into[key] = value;
  } else if (key == "minimum" || key == "maximum" || key == "exclusiveMinimum" || key == "exclusiveMaximum") {
    if (value.is_number()) into[key] = value;
  } else if (key == "minLength" || key == "maxLength" || key == "minItems" || key == "maxItems") {
    if (value.is_number_unsigned()) into[key] = value;
  } else if (key == "required") {
    const bool names = value.is_array() && value.size() <= kProperties &&
                       std::all_of(value.begin(), value.end(), [](const Json& one) { return one.is_string(); });
    if (names) into[key] = value;
  } else if (key == "properties") {
    if (!value.is_object() || value.size() > kProperties) return;
    into[key] = Json::object();
    for (const auto& [name, property] : value.items()) into[key][name] = cleaned(property, depth - 1);
  } else if (key == "items") {
    if (value.is_object()) into[key] = cleaned(value, depth - 1);
  } else if (key == "additionalProperties") {
    if (value.is_boolean()) into[key] = value;
  } else if (key == "anyOf" || key == "oneOf") {
    // Of parts that were left out two branches may fit where one did.
    if (auto list = cleaned_branches(value, depth); !list.empty()) into["anyOf"] = std::move(list);
  } else if (key == "allOf") {
    if (auto list = cleaned_branches(value, depth); !list.empty()) into[key] = std::move(list);
  }
}

Json cleaned(const Json& schema, int depth) {
  Json clean = Json::object();
  if (!schema.is_object() || depth <= 0) return clean;
  for (const auto& [key, value] : schema.items()) clean_member(key, value, depth, clean);
  return clean;
}

}  // namespace

Json page_schema(const Json& schema) {
  if (!schema.is_null() && !schema.is_object()) return {};
  Json clean = cleaned(schema, kDepth);
  if (const auto type = clean.find("type"); type != clean.end() && *type != "object") return {};
  clean["type"] = "object";
  if (!clean.contains("properties")) clean["properties"] = Json::object();
  return dump(clean).size() <= kSchemaBytes ? clean : Json();
}

std::string page_tool_name(const std::string& name) {
  std::string clean = "page_";
  for (const char letter : name.substr(0, kNameBytes)) {
    const bool fits = std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_' || letter == '-';
    clean += fits ? letter : '_';
  }
  return clean;
}

}  // namespace bridle
