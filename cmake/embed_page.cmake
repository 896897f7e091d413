# Embeds browser/page/js/main.js and the modules that it imports as one script: bridle_page_script() in
# browser/page/world/page_script.h.
find_program(BRIDLE_AWK awk REQUIRED)
function(bridle_embed_page target)
  file(GLOB_RECURSE modules CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/browser/page/js/*.js)
  list(APPEND modules ${CMAKE_SOURCE_DIR}/base/secret_names.def)
  set(out ${CMAKE_BINARY_DIR}/generated/page_script.cpp)
  add_custom_command(
    OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} -DAWK=${BRIDLE_AWK} -DOUT=${out} -P ${CMAKE_SOURCE_DIR}/cmake/embed_page_script.cmake
    DEPENDS ${modules} ${CMAKE_SOURCE_DIR}/cmake/join_modules.awk ${CMAKE_SOURCE_DIR}/cmake/embed_page_script.cmake
    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
    VERBATIM)
  target_sources(${target} PRIVATE ${out})
endfunction()
