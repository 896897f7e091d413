#!/usr/bin/env bash
# scripts/suite.sh NAME [argument...]: one suite that is no Catch2 program, as CTest runs it (tests/suites.cmake). Ends with
# `N passed, N failed`, or with status 77 and a word on why it can't run here. `modules` loads the npm packages.
set -euo pipefail
# shellcheck source=scripts/setup.sh
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/setup.sh"
cd "$root"

tree=build/test
clang_version=14 # whose layout and whose checks hold here; another version's differ
fuzz_seconds=10

passed() { echo "1 passed, 0 failed"; }
skip() {
  echo "skipped: $*"
  exit 77
}
# clang-tidy and a slow build don't begin once the time that ./test --all has for that is over: on a machine that takes so long a run would
# be ended from outside, and nothing of it be known. What was built in this run is run.
in_time() {
  local since=${slow_suites_since:-$(date +%s)}
  [ $(($(date +%s) - since)) -le $((60 * slow_minutes)) ] || skip "$slow_suites_late"
}
slow_minutes=45
slow_suites_late="./test --all begins no slow build after $slow_minutes minutes"
built() {
  local at
  at=$(stat -c %Y "build/$1/.built" 2>/dev/null || echo 0)
  [ "$at" -ge "${slow_suites_since:-0}" ] || skip "$slow_suites_late"
}
major() { "$1" --version | sed -n 's/.*version \([0-9]*\).*/\1/p' | head -n 1; }
need_version() {
  local found
  found=$(major "$1")
  [ "$found" = "$clang_version" ] || skip "$1 is version $found here, and version $clang_version decides"
}

# What the lock file of each folder names; npm runs only when that has changed.
modules() {
  local folder
  for folder in tests/interop tests/lint tests/panel tests/widgets; do
    [ -e "$folder/package-lock.json" ] || continue
    cmp -s "$folder/package-lock.json" "$folder/node_modules/.installed" && continue
    (cd "$folder" && npm ci --no-audit --no-fund --ignore-scripts)
    cp "$folder/package-lock.json" "$folder/node_modules/.installed"
  done
}

# Some of the clients, and the conformance suite, need a newer Node than the system's: it is among the packages.
packaged_node() {
  local packaged
  packaged=$(echo tests/interop/node_modules/node-linux-*/bin/node)
  if [ -x "$packaged" ]; then echo "$packaged"; else echo node; fi
}

interop() {
  modules
  exec "$(packaged_node)" tests/interop/run.mjs \
    --bridle "$tree/bridle" --testing "$tree/tests/bridle-testing" --site "$tree/tests/bridle-site" "$@"
}

# Of what ./test itself counts by, and of what it runs again.
summary() { exec node tests/summary_test.mjs; }

page() { exec node tests/page/run.mjs "$@"; }

widgets() {
  modules
  exec node tests/widgets/run.mjs --bridle "$tree/bridle" "$@"
}

panel() {
  modules
  exec "$(packaged_node)" tests/panel/run.mjs --bridle "$tree/bridle" --testing "$tree/tests/bridle-testing" "$@"
}

transcripts() { exec node tests/transcripts/run.mjs --bridle "$tree/bridle" "$@"; }

lint() {
  modules
  exec "$(packaged_node)" tests/lint/run.mjs
}

shellcheck() {
  command shellcheck -x run test .ci/run scripts/*.sh
  passed
}

format() {
  need_version clang-format
  find base config browser tools server tests bench -name node_modules -prune -o \( -name '*.h' -o -name '*.cpp' \) -print0 |
    xargs -0 clang-format --dry-run -Werror
  passed
}

# tidy_chunk FILE: clang-tidy on a file that includes some of the sources, which parses their headers once. Where two of them
# use one name, that doesn't compile, and they are looked at one by one. What has passed is not looked at again until one
# of its files has changed.
tidy_chunk() {
  local chunk=$1 flags sources
  sha256sum --status -c "$chunk.passed" 2>/dev/null && return 0
  read -r -a flags <"$tree/tidy/flags"
  if ! clang-tidy --quiet "$chunk" -- "${flags[@]}" >"$chunk.log" 2>&1; then
    if grep -q 'clang-diagnostic-error' "$chunk.log"; then
      mapfile -t sources < <(sed 's/#include "\(.*\)"/\1/' "$chunk")
      clang-tidy --quiet "${sources[@]}" -- "${flags[@]}" >"$chunk.log" 2>&1
    else
      false
    fi || {
      grep -v 'warnings generated\|^Suppressed' "$chunk.log"
      return 1
    }
  fi
  clang++ "${flags[@]}" -MM "$chunk" | grep -o '/[^ ]*\.\(cpp\|h\)' | sort -u |
    xargs sha256sum .clang-tidy >"$chunk.passed"
}

# clang-tidy over the product's sources, a dozen in one, with what processor time others leave; -Wthread-safety with it.
clang_tidy() {
  local sources chunks i idle=(nice -n 19)
  in_time
  need_version clang-tidy
  mapfile -t sources < <(find "$root"/{base,config,browser,tools,server} -name '*.cpp' | sort)
  chunks=$((${#sources[@]} / 12 + 1))
  mkdir -p "$tree/tidy"
  # shellcheck disable=SC2046
  echo -std=c++2b "-I$root" "-I$root/$tree/generated" '-DBRIDLE_VERSION=""' -Wno-everything -Wthread-safety \
    $(pkg-config --cflags spdlog cpp-httplib libcurl) >"$tree/tidy/flags.new"
  cmp -s "$tree/tidy/flags.new" "$tree/tidy/flags" || rm -f "$tree"/tidy/*.passed
  mv "$tree/tidy/flags.new" "$tree/tidy/flags"
  # Neighbours go into different chunks: they are the likeliest to use one name for two things.
  for ((i = 0; i < chunks; i++)); do
    printf '%s\n' "${sources[@]}" | awk "NR % $chunks == $i {print \"#include \\\"\" \$0 \"\\\"\"}" >"$tree/tidy/$i.new"
    cmp -s "$tree/tidy/$i.new" "$tree/tidy/$i.cpp" || cp "$tree/tidy/$i.new" "$tree/tidy/$i.cpp"
  done
  if chrt --idle 0 true 2>/dev/null; then idle=(chrt --idle 0); fi
  seq 0 $((chunks - 1)) |
    "${idle[@]}" xargs -P "$(nproc)" -I{} "$root/scripts/suite.sh" tidy_chunk "$root/$tree/tidy/{}.cpp"
  passed
}

# build PRESET TARGET...: unoptimised, as the compilers take most of the time; frames and lines of a report stay readable.
build() {
  local preset=$1
  in_time
  shift
  build_tree "build/$preset" "$*" --preset "$preset" '-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O0 -g1'
  touch "build/$preset/.built"
}

sanitized() {
  built "$1"
  exec "build/$1/tests/bridle-test-$2" --durations yes "${@:3}"
}

fuzz() {
  built fuzz
  mkdir -p build/fuzz/findings "build/fuzz/corpus/$1"
  # libFuzzer's own code for a finding is 77, which here means that a suite can't run.
  "build/fuzz/tests/bridle-fuzz_$1" "-max_total_time=$fuzz_seconds" -timeout=10 -error_exitcode=1 -timeout_exitcode=1 \
    -artifact_prefix=build/fuzz/findings/ \
    "build/fuzz/corpus/$1" "tests/fuzz/corpus/$1"
  passed
}

"$@"
