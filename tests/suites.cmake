# The suites that ./test runs, as CTest's tests: those labelled `plain`, and with --all those labelled `slow` too. Each
# prints what it has counted, as Catch2 does or as `N passed, N failed`; tests/summary.mjs adds that up. A suite that
# measures time never runs beside another one that does, nor beside a build.
set(BRIDLE_SUITE ${CMAKE_SOURCE_DIR}/scripts/suite.sh)

# bridle_suite(NAME LABEL COST COMMAND...): CTest starts the suites in the order of falling cost. Status 77: can't run here.
function(bridle_suite name label cost)
  add_test(NAME ${name} COMMAND ${ARGN} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES LABELS ${label} COST ${cost} TIMEOUT 900 SKIP_RETURN_CODE 77)
endfunction()

# Alone on the machine.
bridle_suite(unit plain 99 bridle-test-unit --durations yes)
bridle_suite(wire plain 98 bridle-test-wire --durations yes)
set_tests_properties(unit wire PROPERTIES RUN_SERIAL TRUE)
# A sanitizer's or the fuzzers' tree has no more of its own.
if(BRIDLE_SANITIZE OR BRIDLE_FUZZ)
  return()
endif()

# The browser suite's files, in parts three at a time: each waits for its Chromium more than it works. There are more parts
# than run at once, so that a long one doesn't run on when the others have ended.
set(parts 6)
file(GLOB_RECURSE browser_tests RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}/browser CONFIGURE_DEPENDS
  ${CMAKE_CURRENT_SOURCE_DIR}/browser/test_*.cpp)
set(part 1)
foreach(file IN LISTS browser_tests)
  get_filename_component(name ${file} NAME_WE)
  string(APPEND browser_part_${part} "[#${name}],") # Catch2's tag for a file, with --filenames-as-tags
  math(EXPR part "${part} % ${parts} + 1")
endforeach()
foreach(part RANGE 1 ${parts})
  bridle_suite(browser-${part} plain 97 bridle-test-browser --durations yes --filenames-as-tags ${browser_part_${part}})
endforeach()
# The rest runs beside what is left of these, three at a time. clang-tidy takes only what the others leave; from nothing that is
# some 200 s of one core, so it is one of the slow ones.
bridle_suite(interop plain 95 ${BRIDLE_SUITE} interop)
bridle_suite(page plain 94 ${BRIDLE_SUITE} page)
bridle_suite(widgets plain 94 ${BRIDLE_SUITE} widgets)
bridle_suite(panel plain 96 ${BRIDLE_SUITE} panel)
bridle_suite(transcripts plain 93 ${BRIDLE_SUITE} transcripts)
bridle_suite(summary plain 95 ${BRIDLE_SUITE} summary)
bridle_suite(shellcheck plain 94 ${BRIDLE_SUITE} shellcheck)
bridle_suite(format plain 93 ${BRIDLE_SUITE} format)
if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/lint/run.mjs)
  bridle_suite(lint plain 92 ${BRIDLE_SUITE} lint)
endif()
bridle_suite(clang-tidy slow 91 ${BRIDLE_SUITE} clang_tidy)

# A build, which takes the whole machine, then the suites of what it has built.
foreach(sanitizer asan tsan)
  bridle_suite(${sanitizer}-build slow 50 ${BRIDLE_SUITE} build ${sanitizer} bridle-test-unit bridle-test-wire)
  foreach(suite unit wire)
    bridle_suite(${sanitizer}-${suite} slow 40 ${BRIDLE_SUITE} sanitized ${sanitizer} ${suite})
    set_tests_properties(${sanitizer}-${suite} PROPERTIES RUN_SERIAL TRUE FIXTURES_REQUIRED ${sanitizer})
  endforeach()
endforeach()
bridle_suite(fuzz-build slow 30 ${BRIDLE_SUITE} build fuzz bridle-fuzzers)
set_tests_properties(asan-build tsan-build fuzz-build PROPERTIES TIMEOUT 1800 RUN_SERIAL TRUE)
foreach(build asan tsan fuzz)
  set_tests_properties(${build}-build PROPERTIES FIXTURES_SETUP ${build})
endforeach()
file(GLOB fuzzers CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/fuzz_*.cpp)
foreach(fuzzer IN LISTS fuzzers)
  get_filename_component(name ${fuzzer} NAME_WE)
  string(REPLACE fuzz_ "" name ${name})
  bridle_suite(fuzz-${name} slow 20 ${BRIDLE_SUITE} fuzz ${name})
  set_tests_properties(fuzz-${name} PROPERTIES FIXTURES_REQUIRED fuzz)
endforeach()

# What the plain suites run.
add_custom_target(bridle-suites
  DEPENDS bridle bridle-testing bridle-site bridle-test-unit bridle-test-wire bridle-test-browser)
