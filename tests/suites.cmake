# The suites that ./test runs, as CTest's tests: those labelled `plain`, and with --all those labelled `slow` too. Each
# prints what it has counted, as Catch2 does or as `N passed, N failed`; tests/summary.mjs adds that up. Three run at once,
# nothing beside a build.
set(BRIDLE_SUITE ${CMAKE_SOURCE_DIR}/scripts/suite.sh)

# bridle_suite(NAME LABEL COST COMMAND...): CTest starts the suites in the order of falling cost. Status 77: can't run here.
function(bridle_suite name label cost)
  add_test(NAME ${name} COMMAND ${ARGN} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES LABELS ${label} COST ${cost} TIMEOUT 1800 SKIP_RETURN_CODE 77)
endfunction()

# bridle_parts(KIND PARTS COST): a test program's files in parts, each a suite of its own; sets KIND_suites. There are more parts than run at
# once, so that a long one doesn't run on when the others have ended.
function(bridle_parts kind parts cost)
  file(GLOB_RECURSE files RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}/${kind} CONFIGURE_DEPENDS
    ${CMAKE_CURRENT_SOURCE_DIR}/${kind}/test_*.cpp)
  set(part 1)
  foreach(file IN LISTS files)
    get_filename_component(name ${file} NAME_WE)
    string(APPEND tags_${part} "[#${name}],") # Catch2's tag for a file, with --filenames-as-tags
    math(EXPR part "${part} % ${parts} + 1")
  endforeach()
  foreach(part RANGE 1 ${parts})
    bridle_suite(${kind}-${part} plain ${cost} bridle-test-${kind} --durations yes --filenames-as-tags ${tags_${part}})
    list(APPEND suites ${kind}-${part})
  endforeach()
  set(${kind}_suites ${suites} PARENT_SCOPE)
endfunction()

# These wait more than they work, and bound what they wait for: nothing but their like runs beside them.
bridle_suite(unit plain 99 bridle-test-unit --durations yes)
bridle_parts(wire 5 98)
# A sanitizer's or the fuzzers' tree has no more of its own.
if(BRIDLE_SANITIZE OR BRIDLE_FUZZ)
  return()
endif()

# Each waits for its Chromium more than it works.
bridle_parts(browser 6 97)
# The rest runs beside what is left of these, three at a time. clang-tidy takes only what the others leave; from nothing that is
# some 200 s of one core, so it is one of the slow ones.
bridle_suite(page plain 97 ${BRIDLE_SUITE} page) # the longest: begun last, it would end alone
bridle_suite(interop plain 95 ${BRIDLE_SUITE} interop)
bridle_suite(widgets plain 94 ${BRIDLE_SUITE} widgets)
bridle_suite(panel plain 96 ${BRIDLE_SUITE} panel)
bridle_suite(transcripts plain 93 ${BRIDLE_SUITE} transcripts)
bridle_suite(summary plain 95 ${BRIDLE_SUITE} summary)
bridle_suite(shellcheck plain 94 ${BRIDLE_SUITE} shellcheck)
bridle_suite(format plain 93 ${BRIDLE_SUITE} format)
bridle_suite(lint plain 92 ${BRIDLE_SUITE} lint)
bridle_suite(clang-tidy slow 91 ${BRIDLE_SUITE} clang_tidy)

set_tests_properties(${browser_suites} interop page widgets panel transcripts summary shellcheck format lint clang-tidy
  PROPERTIES DEPENDS "unit;${wire_suites}")

# A build, which takes the whole machine, then the suites of what it has built. CTest would begin with the builds, as they
# depend on nothing; but what nobody waits for in vain on a slow machine are the plain suites.
foreach(sanitizer asan tsan)
  bridle_suite(${sanitizer}-build slow 50 ${BRIDLE_SUITE} build ${sanitizer} bridle-test-unit bridle-test-wire)
  foreach(suite unit wire)
    bridle_suite(${sanitizer}-${suite} slow 40 ${BRIDLE_SUITE} sanitized ${sanitizer} ${suite})
    set_tests_properties(${sanitizer}-${suite} PROPERTIES RUN_SERIAL TRUE FIXTURES_REQUIRED ${sanitizer})
  endforeach()
endforeach()
bridle_suite(fuzz-build slow 30 ${BRIDLE_SUITE} build fuzz bridle-fuzzers)
set_tests_properties(asan-build tsan-build fuzz-build PROPERTIES TIMEOUT 1800 RUN_SERIAL TRUE
  DEPENDS "${browser_suites};interop;page;widgets;panel;transcripts;summary;shellcheck;format;lint;clang-tidy")
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
