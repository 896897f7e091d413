# Embeds one text file as a C++ function: bridle_embed_text(target file.md function), whose header declares
# `std::string_view function()` in namespace bridle::agent.
function(bridle_embed_text target file function)
  set(out ${CMAKE_BINARY_DIR}/generated/${function}.cpp)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${file})
  file(READ ${CMAKE_SOURCE_DIR}/${file} text)
  file(CONFIGURE OUTPUT ${out} CONTENT [[// Made from @file@ by the build.
#include <string_view>

namespace bridle::agent {

std::string_view @function@();
std::string_view @function@() {
  return R"TEXT(@text@)TEXT";
}

}  // namespace bridle::agent
]] @ONLY)
  target_sources(${target} PRIVATE ${out})
endfunction()
