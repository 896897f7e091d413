#pragma once

#include <initializer_list>
#include <string>
#include <utility>

#include "tools/contract/tool.h"

// Small words for JSON schemas, so that a tool's arguments read as a table.
namespace bridle::schema {

struct Property {
  const char* name;
  Json schema;
  bool required = false;
  Json fallback{};  // what counts when it is left out; the list of tools doesn't say it. null: none
};

// Adds what the check knows and the list of tools doesn't say (schema_check.h): tools/list is read in every session.
inline Json unlisted(Json schema, const Json& more) {
  schema["x-unlisted"].update(more);
  return schema;
}

inline Json of_type(const char* type, const char* description) {
  Json schema{{"type", type}};
  if (description != nullptr) schema["description"] = description;
  return schema;
}
inline Json text(const char* description = nullptr) { return of_type("string", description); }
inline Json boolean(const char* description = nullptr) { return of_type("boolean", description); }
inline Json integer(const char* description, long minimum, long maximum) {
  Json schema = of_type("integer", description);
  schema["minimum"] = minimum;
  schema["maximum"] = maximum;
  return schema;
}
// Bounds that nobody comes near, or that another word tells: an error names them, the list doesn't.
inline Json bounded(const char* description, long minimum, long maximum) {
  return unlisted(of_type("integer", description), {{"minimum", minimum}, {"maximum", maximum}});
}
// Without a bound above that a caller could miss: more than `most` counts as `most`.
inline Json count(const char* description, long minimum, long most) {
  Json schema = of_type("integer", description);
  schema["minimum"] = minimum;
  return unlisted(std::move(schema), {{"x-clamp", most}});
}
inline Json number(const char* description, double minimum, double maximum) {
  return {{"type", "number"}, {"description", description}, {"minimum", minimum}, {"maximum", maximum}};
}
inline Json choice(std::initializer_list<const char*> values, const char* description = nullptr) {
  Json schema{{"type", "string"}, {"enum", Json::array()}};
  for (const char* value : values) schema["enum"].push_back(value);
  if (description != nullptr) schema["description"] = description;
  return schema;
}
inline Json list(Json items, const char* description = nullptr, std::size_t at_least = 0, std::size_t at_most = 0) {
  Json schema{{"type", "array"}, {"items", std::move(items)}};
  if (description != nullptr) schema["description"] = description;
  if (at_least > 0) schema["minItems"] = at_least;
  if (at_most > 0) schema["maxItems"] = at_most;
  return schema;
}

// Takes no other properties. The list says so only where there are none at all: an unknown one is answered with the
// closest name, which a model understands without the words.
inline Json object(std::initializer_list<Property> properties) {
  Json schema{{"type", "object"}, {"properties", Json::object()}};
  (properties.size() == 0 ? schema : schema["x-unlisted"])["additionalProperties"] = false;
  Json required = Json::array();
  for (const auto& property : properties) {
    Json& shown = schema["properties"][property.name] = property.schema;
    if (!property.fallback.is_null()) shown["x-unlisted"]["default"] = property.fallback;
    if (property.required) required.push_back(property.name);
  }
  if (!required.empty()) schema["required"] = required;
  return schema;
}

// An output schema that names only the fields by which a result is recognised, and allows all others
// [why.short-tool-list].
inline Json output(std::initializer_list<const char*> required) {
  Json schema{{"type", "object"}};
  for (const char* name : required) schema["required"].push_back(name);
  return schema;
}

// {x, y} in CSS px, from an element's top left corner.
inline Json point(const char* description = nullptr) {
  return unlisted(of_type("object", description),
                  {{"properties", {{"x", {{"type", "number"}}}, {"y", {{"type", "number"}}}}},
                   {"required", Json::array({"x", "y"})}});
}

// Arguments that many tools share. What `tab` and `target` are is told once, in the server's instructions; `element`,
// words for logs, is accepted wherever there is a target (schema_check.h).
inline Property tab() { return {"tab", text()}; }
// An element that must be named.
inline Json element(const char* description = nullptr) {
  return unlisted(
      text(description),
      {{"minLength", 1},
       {"x-remedy", "give a ref from browser_snapshot (e12), a CSS selector, text=... or role=button[name=\"...\"]"}});
}
inline Property target(const char* description = nullptr) { return {"target", element(description), true}; }
inline Property optional_target() { return {"target", text()}; }
inline Property filename() { return {"filename", text()}; }

}  // namespace bridle::schema
