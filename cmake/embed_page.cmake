# Embeds browser/page/js/*.js, in name order, as one script: bridle_page_script() in browser/page/page_script.h.
function(bridle_embed_page target)
  file(GLOB scripts CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/browser/page/js/*.js)
  list(SORT scripts)
  set(out ${CMAKE_BINARY_DIR}/generated/page_script.cpp)
  add_custom_command(
    OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} "-DSCRIPTS=${scripts}" -DOUT=${out} -P ${CMAKE_SOURCE_DIR}/cmake/embed_page_script.cmake
    DEPENDS ${scripts} ${CMAKE_SOURCE_DIR}/cmake/embed_page_script.cmake
    VERBATIM)
  target_sources(${target} PRIVATE ${out})
endfunction()
