# Embeds the text files of one folder: bridle_embed_files(target folder), which defines the page_files() of
# server/panel/page_files.h. Its app.js is joined with the modules that it imports (join_modules.awk); those that it
# loads later stay files of their own.
function(bridle_embed_files target folder)
  file(GLOB files CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}/${folder} ${CMAKE_SOURCE_DIR}/${folder}/*.html
       ${CMAKE_SOURCE_DIR}/${folder}/*.css ${CMAKE_SOURCE_DIR}/${folder}/*.js ${CMAKE_SOURCE_DIR}/${folder}/*.svg)
  list(SORT files)
  foreach(file IN LISTS files)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${folder}/${file})
  endforeach()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/cmake/join_modules.awk)

  set(modules ${files})
  list(FILTER modules INCLUDE REGEX "\\.js$")
  list(FILTER files EXCLUDE REGEX "\\.js$")
  list(TRANSFORM modules PREPEND ${folder}/)
  set(joined ${CMAKE_BINARY_DIR}/generated/panel_page)
  file(REMOVE_RECURSE ${joined})
  file(MAKE_DIRECTORY ${joined})
  execute_process(
    COMMAND ${BRIDLE_AWK} -v to=${joined} -f cmake/join_modules.awk ${folder}/app.js ${modules}
    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
    RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "the modules of ${folder} can't be joined")
  endif()
  file(GLOB scripts RELATIVE ${joined} ${joined}/*.js)
  list(SORT scripts)

  set(rows "")
  foreach(file IN LISTS files scripts)
    if(file MATCHES "\\.js$")
      file(READ ${joined}/${file} text)
    else()
      file(READ ${CMAKE_SOURCE_DIR}/${folder}/${file} text)
    endif()
    # Lighter by its indentation and empty lines, and in a sheet by comments and by blanks around what needs none.
    string(REGEX REPLACE "\n[ \t]+" "\n" text "${text}")
    if(file MATCHES "\\.css$")
      string(REGEX REPLACE "/\\*[^*]*\\*/" "" text "${text}")
      string(REGEX REPLACE "\n([a-z-]+): " "\n\\1:" text "${text}")
      string(REGEX REPLACE " {\n" "{" text "${text}")
      string(REGEX REPLACE ";\n+}\n" "}\n" text "${text}")
      string(REGEX REPLACE ";\n+" ";" text "${text}")
      string(REGEX REPLACE ",\n" "," text "${text}")
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
