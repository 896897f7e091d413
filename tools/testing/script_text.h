#pragma once

#include <string>
#include <vector>

#include "base/text/json.h"

// Values as JavaScript writes them. Pure functions.
namespace bridle::script {

// A string in single quotes; a line of the script stays one.
std::string literal(const std::string& text);
// A text as part of a regular expression, where a line's end is any white space.
std::string escaped(const std::string& text);
std::string number(const Json& value);
// "{ a, b }", or "" where there is none.
std::string options_of(const std::vector<std::string>& parts);
// {x, y}.
std::string point(const Json& at);

}  // namespace bridle::script
