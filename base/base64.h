#pragma once

#include <string>
#include <string_view>

namespace bridle {

// RFC 4648, section 4: with padding, on one line. A pure function.
std::string base64(std::string_view bytes);

}  // namespace bridle
