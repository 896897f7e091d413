#include "browser/cdp/remote_object.h"

#include <cmath>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "base/text/secrets.h"
#include "browser/cdp/message.h"

namespace bridle {
namespace {

std::string in_quotes(const std::string& text) { return '"' + text + '"'; }

std::string describe_preview(const Json& preview);

// What a preview says of one property: of an object within the object often its class alone.
std::string property_value(const Json& property) {
  if (is_secret_name(string_field(property, "name"))) return kHidden;
  if (const auto inner = property.find("valuePreview"); inner != property.end()) return describe_preview(*inner);
  const auto type = string_field(property, "type");
  auto value = string_field(property, "value");
  if (type == "string") return in_quotes(value);
  if (type == "function") return "function";
  if (type == "accessor") return "(...)";
  return value;
}

// The key or the value of an entry of a map or a set.
std::string entry_value(const Json& preview) {
  const auto description = string_field(preview, "description");
  const auto type = string_field(preview, "type");
  if (type == "string") return in_quotes(description);
  return type == "object" ? describe_preview(preview) : description;
}

void append(std::string& list, const std::string& item) {
  if (!list.empty()) list += ", ";
  list += item;
}

std::string entries_of(const Json& entries) {
  std::string list;
  for (const auto& entry : entries) {
    const auto value = entry.find("value");
    if (value == entry.end()) continue;
    const auto key = entry.find("key");
    if (key == entry.end())
      append(list, entry_value(*value));
    else
      append(list, entry_value(*key) + " => " +
                       (is_secret_name(string_field(*key, "description")) ? kHidden : entry_value(*value)));
  }
  return list;
}

// `Error: boom` and its stack, then what the error was caused by, and so on.
std::string describe_error(const std::string& stack, const Json& preview) {
  std::string text = stack;
  const auto properties = preview.find("properties");
  if (properties == preview.end()) return text;
  for (const auto& property : *properties) {
    const auto name = string_field(property, "name");
    if (name == "cause" || name == "errors") text += "\n[" + name + "]: " + property_value(property);
  }
  return text;
}

std::string describe_preview(const Json& preview) {
  const auto description = string_field(preview, "description");
  const auto subtype = string_field(preview, "subtype");
  if (subtype == "error") return describe_error(description, preview);
  if (subtype == "node" || subtype == "date" || subtype == "regexp" || subtype == "null") return description;
  std::string list;
  if (const auto entries = preview.find("entries"); entries != preview.end()) {
    list = entries_of(*entries);
  } else if (const auto properties = preview.find("properties"); properties != preview.end()) {
    for (const auto& property : *properties) {
      const auto value = property_value(property);
      const auto name = string_field(property, "name");
      const bool numbered = subtype == "array" && name.find_first_not_of("0123456789") == std::string::npos;
      append(list, numbered ? value : name + ": " + value);
    }
  }
  if (preview.value("overflow", false)) append(list, "…");
  if (subtype == "array") return "[" + list + "]";
  return (description == "Object" ? "" : description + " ") + "{" + list + "}";
}

bool is_number(const Json& object) { return string_field(object, "type") == "number"; }

// What %d, %i and %f make of an argument, as parseInt and parseFloat do.
std::string as_number(const Json& object, bool whole) {
  const auto text = describe_remote_object(object);
  const auto type = string_field(object, "type");
  if (type == "bigint") return text;
  if (!is_number(object) && type != "string") return "NaN";
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || !std::isfinite(number)) return "NaN";
  return dump(whole && std::abs(number) < 1e15 ? Json(static_cast<long long>(number)) : Json(number));
}

// What a directive's letter makes of an argument; nullopt: it is no directive.
std::optional<std::string> directed(char letter, const Json& object) {
  switch (letter) {
    case 's':
    case 'o':
    case 'O':
      return describe_remote_object(object);
    case 'd':
    case 'i':
      return as_number(object, true);
    case 'f':
      return as_number(object, false);
    case 'c':
      return "";
    default:
      return std::nullopt;
  }
}

}  // namespace

std::string describe_remote_object(const Json& object) {
  if (const auto value = object.find("value"); value != object.end())
    return value->is_string() ? value->get<std::string>() : dump(*value);
  if (auto plain = string_field(object, "unserializableValue"); !plain.empty()) return plain;
  if (const auto preview = object.find("preview"); preview != object.end()) return describe_preview(*preview);
  if (auto description = string_field(object, "description"); !description.empty()) return description;
  return string_field(object, "type");
}

std::string format_console_call(const Json& args, std::size_t enough) {
  std::string text;
  std::size_t next = 0;
  if (args.size() > 1 && string_field(args[0], "type") == "string") {
    const auto format = string_field(args[0], "value");
    next = 1;
    for (std::size_t i = 0; i < format.size() && text.size() <= enough; ++i) {
      const char letter = format[i] == '%' && i + 1 < format.size() ? format[i + 1] : '\0';
      const bool escaped = letter == '%';
      auto made = !escaped && next < args.size() ? directed(letter, args[next]) : std::nullopt;
      if (made) ++next;
      if (escaped || made) ++i;
      text += made ? *made : std::string(1, format[i]);
    }
  }
  for (; next < args.size() && text.size() <= enough; ++next) {
    if (next > 0) text += ' ';
    text += describe_remote_object(args[next]);
  }
  return text;
}

}  // namespace bridle
