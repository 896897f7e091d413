# Writes the page's scripts as a byte array: string literals are limited to 64 KiB by -Wpedantic.
set(hex "")
# Every document that is looked into gets this script: comment lines and indentation are left out. (No template literal
# of ours spans lines; a comment after code stays.)
foreach(script IN LISTS SCRIPTS)
  file(READ ${script} text)
  string(REGEX REPLACE "\n[ \t]+" "\n" text "\n${text}")
  string(REGEX REPLACE "\n(//[^\n]*)?(\n//[^\n]*)*" "\n" text "${text}")
  string(REGEX REPLACE "\n\n+" "\n" text "${text}")
  string(HEX "${text}" piece)
  string(APPEND hex "${piece}0a")
endforeach()
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${hex}")
file(WRITE ${OUT} "// Generated from browser/page/js/*.js; do not edit.
#include \"browser/page/page_script.h\"
namespace bridle {
namespace {
constexpr char kScript[] = {${bytes} '\\0'};
}
std::string_view bridle_page_script() { return {kScript, sizeof kScript - 1}; }
}  // namespace bridle
")
