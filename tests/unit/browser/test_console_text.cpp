#include "browser/tab/console_log.h"
#include "tests/support/catch.h"

// What a page's calls of its console read as.
using namespace bridle;

namespace {

// What the console shows of a call with these arguments.
std::string console_text(const Json& args) {
  ConsoleLog log;
  log.on_event("Runtime.consoleAPICalled", {{"type", "log"}, {"args", args}}, "L");
  return log.entries().at(0).text;
}
Json text_value(const char* value) { return {{"type", "string"}, {"value", value}}; }
Json number_value(double value) { return {{"type", "number"}, {"value", value}}; }
Json previewed(Json preview) {
  const auto description = preview["description"];
  return {{"type", "object"}, {"description", description}, {"preview", std::move(preview)}};
}
Json property(const char* name, const char* type, const char* value) {
  return {{"name", name}, {"type", type}, {"value", value}};
}

}  // namespace

TEST_CASE("the directives of the console's first argument are applied", "[page_trackers] [tool.logs]") {
  CHECK(console_text({text_value("%cGet the tools: %s"), text_value("color: red"), text_value("x")}) ==
        "Get the tools: x");
  CHECK(console_text({text_value("Two children with the key `%s`. %d%% %i %f"), text_value("2"), number_value(4.7),
                      text_value("42.5px"), number_value(1.5), text_value("more")}) ==
        "Two children with the key `2`. 4% 42 1.5 more");
  CHECK(console_text({text_value("%d %x %s"), text_value("none")}) == "NaN %x %s");
  CHECK(console_text(Json::array({text_value("100% of %s")})) == "100% of %s");
  CHECK(console_text({Json{{"type", "number"}, {"value", 1}}, text_value("%s"), text_value("b")}) == "1 %s b");
}

TEST_CASE("the colours of a text for a terminal are left out", "[page_trackers] [tool.logs]") {
  CHECK(console_text(Json::array({text_value("\x1b[36m[vite]\x1b[0m \x1b[1;31mfailed\x1b[m \x1b[2K\x1b[")})) ==
        "[vite] failed \x1b[2K\x1b[");
  CHECK(console_text(Json::array({text_value("\x1b[2K plain \x1b[1")})) == "\x1b[2K plain \x1b[1");
}

TEST_CASE("the console's objects are shown as their previews have them", "[page_trackers] [tool.logs]") {
  const auto object = previewed({{"type", "object"},
                                 {"description", "Object"},
                                 {"overflow", true},
                                 {"properties",
                                  {property("id", "number", "1"),
                                   property("name", "string", "Ada"),
                                   property("tags", "object", "Array(2)"),
                                   property("apiKey", "string", "s3cr3t"),
                                   property("run", "function", ""),
                                   {{"name", "x"}, {"type", "accessor"}}}}});
  CHECK(console_text({text_value("user"), object}) ==
        "user {id: 1, name: \"Ada\", tags: Array(2), apiKey: [value hidden], run: function, x: (...), …}");
  CHECK(console_text(Json::array({previewed(
            {{"type", "object"},
             {"subtype", "array"},
             {"description", "Array(2)"},
             {"overflow", false},
             {"properties", {property("0", "number", "1"), property("1", "string", "b")}}})})) == "[1, \"b\"]");
  const Json entry{
      {"key", {{"type", "string"}, {"description", "a"}}},
      {"value",
       {{"type", "object"}, {"description", "User"}, {"properties", Json::array({property("n", "number", "2")})}}}};
  CHECK(console_text(Json::array({previewed({{"type", "object"},
                                             {"subtype", "map"},
                                             {"description", "Map(1)"},
                                             {"properties", Json::array({property("size", "number", "1")})},
                                             {"entries", Json::array({entry})}})})) == "Map(1) {\"a\" => User {n: 2}}");
  CHECK(console_text(Json::array({previewed({{"type", "object"},
                                             {"subtype", "error"},
                                             {"description", "Error: boom\n    at f"},
                                             {"properties",
                                              {property("message", "string", "boom"),
                                               property("cause", "object", "TypeError: inner\n    at g")}}})})) ==
        "Error: boom\n    at f\n[cause]: TypeError: inner\n    at g");
  CHECK(console_text(Json::array({previewed({{"type", "object"},
                                             {"subtype", "node"},
                                             {"description", "div#root"},
                                             {"properties", Json::array({property("align", "string", "")})}})})) ==
        "div#root");
}

TEST_CASE("the end of a group is no message, and the browser names the elements it speaks of", "[page_trackers]") {
  ConsoleLog log;
  log.on_event("Runtime.consoleAPICalled",
               {{"type", "endGroup"}, {"args", Json::array({text_value("console.groupEnd")})}}, "L");
  CHECK(log.entries().empty());
  const Json element{{"type", "object"}, {"description", "input#pw"}};
  log.on_event("Log.entryAdded",
               {{"entry", {{"level", "verbose"}, {"text", "[DOM] No label: %o"}, {"args", Json::array({element})}}}},
               "L");
  CHECK(log.entries().at(0).text == "[DOM] No label: input#pw");
}

TEST_CASE("that the icon of the browser's tab strip is missing is no message of the page",
          "[page_trackers] [tool.logs]") {
  ConsoleLog log;
  const auto missing = [&](const char* url, const Json& more = Json::object()) {
    Json entry{{"source", "network"}, {"level", "error"}, {"text", "Failed to load resource"}, {"url", url}};
    entry.update(more);
    log.on_event("Log.entryAdded", {{"entry", entry}}, "L");
  };
  missing("http://a.test/favicon.ico");
  CHECK(log.entries().empty());
  missing("http://a.test/logo.ico");
  missing("http://a.test/favicon.ico", {{"stackTrace", {{"callFrames", Json::array()}}}});  // a script has asked for it
  CHECK(log.entries().size() == 2);
}
