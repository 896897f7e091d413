#include <cstdint>
#include <limits>

#include "tests/support/catch.h"
#include "tools/contract/arguments.h"
#include "tools/contract/schema.h"
#include "tools/contract/schema_check.h"

using namespace bridle;

namespace {
ToolSpec with(Json properties, Json required = Json::array()) {
  return {.name = "tool",
          .input_schema = {{"type", "object"},
                           {"properties", std::move(properties)},
                           {"required", std::move(required)},
                           {"additionalProperties", false}}};
}
// Words about what is wrong with the arguments; empty: nothing.
std::string problem(const ToolSpec& spec, const Json& args) { return check_arguments(spec, args).problem; }
// What a handler gets.
Json values(const ToolSpec& spec, const Json& args) {
  auto checked = check_arguments(spec, args);
  CHECK(checked.problem == "");
  return checked.values;
}
ToolSpec added(Json schema) {
  Toolbox box;
  box.add({.name = "tool", .input_schema = std::move(schema)});
  return *box.find("tool");
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
  CHECK(problem(spec, {{"url", "x"}}).empty());
  CHECK(problem(spec, {{"url", "x"}, {"timeout", 1}}).empty());
  CHECK(problem(spec, {{"url", "x"}, {"timeout", 10}}).empty());
  CHECK(problem(spec, {{"url", "x"}, {"timeout", 2.0}}).empty());
}

TEST_CASE("arguments: each mistake names the argument and the remedy", "[tool.arguments]") {
  const auto spec = with({{"url", {{"type", "string"}, {"minLength", 1}}},
                          {"timeout", {{"type", "integer"}, {"minimum", 1}, {"maximum", 10}}},
                          {"button", {{"type", "string"}, {"enum", {"left", "right"}}}}},
                         {"url"});
  says(problem(spec, Json::object()), "Argument \"url\" (string) is required but missing.");
  says(problem(spec, {{"url", nullptr}}), "Argument \"url\" must be a string, not null");
  says(problem(spec, {{"url", 5}}), "must be a string, not an integer (5)");
  says(problem(spec, {{"url", ""}}), "\"url\" must not be empty");
  says(problem(spec, {{"url", "x"}, {"timeout", 0}}), "\"timeout\" must be at least 1, not 0");
  says(problem(spec, {{"url", "x"}, {"timeout", 11}}), "at most 10");
  says(problem(spec, {{"url", "x"}, {"timeout", 1.5}}), "must be an integer, not a number (1.5)");
  says(problem(spec, {{"url", "x"}, {"timeout", "5"}}), "not a string");
  says(problem(spec, {{"url", "x"}, {"button", "middle"}}), "one of \"left\", \"right\", not \"middle\"");
  says(problem(spec, {{"url", "x"}, {"timeOut", 5}}), "did you mean \"timeout\"?");
  says(problem(spec, {{"ulr", "x"}}), "did you mean \"url\"?");
  says(problem(spec, {{"\xC3\xBCrl", "x"}}), "did you mean \"url\"?");  // bytes beyond ASCII are negative chars
  says(problem(spec, {{"url", "x"}, {"zzzzzzzzzz", 5}}), "Known: button, timeout, url");
  says(problem(with(Json::object()), {{"x", 1}}), "there are no arguments here");
  says(problem(spec, Json::array()), "The arguments must be an object");
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
  CHECK(problem(spec, {{"fields", {{{"target", "e1"}, {"value", true}}}}}).empty());
  says(problem(spec, {{"fields", Json::array()}}), "must not be empty");
  says(problem(spec, {{"fields", {{{"target", 1}, {"value", true}}}}}), "\"fields[0].target\" must be a string");
  says(problem(spec, {{"fields", {{{"target", "e1"}, {"value", 5}}}}}), "fields[0].value");
  says(problem(spec, {{"fields", {{{"target", "e1"}, {"value", "x"}, {"valeu", 1}}}}}), "did you mean \"value\"");
  const Json ok = {{"target", "e1"}, {"value", "x"}};
  says(problem(spec, {{"fields", {ok, ok, ok}}}), "at most 2 items");
  says(problem(spec, {{"fields", {{{"target", "e1"}}}}}), "\"fields[0].value\"");
}

TEST_CASE("arguments: lengths count characters") {
  const auto spec = with({{"t", {{"type", "string"}, {"maxLength", 2}}}});
  CHECK(problem(spec, {{"t", "\xC3\xA4\xC3\xB6"}}).empty());
  says(problem(spec, {{"t", "abc"}}), "at most 2 characters, not 3");
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
  CHECK(problem(kept, {{"email", "a@b"}}).empty());
  CHECK(problem(kept, {{"kind", "phone"}, {"phone", "1"}, {"home", {{"city", "x"}}}}).empty());
  says(problem(kept, Json::object()), "is required");
  says(problem(kept, {{"kind", "phone"}, {"email", "a@b"}}), "\"phone\" is required");
  says(problem(kept, {{"email", "a"}, {"home", {{"city", 5}}}}), "\"home.city\" must be a string");
  says(problem(kept, {{"email", "a"}, {"home", {{"city", "nowhere"}}}}), "must not be");
  says(problem(kept, {{"email", "a"}, {"home", {{"town", "x"}}}}), "home.town");

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

TEST_CASE("arguments: handed on as a handler reads them, converted once") {
  const auto spec = added(schema::object({{"timeout", schema::integer("Ms", 1, 100), false, 50},
                                          {"level", schema::choice({"error", "info"}), false, "info"},
                                          {"index", schema::count(nullptr, 1, 1000)},
                                          {"time", schema::number("Seconds", 0, 9)},
                                          {"text", schema::text()}}));
  CHECK(values(spec, Json::object()) == Json{{"timeout", 50}, {"level", "info"}});
  CHECK(values(spec, {{"timeout", 7}, {"level", "error"}, {"text", ""}}) ==
        Json{{"timeout", 7}, {"level", "error"}, {"text", ""}});
  // A whole float is an integer, and written as one; a number stays what it is.
  CHECK(values(spec, {{"timeout", 7.0}})["timeout"].is_number_integer());
  CHECK(values(spec, {{"timeout", 7.0}})["timeout"] == 7);
  CHECK(values(spec, {{"time", 7.0}})["time"].is_number_float());
  // Without a bound that a caller can miss: the clamp alone.
  CHECK(values(spec, {{"index", 1000}})["index"] == 1000);
  CHECK(values(spec, {{"index", 1001}})["index"] == 1000);
  CHECK(values(spec, {{"index", 1e300}})["index"] == 1000);
  CHECK(values(spec, {{"index", std::numeric_limits<std::uint64_t>::max()}})["index"] == 1000);
  says(problem(spec, {{"index", 0}}), "at least 1");
  // A bound that is listed refuses; nothing is defaulted in what doesn't fit.
  CHECK(check_arguments(spec, {{"timeout", 101}}).values.is_null());
}

TEST_CASE("arguments: older names become today's, words for logs go") {
  const auto spec =
      added(schema::object({schema::target(),
                            {"startTarget", schema::text()},
                            {"fields", schema::list(schema::object({{"target", schema::text(), true}}))}}));
  CHECK(values(spec, {{"ref", "e1"}, {"element", "a button"}}) == Json{{"target", "e1"}});
  CHECK(values(spec, {{"target", "e1"}, {"startRef", "e2"}, {"startElement", "x"}}) ==
        Json{{"target", "e1"}, {"startTarget", "e2"}});
  CHECK(values(spec, {{"target", "e1"}, {"fields", {{{"ref", "e2"}, {"element", "x"}}}}})["fields"] ==
        Json::array({{{"target", "e2"}}}));
  says(problem(spec, {{"target", "e1"}, {"ref", "e2"}}), "Unknown argument \"ref\"");
  says(problem(spec, {{"target", "e1"}, {"element", 5}}), "Unknown argument \"element\"");
}

TEST_CASE("arguments: what the list doesn't say is checked all the same") {
  const auto spec = added(schema::object(
      {schema::target("what"),
       {"paths", schema::unlisted(schema::list(schema::text()), {{"maxItems", 2}})},
       {"field", schema::unlisted(schema::object({{"target", schema::element()}, {"value", schema::text(), true}}),
                                  {{"required", Json::array({"target", "value"})}})}}));
  CHECK(spec.input_schema ==
        listed_schema(schema::object(
            {{"target", schema::text("what"), true},
             {"paths", schema::list(schema::text())},
             {"field", schema::object({{"target", schema::text()}, {"value", schema::text(), true}})}})));
  says(problem(spec, Json::object()), "\"target\" (string) is required but missing: give a ref from browser_snapshot");
  says(problem(spec, {{"target", ""}}), "\"target\" must not be empty: give a ref");
  says(problem(spec, {{"target", "e1"}, {"paths", {"a", "b", "c"}}}), "at most 2 items, not 3");
  says(problem(spec, {{"target", "e1"}, {"field", {{"value", "x"}}}}), "\"field.target\" (string) is required");
}

TEST_CASE("arguments: strange names are shown in quotes, shortened between characters, and never matched by bytes") {
  const auto spec = with({{"url", {{"type", "string"}}}});
  says(problem(spec, {{"a\"b", 1}}), "Unknown argument \"a\\\"b\"");
  const auto words = problem(spec, {{std::string(62, 'x') + "\xC3\xA4\xC3\xA4", 1}});
  says(words, (std::string(62, 'x') + "...\"").c_str());
  says(problem(spec, {{"\xC3\x9C\xC3\x84", 1}}), "Known: url");
}

TEST_CASE("arguments: the reader gives what was left out as its type's empty value") {
  const Json given = {{"text", "x"}, {"flag", true}, {"n", 3}, {"list", {"a", "b"}}, {"rows", {{{"text", "y"}}}}};
  const Arguments args(given);
  CHECK(args.has("text"));
  CHECK_FALSE(args.has("none"));
  CHECK(args.text("text") == "x");
  CHECK(args.text("none").empty());
  CHECK(args.flag("flag"));
  CHECK_FALSE(args.flag("none"));
  CHECK(args.integer("n") == 3);
  CHECK(args.integer("none") == 0);
  CHECK(args.number("n") == 3.0);
  CHECK(args.texts("list") == std::vector<std::string>{"a", "b"});
  CHECK(args.texts("none").empty());
  CHECK(args.objects("rows").at(0).text("text") == "y");
  CHECK(args.objects("none").empty());
  CHECK(args.at("none").is_null());
}
