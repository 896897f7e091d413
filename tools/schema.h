#pragma once

#include <initializer_list>
#include <string>
#include <utility>

#include "tools/tool.h"

// Small words for JSON schemas, so that a tool's arguments read as a table.
namespace bridle::schema {

struct Property {
  const char* name;
  Json schema;
  bool required = false;
};

inline Json text(const char* description) { return {{"type", "string"}, {"description", description}}; }
inline Json boolean(const char* description) { return {{"type", "boolean"}, {"description", description}}; }
inline Json integer(const char* description, long minimum, long maximum) {
  return {{"type", "integer"}, {"description", description}, {"minimum", minimum}, {"maximum", maximum}};
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
inline Json list(Json items, const char* description = nullptr) {
  Json schema{{"type", "array"}, {"items", std::move(items)}};
  if (description != nullptr) schema["description"] = description;
  return schema;
}

inline Json object(std::initializer_list<Property> properties) {
  Json schema{{"type", "object"}, {"properties", Json::object()}, {"additionalProperties", false}};
  Json required = Json::array();
  for (const auto& property : properties) {
    schema["properties"][property.name] = property.schema;
    if (property.required) required.push_back(property.name);
  }
  if (!required.empty()) schema["required"] = required;
  return schema;
}

// An output schema: open to additions, as results grow.
inline Json output(std::initializer_list<Property> properties) {
  Json schema = object(properties);
  schema.erase("additionalProperties");
  return schema;
}

// Arguments that many tools share.
inline Property tab() { return {"tab", text("Tab id; default: the current tab")}; }
inline Property target(bool required = true) {
  return {"target", text("Ref from browser_snapshot (e12), CSS selector, text=... or role=button[name=\"...\"]"),
          required};
}
inline Property element() { return {"element", text("What the element is, in words, for logs")}; }

}  // namespace bridle::schema
