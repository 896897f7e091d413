#include "tests/support/catch.h"
#include "tools/contract/tool.h"

using namespace bridle;

namespace {
ToolSpec with(Json properties, Json required = Json::array()) {
  return {.name = "tool",
          .input_schema = {{"type", "object"},
                           {"properties", std::move(properties)},
                           {"required", std::move(required)},
                           {"additionalProperties", false}}};
}
bool says(const std::string& words, const char* part) {
  INFO(words);
  const bool found = words.find(part) != std::string::npos;
  CHECK(found);
  return found;
}
}  // namespace

TEST_CASE("arguments: what fits is silent", "[tool.arguments]") {
  const auto spec = with({{"url", {{"type", "string"}, {"minLength", 1}}},
                          {"timeout", {{"type", "integer"}, {"minimum", 1}, {"maximum", 10}}}},
                         {"url"});
  CHECK(check_arguments(spec, {{"url", "x"}}).empty());
  CHECK(check_arguments(spec, {{"url", "x"}, {"timeout", 1}}).empty());
  CHECK(check_arguments(spec, {{"url", "x"}, {"timeout", 10}}).empty());
  CHECK(check_arguments(spec, {{"url", "x"}, {"timeout", 2.0}}).empty());
}

TEST_CASE("arguments: each mistake names the argument and the remedy", "[tool.arguments]") {
  const auto spec = with({{"url", {{"type", "string"}, {"minLength", 1}}},
                          {"timeout", {{"type", "integer"}, {"minimum", 1}, {"maximum", 10}}},
                          {"button", {{"type", "string"}, {"enum", {"left", "right"}}}}},
                         {"url"});
  says(check_arguments(spec, Json::object()), "\"url\" (\"string\") is required");
  says(check_arguments(spec, {{"url", nullptr}}), "Argument \"url\" must be a string, not null");
  says(check_arguments(spec, {{"url", 5}}), "must be a string, not an integer (5)");
  says(check_arguments(spec, {{"url", ""}}), "\"url\" must not be empty");
  says(check_arguments(spec, {{"url", "x"}, {"timeout", 0}}), "\"timeout\" must be at least 1, not 0");
  says(check_arguments(spec, {{"url", "x"}, {"timeout", 11}}), "at most 10");
  says(check_arguments(spec, {{"url", "x"}, {"timeout", 1.5}}), "must be an integer, not a number (1.5)");
  says(check_arguments(spec, {{"url", "x"}, {"timeout", "5"}}), "not a string");
  says(check_arguments(spec, {{"url", "x"}, {"button", "middle"}}), "one of \"left\", \"right\", not \"middle\"");
  says(check_arguments(spec, {{"url", "x"}, {"timeOut", 5}}), "did you mean \"timeout\"?");
  says(check_arguments(spec, {{"ulr", "x"}}), "did you mean \"url\"?");
  says(check_arguments(spec, {{"\xC3\xBCrl", "x"}}), "did you mean \"url\"?");  // bytes beyond ASCII are negative chars
  says(check_arguments(spec, {{"url", "x"}, {"zzzzzzzzzz", 5}}), "Known: button, timeout, url");
  says(check_arguments(with(Json::object()), {{"x", 1}}), "there are no arguments here");
  says(check_arguments(spec, Json::array()), "The arguments must be an object");
}

TEST_CASE("arguments: paths into arrays and objects", "[tool.arguments]") {
  const Json field = {
      {"type", "object"},
      {"properties",
       {{"target", {{"type", "string"}}}, {"value", {{"anyOf", {{{"type", "string"}}, {{"type", "boolean"}}}}}}}},
      {"required", {"target", "value"}},
      {"additionalProperties", false}};
  const auto spec =
      with({{"fields", {{"type", "array"}, {"items", field}, {"minItems", 1}, {"maxItems", 2}}}}, {"fields"});
  CHECK(check_arguments(spec, {{"fields", {{{"target", "e1"}, {"value", true}}}}}).empty());
  says(check_arguments(spec, {{"fields", Json::array()}}), "must not be empty");
  says(check_arguments(spec, {{"fields", {{{"target", 1}, {"value", true}}}}}),
       "\"fields[0].target\" must be a string");
  says(check_arguments(spec, {{"fields", {{{"target", "e1"}, {"value", 5}}}}}), "fields[0].value");
  says(check_arguments(spec, {{"fields", {{{"target", "e1"}, {"value", "x"}, {"valeu", 1}}}}}),
       "did you mean \"value\"");
  const Json ok = {{"target", "e1"}, {"value", "x"}};
  says(check_arguments(spec, {{"fields", {ok, ok, ok}}}), "at most 2 items");
  says(check_arguments(spec, {{"fields", {{{"target", "e1"}}}}}), "\"fields[0].value\"");
}

TEST_CASE("arguments: lengths count characters") {
  const auto spec = with({{"t", {{"type", "string"}, {"maxLength", 2}}}});
  CHECK(check_arguments(spec, {{"t", "\xC3\xA4\xC3\xB6"}}).empty());
  says(check_arguments(spec, {{"t", "abc"}}), "at most 2 characters, not 3");
}

TEST_CASE("toolbox: finds by name, refuses a name twice") {
  Toolbox box;
  box.add(with(Json::object()));
  CHECK(box.find("tool") != nullptr);
  CHECK(box.find("Tool") == nullptr);
  CHECK_THROWS_AS(box.add(with(Json::object())), std::logic_error);
}

TEST_CASE("arguments: allOf, not, if/then/else and references within the schema", "[wire.schemas]") {
  ToolSpec spec = with({{"kind", {{"enum", {"phone", "email"}}}},
                        {"phone", {{"type", "string"}}},
                        {"email", {{"type", "string"}}},
                        {"home", {{"$ref", "#/$defs/address"}}}});
  spec.input_schema["$defs"] = {{"address",
                                 {{"type", "object"},
                                  {"properties", {{"city", {{"type", "string"}, {"not", {{"const", "nowhere"}}}}}}},
                                  {"additionalProperties", false}}}};
  spec.input_schema["allOf"] = {{{"anyOf", {{{"required", {"phone"}}}, {{"required", {"email"}}}}}}};
  spec.input_schema["if"] = {{"properties", {{"kind", {{"const", "phone"}}}}}, {"required", {"kind"}}};
  spec.input_schema["then"] = {{"required", {"phone"}}};
  Toolbox toolbox;
  const Json as_given = spec.input_schema;
  toolbox.add(std::move(spec));
  const ToolSpec& kept = *toolbox.find("tool");
  CHECK(kept.input_schema == as_given);  // listed word for word
  CHECK(check_arguments(kept, {{"email", "a@b"}}).empty());
  CHECK(check_arguments(kept, {{"kind", "phone"}, {"phone", "1"}, {"home", {{"city", "x"}}}}).empty());
  says(check_arguments(kept, Json::object()), "is required");
  says(check_arguments(kept, {{"kind", "phone"}, {"email", "a@b"}}), "\"phone\" is required");
  says(check_arguments(kept, {{"email", "a"}, {"home", {{"city", 5}}}}), "\"home.city\" must be a string");
  says(check_arguments(kept, {{"email", "a"}, {"home", {{"city", "nowhere"}}}}), "must not be");
  says(check_arguments(kept, {{"email", "a"}, {"home", {{"town", "x"}}}}), "home.town");

  ToolSpec outside = with({{"a", {{"$ref", "https://example.com/schema"}}}});
  outside.input_schema["$defs"] = Json::object();
  CHECK_THROWS_AS(toolbox.add(std::move(outside)), std::logic_error);
}

TEST_CASE("toolbox: an argument is mirrored in a header only where that can be told without doubt",
          "[wire.headers.mirrored]") {
  const auto takes = [](const Json& properties) {
    Toolbox box;
    try {
      box.add(with(properties));
      return std::string();
    } catch (const std::logic_error& error) {
      return std::string(error.what());
    }
  };
  const auto mirrored = [](const Json& type, const Json& header) {
    return Json{{"type", type}, {"x-mcp-header", header}};
  };
  CHECK(
      takes(
          {{"a", mirrored("string", "Region")}, {"b", mirrored("integer", "Count")}, {"c", mirrored("boolean", "Dry")}})
          .empty());
  CHECK(takes({{"a", {{"type", "object"}, {"properties", {{"b", mirrored("string", "Zone")}}}}}}).empty());
  says(takes({{"a", mirrored("number", "Ratio")}}), "only strings, integers and booleans");
  says(takes({{"a", mirrored("object", "Whole")}}), "only strings, integers and booleans");
  says(takes({{"a", mirrored(Json{"string", "null"}, "Region")}}), "only strings, integers and booleans");
  for (const Json& name : {Json(""), Json("two words"), Json("a:b"), Json("\xC3\xA4"), Json(7)})
    says(takes({{"a", mirrored("string", name)}}), "must be a token");
  says(takes({{"a", mirrored("string", "Region")}, {"b", mirrored("string", "REGION")}}), "two arguments");
  says(takes({{"a", {{"type", "array"}, {"items", mirrored("string", "Region")}}}}), "through properties alone");
  says(takes({{"a", {{"anyOf", {mirrored("string", "Region")}}}}}), "through properties alone");
}
