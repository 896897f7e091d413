// The table of everything the fixture site serves.
#pragma once

#include <string_view>

#include "tests/site/response.h"

namespace bridle::site {

// The handler of a path; for an unknown one, a handler that answers 404.
Handler find_route(std::string_view path);

}  // namespace bridle::site
