#include "tools/contract/tool.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <stdexcept>

#include "base/text.h"

namespace bridle {
namespace {

std::string printed(const Json& value, std::size_t max = 60) {
  std::string text = dump(value);
  if (text.size() > max) {
    std::size_t cut = max;
    while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0) == 0x80) --cut;
    text = text.substr(0, cut) + "...";
  }
  return text;
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

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      const std::size_t swap = diagonal + (lower(a[i - 1]) == lower(b[j - 1]) ? 0U : 1U);
      row[j] = std::min({above + 1, row[j - 1] + 1, swap});
      diagonal = above;
    }
  }
  return row[b.size()];
}

// The known name that an unknown one most likely means, or "" when none is near.
std::string closest(const std::string& name, const Json& properties) {
  if (name.size() > 64) return {};
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(2, name.size() / 2) + 1;
  for (const auto& [known, unused] : properties.items()) {
    const std::size_t distance = edit_distance(name, known);
    if (distance < best_distance) {
      best_distance = distance;
      best = known;
    }
  }
  return best;
}

std::string names_of(const Json& properties) {
  std::string out;
  for (const auto& [name, unused] : properties.items()) out += (out.empty() ? "" : ", ") + name;
  return out;
}

// Every check returns "" or the first thing that is wrong, in words that start with the argument's path.
std::string check(const Json& schema, const Json& value, const std::string& path);

std::string named(const std::string& path) { return path.empty() ? "The arguments" : "Argument \"" + path + "\""; }

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
  std::string words = named(path) + " must be " + allowed + ", not " + type_name(value);
  if (!value.is_null()) words += " (" + printed(value) + ")";
  if (value.is_null()) words += "; leave it out to use its default";
  return words + ".";
}

std::string check_enum(const Json& schema, const Json& value, const std::string& path) {
  if (const auto only = schema.find("const"); only != schema.end() && *only != value) {
    return named(path) + " must be " + printed(*only) + ", not " + printed(value) + ".";
  }
  const auto values = schema.find("enum");
  if (values == schema.end() || std::find(values->begin(), values->end(), value) != values->end()) return {};
  std::string allowed;
  for (const Json& one : *values) allowed += (allowed.empty() ? "" : ", ") + printed(one);
  return named(path) + " must be one of " + allowed + ", not " + printed(value) + ".";
}

std::string check_number(const Json& schema, const Json& value, const std::string& path) {
  const double number = value.get<double>();
  const auto bound = [&](const char* key) -> std::optional<Json> {
    const auto found = schema.find(key);
    return found == schema.end() ? std::nullopt : std::optional<Json>(*found);
  };
  const auto fails = [&](const char* words, const Json& limit) {
    return named(path) + " must be " + words + " " + printed(limit) + ", not " + printed(value) + ".";
  };
  if (const auto low = bound("minimum"); low && number < low->get<double>()) return fails("at least", *low);
  if (const auto high = bound("maximum"); high && number > high->get<double>()) return fails("at most", *high);
  if (const auto low = bound("exclusiveMinimum"); low && number <= low->get<double>()) return fails("more than", *low);
  if (const auto high = bound("exclusiveMaximum"); high && number >= high->get<double>())
    return fails("less than", *high);
  return {};
}

std::string check_size(const Json& schema, const char* low, const char* high, std::size_t size, const char* unit,
                       const std::string& path) {
  if (const auto least = schema.find(low); least != schema.end() && size < least->get<std::size_t>()) {
    if (size == 0) return named(path) + " must not be empty.";
    return named(path) + " must have at least " + printed(*least) + " " + unit + ", not " + std::to_string(size) + ".";
  }
  if (const auto most = schema.find(high); most != schema.end() && size > most->get<std::size_t>()) {
    return named(path) + " must have at most " + printed(*most) + " " + unit + ", not " + std::to_string(size) + ".";
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

std::string unknown_argument(const std::string& path, const std::string& name, const Json& properties) {
  std::string words = "Unknown argument \"" + (path.empty() ? "" : path + ".") + printed(name, 64).substr(1);
  if (words.back() != '"') words += '"';
  if (properties.empty()) return words + ": there are no arguments here; leave it out.";
  const std::string near = closest(name, properties);
  if (!near.empty()) return words + ": did you mean \"" + near + "\"? Known: " + names_of(properties) + ".";
  return words + ". Known: " + names_of(properties) + ".";
}

std::string check_object(const Json& schema, const Json& value, const std::string& path) {
  static const Json none = Json::object();
  const auto found = schema.find("properties");
  const Json& properties = found == schema.end() ? none : *found;
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
      const std::string wanted = properties.contains(text) && properties[text].contains("type")
                                     ? " (" + printed(properties[text]["type"]) + ")"
                                     : "";
      return "Argument \"" + prefix + text + "\"" + wanted + " is required but missing.";
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
    return named(path) + " must not be " + printed(value) + ".";
  }
  const auto condition = schema.find("if");
  if (condition == schema.end()) return {};
  const auto branch = schema.find(check(*condition, value, path).empty() ? "then" : "else");
  return branch == schema.end() ? std::string() : check(*branch, value, path);
}

std::string check(const Json& schema, const Json& value, const std::string& path) {
  if (schema.is_boolean()) return schema.get<bool>() ? "" : named(path) + " is not allowed here.";
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

// References within the schema ("#/...") in place, so deep that ours can't be recursive; anything from outside is a
// mistake of ours (the network is never asked).
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

// What a schema says of its mirrored arguments (x-mcp-header), or "" [wire.headers.mirrored]: only strings, integers
// and booleans, reached through properties alone, by names that are tokens and differ whatever their case. `names` are
// those so far; `reachable` false: within something that not every call has in one place.
std::string mirror_mistake(const Json& schema, std::set<std::string>& names, bool reachable) {
  if (!schema.is_structured()) return {};
  if (const auto header = schema.is_object() ? schema.find("x-mcp-header") : schema.end();
      schema.is_object() && header != schema.end()) {
    if (!reachable) return "an argument that is mirrored in a header must be reached through properties alone";
    if (!header->is_string() || !is_token(header->get<std::string>())) return "x-mcp-header must be a token";
    const auto type = schema.value("type", Json());
    if (type != "string" && type != "integer" && type != "boolean")
      return "only strings, integers and booleans are mirrored in headers";
    const auto name = lower(header->get<std::string>());
    if (!names.insert(name).second) return "two arguments are mirrored in the header " + name;
  }
  for (const auto& [key, member] : schema.items()) {
    if (schema.is_object() && key == "properties" && member.is_object()) {
      for (const auto& [name, property] : member.items()) {
        if (auto mistake = mirror_mistake(property, names, reachable); !mistake.empty()) return mistake;
      }
    } else if (auto mistake = mirror_mistake(member, names, false); !mistake.empty()) {
      return mistake;
    }
  }
  return {};
}

}  // namespace

bool ToolScope::knows_tab(const std::string& id) const {
  const Json open = tabs();
  return std::any_of(open.begin(), open.end(), [&](const Json& tab) { return tab.value("id", "") == id; });
}

void Toolbox::add(ToolSpec spec) {
  if (find(spec.name) != nullptr) throw std::logic_error("Toolbox: two tools named " + spec.name);
  std::set<std::string> mirrored;
  if (const auto mistake = mirror_mistake(spec.input_schema, mirrored, true); !mistake.empty())
    throw std::logic_error("Toolbox: " + spec.name + ": " + mistake);
  if (spec.input_schema.contains("$defs")) spec.checked_schema = with_references(spec.input_schema, spec.input_schema);
  specs_.push_back(std::move(spec));
}

const ToolSpec* Toolbox::find(std::string_view name) const {
  const auto found =
      std::find_if(specs_.begin(), specs_.end(), [&](const ToolSpec& spec) { return spec.name == name; });
  return found == specs_.end() ? nullptr : &*found;
}

namespace {

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

Json with_current_names(const ToolSpec& spec, const Json& args) {
  Json current = args;
  take_unlisted_names(spec.input_schema, current);
  return current;
}

}  // namespace

std::string check_arguments(const ToolSpec& spec, const Json& args) {
  const Json& schema = spec.checked_schema.is_null() ? spec.input_schema : spec.checked_schema;
  std::string words = check(schema, with_current_names(spec, args), "");
  return words.empty() ? words : spec.name + ": " + words;
}

}  // namespace bridle
