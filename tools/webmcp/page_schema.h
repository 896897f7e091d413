#pragma once

#include <string>

#include "base/text/json.h"

// What a page says of a tool that it registers, made fit for tools/list [tool.webmcp]. A page may say anything.
namespace bridle {

// The parts of a JSON schema that schema_check.h judges by, each of its right type and within bounds; the page checks
// the rest itself. nullopt-like null: it is no schema of an object, or too large.
Json page_schema(const Json& schema);

// "page_" and the name, of the letters that tool names have.
std::string page_tool_name(const std::string& name);

}  // namespace bridle
