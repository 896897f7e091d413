# Joins the page's script, browser/page/js/main.js, with the modules that it imports into one classic script:
#   awk -f cmake/join_modules.awk browser/page/js/main.js
# Both the build (cmake/embed_page_script.cmake) and tests/page run this, so that they can't differ.
#
# With -v to=FOLDER the first module and those that it imports become one module of its name in that folder. Each other
# module that is named is loaded later, by import('./other.js'): it becomes one beside it that imports from there.
#   awk -v to=FOLDER -f cmake/join_modules.awk server/panel/page/app.js server/panel/page/*.js
# cmake/embed_files.cmake makes the control panel's files so, as a browser shows one file sooner than ten.
#
# Every module follows those that it imports. Lines of import and export go, and comment lines, blank lines and
# indentation too, as every document that is looked into gets this text. What is left shares one scope. So a module may
# only say
#   import { a, b } from './other.js';     (or import './other.js';)
#   export { a, b };                       (once, at its end)
# and each top-level name stands in a declaration of its own that begins its line. It fails, with file and reason, when
# a name is imported that isn't exported, exported that isn't declared or that nobody imports, or declared by two
# modules, and when modules import each other in a circle: then no order would evaluate them right.
# tests/page/modules.mjs shows it each of these mistakes.
#
# A file that ends in .def is a list that C++ includes too. Its lines NAME("words") become one constant of that name,
# which holds the words of all of them; its other lines are comments.

function fail(file, why) {
  print file ": " why > "/dev/stderr"
  failed = 1
}

# The path that `from` names as `path`: "browser/page/js/tree/fold.js" and "../dom/text.js" give "browser/page/js/dom/text.js".
function resolve(from, path,    parts, n, i, out, depth) {
  sub(/[^\/]*$/, "", from)
  n = split(from path, parts, "/")
  depth = 0
  for (i = 1; i <= n; i++) {
    if (parts[i] == "." || (parts[i] == "" && i > 1)) continue
    if (parts[i] == ".." && depth > 0 && out[depth] != "..") { depth--; continue }
    out[++depth] = parts[i]
  }
  path = out[1]
  for (i = 2; i <= depth; i++) path = path "/" out[i]
  return path
}

# Between the braces of an import or export: fills `names`, returns how many.
function names_in(statement, names,    n) {
  if (!match(statement, /\{[^}]*\}/)) return 0
  statement = substr(statement, RSTART + 1, RLENGTH - 2)
  gsub(/[ \t,]+/, " ", statement)
  sub(/^ /, "", statement)
  sub(/ $/, "", statement)
  n = split(statement, names, " ")
  return n
}

# Reads a list: each of its names is declared and exported.
function load_list(file,    line, name, names, n, i, text, status) {
  n = 0
  while ((status = (getline line < file)) > 0) {
    sub(/\r$/, "", line)
    if (line == "" || line ~ /^\/\//) continue
    if (line !~ /^[A-Z_]+\("[^"\\']*"\)$/) { fail(file, "write NAME(\"words\") instead of " line); continue }
    name = line
    sub(/\(.*/, "", name)
    if (!(name in list_of)) { names[++n] = name; declared_by[name] = file; exported[file, name] = 1; list_of[name] = "" }
    gsub(/^[A-Z_]+\("|"\)$/, "", line)
    list_of[name] = list_of[name] (list_of[name] == "" ? "" : " ") line
  }
  if (status < 0) fail(file, "there is no such file")
  close(file)
  text = ""
  for (i = 1; i <= n; i++) text = text "const " names[i] " = '" list_of[names[i]] "';\n"
  script = script text
  state[file] = "done"
}

# The path of a module that is joined, or read as it is; "" after a mistake.
function read_import(file, statement,    names, n, i, path) {
  if (statement !~ /^import (\{[A-Za-z0-9_$, \t]*\} from )?'\.[^']*';$/) { fail(file, "write import { names } from './file.js'; instead of " statement); return "" }
  if (statement ~ / as /) { fail(file, "an import may not be renamed: " statement); return "" }
  path = statement
  sub(/^[^']*'/, "", path)
  sub(/';$/, "", path)
  path = resolve(file, path)
  if (path in later) return path
  load(path, file)
  n = names_in(statement, names)
  for (i = 1; i <= n; i++) {
    if (!((path, names[i]) in exported)) fail(file, "imports " names[i] ", which " path " does not export")
    used[path, names[i]] = 1
    if (file in later && !(names[i] in shared)) {
      shared[names[i]] = 1
      shared_list = shared_list (shared_list == "" ? "" : ", ") names[i]
    }
  }
  return path
}

function read_export(file, statement,    names, n, i) {
  if (statement !~ /^export \{[A-Za-z0-9_$, \t]*\};$/ || statement ~ / as /) { fail(file, "write export { names }; instead of " statement); return }
  n = names_in(statement, names)
  for (i = 1; i <= n; i++) exported[file, names[i]] = 1
}

function declare(file, line,    name) {
  name = line
  sub(/^(async )?(function|class|const|let|var)[* ]+/, "", name)
  if (!match(name, /^[A-Za-z0-9_$]+/)) { fail(file, "a top-level declaration needs a name: " line); return }
  name = substr(name, 1, RLENGTH)
  if (name in declared_by) fail(file, "declares " name ", which " declared_by[name] " declares too")
  declared_by[name] = file
}

# Reads a module after those that it imports, and appends its text to `script`.
function load(file, importer,    line, statement, kind, text, status, key, part) {
  if (state[file] == "done") return
  if (state[file] == "loading") { fail(importer, "imports " file ", which imports it: a circle"); exit 1 }
  if (file ~ /\.def$/) { load_list(file); return }
  state[file] = "loading"
  text = ""
  statement = ""
  while ((status = (getline line < file)) > 0) {
    sub(/\r$/, "", line)
    if (statement == "" && line ~ /^(import|export)[ {*']/) statement = line
    else if (statement != "") { sub(/^[ \t]+/, " ", line); statement = statement line }
    if (statement != "") {
      if (statement !~ /;$/) continue
      if (statement ~ /^import/) read_import(file, statement); else read_export(file, statement)
      statement = ""
      continue
    }
    if (line ~ /^(async function|function|class|const|let|var)[* ]/) declare(file, line)
    sub(/^[ \t]+/, "", line)
    if (line == "" || line ~ /^\/\//) continue
    if (to != "") note_loads(file, line)
    text = text line "\n"
  }
  if (status < 0) fail(importer == "" ? file : importer, "there is no file " file)
  if (statement != "") fail(file, "this has no end: " statement)
  close(file)
  for (key in exported) {
    split(key, part, SUBSEP)
    if (part[1] == file && declared_by[part[2]] != file) fail(file, "exports " part[2] ", which it does not declare")
  }
  script = script text
  state[file] = "done"
}

# What a line loads later by import('./other.js').
function note_loads(file, line,    path) {
  while (match(line, /import\('\.[^']*'\)/)) {
    path = substr(line, RSTART + 8, RLENGTH - 10)
    loaded_by[resolve(file, path)] = file
    line = substr(line, RSTART + RLENGTH)
  }
}

# Writes a module that is loaded later. What it imports of the joined modules comes from the one they have become.
function copy(file, main,    line, statement, out, path, status) {
  out = to "/" base_name(file)
  statement = ""
  printf "" > out
  while ((status = (getline line < file)) > 0) {
    sub(/\r$/, "", line)
    if (statement == "" && line ~ /^import[ {*']/) statement = line
    else if (statement != "") { sub(/^[ \t]+/, " ", line); statement = statement line }
    if (statement != "") {
      if (statement !~ /;$/) continue
      path = read_import(file, statement)
      if (!(path in later)) sub(/'\.[^']*';$/, "'./" base_name(main) "';", statement)
      line = statement
      statement = ""
    }
    sub(/^[ \t]+/, "", line)
    if (line == "" || line ~ /^\/\//) continue
    note_loads(file, line)
    print line > out
  }
  if (status < 0) fail(file, "there is no such file")
  if (statement != "") fail(file, "this has no end: " statement)
  close(file)
}

function base_name(path) {
  sub(/^.*\//, "", path)
  return path
}

BEGIN {
  load(ARGV[1], "")
  for (i = 2; i < ARGC; i++) if (state[ARGV[i]] != "done") later[ARGV[i]] = 1
  for (i = 2; i < ARGC; i++) if (ARGV[i] in later) copy(ARGV[i], ARGV[1])
  for (path in loaded_by) if (!(path in later)) fail(loaded_by[path], "loads " path " later, which it imports or which isn't there")
  for (key in exported) if (!(key in used)) { split(key, part, SUBSEP); fail(part[1], "exports " part[2] ", which nobody imports") }
  if (failed) exit 1
  if (to != "") {
    printf "%s%s", script, (shared_list == "" ? "" : "export { " shared_list " };\n") > (to "/" base_name(ARGV[1]))
    exit 0
  }
  # Evaluated twice in a document it does nothing. An element with id="__bridle" is a property of window too, hence hasOwn.
  printf "(() => {\n'use strict';\nif (Object.hasOwn(globalThis, '__bridle')) return;\n%s})();\n", script
  exit 0
}
