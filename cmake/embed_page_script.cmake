# Writes the page's scripts as a byte array: string literals are limited to 64 KiB by -Wpedantic.
set(hex "")
foreach(script IN LISTS SCRIPTS)
  file(READ ${script} piece HEX)
  string(APPEND hex "${piece}0a")
endforeach()
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${hex}")
file(WRITE ${OUT} "// Generated from browser/page/*.js; do not edit.
#include \"browser/page_script.h\"
namespace bridle {
namespace {
constexpr char kScript[] = {${bytes} '\\0'};
}
std::string_view bridle_page_script() { return {kScript, sizeof kScript - 1}; }
}  // namespace bridle
")
