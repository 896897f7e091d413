# Writes the page's script as a byte array: string literals are limited to 64 KiB by -Wpedantic.
execute_process(
  COMMAND ${AWK} -f cmake/join_modules.awk browser/page/js/main.js
  OUTPUT_FILE ${OUT}.js
  RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "the page's scripts can't be joined")
endif()
file(READ ${OUT}.js hex HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${hex}")
file(WRITE ${OUT} "// Generated from browser/page/js; do not edit.
#include \"browser/page/world/page_script.h\"
namespace bridle {
namespace {
constexpr char kScript[] = {${bytes} '\\0'};
}
std::string_view bridle_page_script() { return {kScript, sizeof kScript - 1}; }
}  // namespace bridle
")
