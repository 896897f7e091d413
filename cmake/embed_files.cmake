# Embeds the text files of one folder: bridle_embed_files(target folder), which defines the page_files() of
# server/panel/page_files.h.
function(bridle_embed_files target folder)
  file(GLOB files CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}/${folder} ${CMAKE_SOURCE_DIR}/${folder}/*.html
       ${CMAKE_SOURCE_DIR}/${folder}/*.css ${CMAKE_SOURCE_DIR}/${folder}/*.js ${CMAKE_SOURCE_DIR}/${folder}/*.svg)
  list(SORT files)
  set(rows "")
  foreach(file IN LISTS files)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${folder}/${file})
    file(READ ${CMAKE_SOURCE_DIR}/${folder}/${file} text)
    # Lighter by its indentation, empty lines and, in a script, lines of comment alone.
    string(REGEX REPLACE "\n[ \t]+" "\n" text "${text}")
    if(file MATCHES "\\.js$")
      string(REGEX REPLACE "\n//[^\n]*" "" text "${text}")
    endif()
    string(REGEX REPLACE "\n\n+" "\n" text "${text}")
    string(APPEND rows "      {\"${file}\", R\"EMBED(${text})EMBED\"},\n")
  endforeach()
  set(out ${CMAKE_BINARY_DIR}/generated/panel_page_files.cpp)
  file(CONFIGURE OUTPUT ${out} CONTENT [[// Made from @folder@ by the build.
#include "server/panel/page_files.h"

namespace bridle::panel {

const std::vector<PageFile>& page_files() {
  static const std::vector<PageFile> kFiles{
@rows@  };
  return kFiles;
}

}  // namespace bridle::panel
]] @ONLY)
  target_sources(${target} PRIVATE ${out})
endfunction()
