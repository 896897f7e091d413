#pragma once

#include <string_view>

namespace bridle {

// The source of an arrow function that gives a function `plain(value)`: the JSON text, indented by two blanks, that
// says what an object holds [tool.evaluate.objects] [why.plain-values], its properties in their order. It is run in a
// page before the page's own scripts, and uses nothing of the page's built-ins later than that
// [tool.evaluate.unforgeable]. `plain` throws where an object refers to itself.
std::string_view plain_value_source();

}  // namespace bridle
