#pragma once

#include <cstddef>
#include <string>

#include "base/text/json.h"

namespace bridle {

// What CDP's RemoteObjects, of which events carry a preview, look like in a console. Pure functions. The values of what
// is named like a secret are hidden [tool.secrets].

// A value as text: a string as it is, `{id: 1, name: "Ada"}`, `User {id: 1}`, `[1, 2]`, `Map(1) {"a" => 1}`, an error
// with its stack and what has caused it.
std::string describe_remote_object(const Json& object);

// The arguments of a call of the console, in one text, with the directives of its first one (%s, %d, %i, %f, %o, %O,
// %c) applied as the Console Standard has them. An argument that only styles the text is left out. Once the text has
// more than `enough` characters, further arguments aren't looked at.
std::string format_console_call(const Json& args, std::size_t enough);

}  // namespace bridle
