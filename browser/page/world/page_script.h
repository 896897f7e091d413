#pragma once

#include <string_view>

namespace bridle {

// The script of browser/page/js/*.js, concatenated in name order: what bridle runs in its isolated world
// of every frame it looks into. Constant for the life of the process.
std::string_view bridle_page_script();

}  // namespace bridle
