#include "tools/contract/schema_check.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <utility>

#include "base/text/closest_name.h"
#include "base/text/json.h"
#include "base/text/text.h"

namespace bridle {
namespace {

// At most `max` bytes of a text, and an ellipsis where it was cut.
std::string shortened(std::string_view text, std::size_t max) {
  std::string first(first_bytes(text, max));
  return first.size() == text.size() ? first : first + "...";
}

// A value as JSON, for words about it.
std::string printed(const Json& value) { return shortened(dump(value), 60); }

// A name from the caller in quotes, `"fields[0].valeu"`, so that a strange one is seen as it is.
std::string quoted_name(const std::string& path, const std::string& name) {
  const std::string quoted = dump(name);
  return "\"" + (path.empty() ? "" : path + ".") + shortened(quoted.substr(1, quoted.size() - 2), 63) + "\"";
}

std::string type_name(const Json& value) {
  if (value.is_null()) return "null";
  if (value.is_boolean()) return "a boolean";
  if (value.is_number_integer()) return "an integer";
  if (value.is_number()) return "a number";
  if (value.is_string()) return "a string";
  return value.is_array() ? "an array" : "an object";
}

std::string article(const std::string& type) {
  if (type == "null") return type;
  const bool vowel = type == "integer" || type == "array" || type == "object";
  return (vowel ? "an " : "a ") + type;
}

// A whole float counts as an integer, as JSON Schema has it.
bool is_integral(const Json& value) {
  if (value.is_number_integer()) return true;
  if (!value.is_number_float()) return false;
  const double number = value.get<double>();
  return std::isfinite(number) && std::floor(number) == number;
}

bool has_type(const Json& value, const std::string& type) {
  if (type == "string") return value.is_string();
  if (type == "integer") return is_integral(value);
  if (type == "number") return value.is_number();
  if (type == "boolean") return value.is_boolean();
  if (type == "array") return value.is_array();
  if (type == "object") return value.is_object();
  return type == "null" && value.is_null();
}

// Every check returns "" or the first thing that is wrong, in words that start with the argument's path.
std::string check(const Json& schema, const Json& value, const std::string& path);

std::string named_argument(const std::string& path) {
  return path.empty() ? "The arguments" : "Argument \"" + path + "\"";
}

std::string check_type(const Json& schema, const Json& value, const std::string& path) {
  const auto type = schema.find("type");
  if (type == schema.end()) return {};
  const Json types = type->is_array() ? *type : Json::array({*type});
  std::string allowed;
  for (const Json& one : types) {
    const auto name = one.get<std::string>();
    if (has_type(value, name)) return {};
    allowed += (allowed.empty() ? "" : " or ") + article(name);
  }
  std::string words = named_argument(path) + " must be " + allowed + ", not " + type_name(value);
  if (!value.is_null()) words += " (" + printed(value) + ")";
  if (value.is_null()) words += "; leave it out to use its default";
  return words + ".";
}

std::string check_enum(const Json& schema, const Json& value, const std::string& path) {
  if (const auto only = schema.find("const"); only != schema.end() && *only != value) {
    return named_argument(path) + " must be " + printed(*only) + ", not " + printed(value) + ".";
  }
  const auto values = schema.find("enum");
  if (values == schema.end() || std::find(values->begin(), values->end(), value) != values->end()) return {};
  std::string allowed;
  for (const Json& one : *values) allowed += (allowed.empty() ? "" : ", ") + printed(one);
  return named_argument(path) + " must be one of " + allowed + ", not " + printed(value) + ".";
}

std::string check_number(const Json& schema, const Json& value, const std::string& path) {
  const double number = value.get<double>();
  const auto bound = [&](const char* key) -> std::optional<Json> {
    const auto found = schema.find(key);
    return found == schema.end() ? std::nullopt : std::optional<Json>(*found);
  };
  const auto fails = [&](const char* words, const Json& limit) {
    return named_argument(path) + " must be " + words + " " + printed(limit) + ", not " + printed(value) + ".";
  };
  if (const auto low = bound("minimum"); low && number < low->get<double>()) return fails("at least", *low);
  if (const auto high = bound("maximum"); high && number > high->get<double>()) return fails("at most", *high);
  if (const auto low = bound("exclusiveMinimum"); low && number <= low->get<double>()) return fails("more than", *low);
  if (const auto high = bound("exclusiveMaximum"); high && number >= high->get<double>())
    return fails("less than", *high);
  return {};
}

// ": give a ref ...", or nothing; ends the sentence.
std::string remedy_of(const Json& schema) {
  const auto remedy = schema.find("x-remedy");
  return (remedy == schema.end() ? "" : ": " + remedy->get<std::string>()) + ".";
}

std::string check_size(const Json& schema, const char* low, const char* high, std::size_t size, const char* unit,
                       const std::string& path) {
  if (const auto least = schema.find(low); least != schema.end() && size < least->get<std::size_t>()) {
    if (size == 0) return named_argument(path) + " must not be empty" + remedy_of(schema);
    return named_argument(path) + " must have at least " + printed(*least) + " " + unit + ", not " +
           std::to_string(size) + ".";
  }
  if (const auto most = schema.find(high); most != schema.end() && size > most->get<std::size_t>()) {
    return named_argument(path) + " must have at most " + printed(*most) + " " + unit + ", not " +
           std::to_string(size) + ".";
  }
  return {};
}

std::string check_array(const Json& schema, const Json& value, const std::string& path) {
  if (auto words = check_size(schema, "minItems", "maxItems", value.size(), "items", path); !words.empty())
    return words;
  const auto items = schema.find("items");
  if (items == schema.end()) return {};
  for (std::size_t i = 0; i < value.size(); ++i) {
    auto words = check(*items, value[i], path + "[" + std::to_string(i) + "]");
    if (!words.empty()) return words;
  }
  return {};
}

std::string joined(const std::vector<std::string>& names) {
  std::string out;
  for (const auto& name : names) out += (out.empty() ? "" : ", ") + name;
  return out;
}

std::string unknown_argument(const std::string& path, const std::string& name, const Json& properties) {
  const std::string words = "Unknown argument " + quoted_name(path, name);
  std::vector<std::string> names;
  for (const auto& [known, unused] : properties.items()) names.push_back(known);
  if (properties.empty()) return words + ": there are no arguments here; leave it out.";
  const std::string near = closest_name(name, names);
  if (!near.empty()) return words + ": did you mean \"" + near + "\"? Known: " + joined(names) + ".";
  return words + ". Known: " + joined(names) + ".";
}

// `Argument "url" (string) is required but missing.`
std::string missing_argument(const std::string& path, const Json& schema) {
  std::string types;
  if (const auto type = schema.find("type"); type != schema.end()) {
    for (const Json& one : type->is_array() ? *type : Json::array({*type}))
      types += (types.empty() ? "" : " or ") + one.get<std::string>();
  }
  return named_argument(path) + (types.empty() ? "" : " (" + types + ")") + " is required but missing" +
         remedy_of(schema);
}

std::string check_object(const Json& schema, const Json& value, const std::string& path) {
  static const Json kNone = Json::object();
  const auto found = schema.find("properties");
  const Json& properties = found == schema.end() ? kNone : *found;
  const auto additional = schema.find("additionalProperties");
  const std::string prefix = path.empty() ? "" : path + ".";
  // Unknown names first: a misspelt required argument is better explained by its own name.
  for (const auto& [name, member] : value.items()) {
    if (properties.contains(name) || additional == schema.end()) continue;
    if (additional->is_boolean() && !additional->get<bool>()) return unknown_argument(path, name, properties);
    if (additional->is_object()) {
      if (auto words = check(*additional, member, prefix + name); !words.empty()) return words;
    }
  }
  if (const auto required = schema.find("required"); required != schema.end()) {
    for (const Json& name : *required) {
      const auto text = name.get<std::string>();
      if (value.contains(text)) continue;
      return missing_argument(prefix + text, properties.contains(text) ? properties[text] : kNone);
    }
  }
  for (const auto& [name, member] : value.items()) {
    if (!properties.contains(name)) continue;
    if (auto words = check(properties[name], member, prefix + name); !words.empty()) return words;
  }
  return {};
}

// anyOf and oneOf: the best words are those of the branch whose type fits.
std::string check_choices(const Json& schema, const Json& value, const std::string& path) {
  for (const char* key : {"anyOf", "oneOf"}) {
    const auto choices = schema.find(key);
    if (choices == schema.end()) continue;
    std::string best;
    bool fits = false;
    for (const Json& choice : *choices) {
      const std::string words = check(choice, value, path);
      if (words.empty())
        fits = true;
      else if (best.empty() || check_type(choice, value, path).empty())
        best = words;
    }
    if (!fits) return best;
  }
  return {};
}

// allOf, not, if/then/else.
std::string check_conditions(const Json& schema, const Json& value, const std::string& path) {
  if (const auto all = schema.find("allOf"); all != schema.end()) {
    for (const Json& one : *all) {
      if (auto words = check(one, value, path); !words.empty()) return words;
    }
  }
  if (const auto never = schema.find("not"); never != schema.end() && check(*never, value, path).empty()) {
    return named_argument(path) + " must not be " + printed(value) + ".";
  }
  const auto condition = schema.find("if");
  if (condition == schema.end()) return {};
  const auto branch = schema.find(check(*condition, value, path).empty() ? "then" : "else");
  return branch == schema.end() ? std::string() : check(*branch, value, path);
}

std::string check(const Json& schema, const Json& value, const std::string& path) {
  if (schema.is_boolean()) return schema.get<bool>() ? "" : named_argument(path) + " is not allowed here.";
  if (auto words = check_type(schema, value, path); !words.empty()) return words;
  if (auto words = check_enum(schema, value, path); !words.empty()) return words;
  if (auto words = check_choices(schema, value, path); !words.empty()) return words;
  if (auto words = check_conditions(schema, value, path); !words.empty()) return words;
  if (value.is_number()) return check_number(schema, value, path);
  if (value.is_string()) {
    const auto size = characters(value.get_ref<const std::string&>());
    return check_size(schema, "minLength", "maxLength", size, "characters", path);
  }
  if (value.is_array()) return check_array(schema, value, path);
  if (value.is_object()) return check_object(schema, value, path);
  return {};
}

// Arguments that are accepted without being listed [tool.target], as clients know it from elsewhere: `ref` as an
// older name of `target`, and `element`, words for logs. Where a schema lists them they are as any other.
void take_unlisted_names(const Json& schema, Json& args) {
  const auto properties = schema.find("properties");
  if (properties == schema.end() || !args.is_object()) return;
  for (const auto& [name, older, words] :
       {std::array{"target", "ref", "element"}, std::array{"startTarget", "startRef", "startElement"},
        std::array{"endTarget", "endRef", "endElement"}}) {
    if (!properties->contains(name)) continue;
    if (!properties->contains(older) && args.contains(older) && !args.contains(name)) {
      args[name] = std::move(args[older]);
      args.erase(older);
    }
    if (const auto found = args.find(words); !properties->contains(words) && found != args.end() && found->is_string())
      args.erase(words);
  }
  for (const auto& [name, property] : properties->items()) {
    const auto list = args.find(name);
    if (list == args.end() || !list->is_array() || !property.contains("items")) continue;
    for (auto& item : *list) take_unlisted_names(property["items"], item);
  }
}

bool wants_integer(const Json& schema) {
  const auto type = schema.find("type");
  if (type == schema.end()) return false;
  return type->is_array() ? std::find(type->begin(), type->end(), "integer") != type->end() : *type == "integer";
}

// Of a value that fits. Within the branches of anyOf, oneOf and if it stays as it came.
void normalise(const Json& schema, Json& value) {
  if (!schema.is_object()) return;
  if (value.is_number() && wants_integer(schema)) {
    if (const auto most = schema.find("x-clamp"); most != schema.end() && value.get<double>() > most->get<double>())
      value = *most;
    constexpr double kInt64End = 9223372036854775808.0;  // the first that doesn't fit
    if (value.is_number_float() && std::abs(value.get<double>()) < kInt64End) value = value.get<std::int64_t>();
  }
  if (const auto properties = schema.find("properties"); value.is_object() && properties != schema.end()) {
    for (const auto& [name, property] : properties->items()) {
      if (const auto member = value.find(name); member != value.end())
        normalise(property, *member);
      else if (property.is_object() && property.contains("default"))
        value[name] = property["default"];
    }
  }
  if (const auto items = schema.find("items"); value.is_array() && items != schema.end()) {
    for (Json& item : value) normalise(*items, item);
  }
}

// A copy of `schema` in which `change` has been applied to each object, the innermost first.
template <typename Change>
Json transformed(const Json& schema, const Change& change) {
  if (!schema.is_structured()) return schema;
  Json out = schema.is_array() ? Json::array() : Json::object();
  if (schema.is_array()) {
    for (const Json& one : schema) out.push_back(transformed(one, change));
    return out;
  }
  for (const auto& [key, member] : schema.items()) out[key] = transformed(member, change);
  change(out);
  return out;
}

constexpr const char* kUnlisted = "x-unlisted";

// Replaces references within the schema ("#/...") by what they refer to; a depth that only a recursive schema reaches,
// and a reference to the outside, are mistakes of ours. The network is never asked.
Json with_references(const Json& schema, const Json& root, int depth = 0) {
  constexpr int kMostDeep = 32;
  if (depth > kMostDeep) throw std::logic_error("Toolbox: a schema refers to itself");
  if (!schema.is_structured()) return schema;
  Json out = schema.is_array() ? Json::array() : Json::object();
  if (schema.is_array()) {
    for (const Json& one : schema) out.push_back(with_references(one, root, depth + 1));
    return out;
  }
  if (const auto ref = schema.find("$ref"); ref != schema.end()) {
    const auto name = ref->get<std::string>();
    if (!name.starts_with("#/")) throw std::logic_error("Toolbox: a schema refers to " + name);
    out = with_references(root.at(Json::json_pointer(name.substr(1))), root, depth + 1);
  }
  for (const auto& [key, member] : schema.items()) {
    if (key != "$ref") out[key] = with_references(member, root, depth + 1);
  }
  return out;
}

}  // namespace

CheckedArguments check_arguments(const ToolSpec& spec, Json args) {
  const Json& schema = spec.checked_schema.is_null() ? spec.input_schema : spec.checked_schema;
  take_unlisted_names(schema, args);
  if (const auto words = check(schema, args, ""); !words.empty()) return {.problem = spec.name + ": " + words};
  normalise(schema, args);
  return {.values = std::move(args)};
}

Json listed_schema(const Json& schema) {
  return transformed(schema, [](Json& one) { one.erase(kUnlisted); });
}

Json checked_schema(const Json& schema) {
  Json merged = transformed(schema, [](Json& one) {
    const auto unlisted = one.find(kUnlisted);
    if (unlisted == one.end()) return;
    const Json more = std::move(*unlisted);
    one.erase(unlisted);
    one.update(more);
  });
  return merged.contains("$defs") ? with_references(merged, merged) : merged;
}

}  // namespace bridle
