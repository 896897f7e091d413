#pragma once

#include "tools/contract/tool.h"

namespace bridle {

// The one place that judges a call's arguments and makes them ready: a handler reads plain values (arguments.h) and
// neither checks, converts, bounds nor defaults them again. Pure functions, any thread.
//
// Of JSON Schema it knows what our tools use: type, const, enum, bounds of numbers, lengths of texts and lists,
// properties, required, additionalProperties, items, anyOf, oneOf, allOf, not, if/then/else, and references within the
// schema. Further keywords of ours stand in a schema's "x-unlisted", an object that holds for the check alone and is
// not shown in tools/list:
//   default   the value of a member that is left out
//   x-clamp   a whole number above it counts as it
//   x-remedy  what to give instead, for the words about a member that is missing or empty
// and any keyword from above, which then takes the place of the listed one.

struct CheckedArguments {
  std::string problem{};  // empty: they fit. Else words for the model, with the argument's name and the remedy
  Json values{};          // when they fit: older names replaced, whole floats as integers, bounds and defaults applied
};

CheckedArguments check_arguments(const ToolSpec& spec, Json args);

// What is shown of a schema, and what check_arguments() goes by: without "x-unlisted", and with it in its place and
// references resolved. Throws std::logic_error on a schema that refers outside of itself or endlessly.
Json listed_schema(const Json& schema);
Json checked_schema(const Json& schema);

}  // namespace bridle
