#pragma once

#include <string>
#include <string_view>

namespace bridle {

// What a caller's script threw, with the places in the caller's own text: without the frames of the function that
// bridle puts around it (`form`, which holds `source`), and with columns that don't count what stands before it
// [tool.evaluate.stack].
std::string own_stack(std::string_view words, std::string_view form, std::string_view source);

}  // namespace bridle
