#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "tests/support/catch.h"

// The house rules that a compiler doesn't check, over the source tree itself (docs/architecture.md, "The house")
// [cancel.callers].
namespace fs = std::filesystem;

namespace {

struct SourceFile {
  std::string name;  // relative to the source tree
  std::vector<std::string> lines;
};

std::vector<SourceFile> sources_below(const std::vector<std::string>& folders) {
  const fs::path root = BRIDLE_SOURCE_DIR;
  std::vector<SourceFile> files;
  for (const auto& folder : folders) {
    if (!fs::exists(root / folder)) continue;
    const fs::recursive_directory_iterator all(root / folder);
    for (auto at = begin(all); at != end(all); ++at) {
      const auto& item = *at;
      if (item.path().filename() == "node_modules") at.disable_recursion_pending();  // not ours
      const auto extension = item.path().extension();
      if (!item.is_regular_file() || (extension != ".cpp" && extension != ".h")) continue;
      SourceFile file{fs::relative(item.path(), root).generic_string(), {}};
      std::ifstream in(item.path());
      for (std::string line; std::getline(in, line);) file.lines.push_back(line);
      files.push_back(std::move(file));
    }
  }
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return files;
}

const std::vector<std::string> kLayers{"base", "config", "browser", "tools",
                                       "server"};  // each may include those before it
const std::vector<std::string> kAll{"base", "config", "browser", "tools", "server", "tests", "bench"};

std::string folder_of(const std::string& name) { return name.substr(0, name.find('/')); }

// What a line includes: `base/concurrency/abort.h` of #include "base/concurrency/abort.h", `curl/curl.h` of #include
// <curl/curl.h>.
std::string included(const std::string& line) {
  static const std::regex include(R"(^\s*#\s*include\s*[<"]([^>"]+)[>"].*)");
  if (line.find('#') == std::string::npos) return {};  // nearly every line: spares it the regular expression
  std::smatch match;
  return std::regex_match(line, match, include) ? match[1].str() : std::string();
}

// The line without what its strings hold and without a // comment.
std::string code_of(const std::string& line) {
  static const std::regex string(R"re("(\\.|[^"\\])*")re");
  const std::string bare = line.find('"') == std::string::npos ? line : std::regex_replace(line, string, "\"\"");
  return bare.substr(0, bare.find("//"));
}

std::vector<std::string> files_including(const std::string& header) {
  std::vector<std::string> names;
  for (const auto& file : sources_below(kAll)) {
    const bool includes = std::any_of(file.lines.begin(), file.lines.end(),
                                      [&header](const std::string& line) { return included(line) == header; });
    if (includes) names.push_back(file.name);
  }
  return names;
}

// "file:line: text" of each line of code that matches.
// `word` is in each match: looking for it first spares the regular expression nearly all lines.
std::vector<std::string> lines_matching(const std::vector<SourceFile>& files, const std::string& word,
                                        const std::regex& pattern) {
  std::vector<std::string> hits;
  for (const auto& file : files) {
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      if (file.lines[i].find(word) == std::string::npos) continue;
      if (!std::regex_search(code_of(file.lines[i]), pattern)) continue;
      hits.push_back(file.name + ":" + std::to_string(i + 1) + ": " + file.lines[i]);
    }
  }
  return hits;
}

}  // namespace

TEST_CASE("the tree is there to be looked at", "[layers]") {
  CHECK(sources_below({"base"}).size() > 5);
  CHECK(included("#include \"base/concurrency/abort.h\"  // why") == "base/concurrency/abort.h");
  CHECK(included("  #  include <curl/curl.h>") == "curl/curl.h");
  CHECK(included("// #include <httplib.h>").empty());
  CHECK(code_of("a(\"b // \\\" c\"); // d") == "a(\"\"); ");
}

TEST_CASE("includes go base <- config <- browser <- tools <- server, never upward", "[layers]") {
  std::vector<std::string> upward;
  for (const auto& file : sources_below(kLayers)) {
    const auto own = std::find(kLayers.begin(), kLayers.end(), folder_of(file.name));
    for (const auto& line : file.lines) {
      const auto what = included(line);
      const auto theirs = std::find(kLayers.begin(), kLayers.end(), folder_of(what));
      if (what.find('/') == std::string::npos) continue;
      if ((theirs != kLayers.end() && theirs > own) || folder_of(what) == "tests") {
        upward.push_back(file.name + " includes " + what);
      }
    }
  }
  CHECK(upward == std::vector<std::string>{});
}

// "a/b" of a/b/c.h, "a" of a/c.h: the room that a file is in.
std::string room_of(const std::string& name) {
  const auto end = name.rfind('/');
  return end == std::string::npos ? std::string() : name.substr(0, end);
}

TEST_CASE("the rooms of one floor include each other in one direction", "[layers]") {
  // Each room with the rooms of its own floor that it may include, besides itself.
  const std::map<std::string, std::set<std::string>> rooms{
      {"browser/cdp", {}},
      {"browser/emulation", {"browser/cdp"}},
      {"browser/routes", {"browser/cdp"}},
      {"browser/tab/extra", {}},
      {"browser/tab/gates", {"browser/cdp", "browser/tab"}},
      {"browser/tab", {"browser/cdp", "browser/emulation", "browser/tab/extra", "browser/tab/gates", "browser/routes"}},
      {"browser/page/world", {"browser/cdp", "browser/tab"}},
      {"browser/page", {"browser/cdp", "browser/tab", "browser/page/world"}},
      {"browser/page/input", {"browser/cdp", "browser/tab", "browser/page/world", "browser/page"}},
      {"browser/proxy", {}},
      {"browser/chromium", {"browser/cdp", "browser/emulation", "browser/routes", "browser/tab", "browser/proxy"}},
      {"browser/storage", {"browser/cdp", "browser/tab", "browser/chromium"}},
      {"tools/contract", {}},
      {"tools/files", {"tools/contract"}},
      {"tools/files/downloads", {"tools/contract", "tools/files"}},
      {"tools/scope/text", {}},
      {"tools/scope", {"tools/contract", "tools/files", "tools/files/downloads", "tools/scope/text"}},
      {"tools/resources", {"tools/contract"}},
      {"tools/core", {"tools/contract", "tools/files", "tools/files/downloads", "tools/scope", "tools/scope/text"}},
      {"tools/network", {"tools/contract", "tools/files", "tools/scope", "tools/scope/text"}},
      {"tools/emulation", {"tools/contract", "tools/files", "tools/scope"}},
      {"tools/devtools/video", {"tools/contract", "tools/files", "tools/scope"}},
      {"tools/panel", {"tools/contract", "tools/files", "tools/scope"}},
      {"tools/webmcp", {"tools/contract", "tools/files", "tools/scope"}},
      {"tools/sets", {"tools/contract", "tools/files", "tools/scope"}},
      {"tools/storage", {"tools/contract", "tools/files", "tools/scope"}},
      {"tools/testing", {"tools/contract", "tools/files", "tools/scope"}},
      {"tools/devtools/parse", {}},
      {"tools/devtools", {"tools/contract", "tools/files", "tools/scope", "tools/devtools/parse"}},
  };
  std::vector<std::string> wrong;
  for (const auto& file : sources_below({"browser", "tools"})) {
    const auto room = rooms.find(room_of(file.name));
    if (room == rooms.end()) continue;  // the floor's own files wire its rooms together
    for (const auto& line : file.lines) {
      const auto theirs = room_of(included(line));
      if (folder_of(theirs) != folder_of(room->first) || theirs == room->first) continue;
      if (!room->second.contains(theirs)) wrong.push_back(file.name + " includes " + included(line));
    }
  }
  CHECK(wrong == std::vector<std::string>{});
}

// They are guarded by a tab's lock: all others get values from Tab.
TEST_CASE("a tab's trackers are seen in browser/tab alone", "[layers]") {
  const std::set<std::string> inner{"tab_view",    "navigation_tracker", "dialog_gate",       "frame_tracker",
                                    "network_log", "console_log",        "file_chooser_gate", "drag_gate"};
  std::vector<std::string> wrong;
  for (const auto& file : sources_below(kLayers)) {
    if (room_of(file.name).starts_with("browser/tab")) continue;
    for (const auto& line : file.lines) {
      const auto what = included(line);
      if (room_of(what).starts_with("browser/tab") && inner.contains(fs::path(what).stem().string()))
        wrong.push_back(file.name + " includes " + what);
    }
  }
  CHECK(wrong == std::vector<std::string>{});
}

TEST_CASE("a file has at most 400 lines, a folder at most 25 sources", "[layers]") {
  std::vector<std::string> wrong;
  std::map<std::string, int> folders;
  for (const auto& file : sources_below(kAll)) {
    ++folders[room_of(file.name)];
    if (file.lines.size() > 400) wrong.push_back(file.name + ": " + std::to_string(file.lines.size()) + " lines");
  }
  for (const auto& [name, count] : folders) {
    if (count > 25) wrong.push_back(name + ": " + std::to_string(count) + " sources");
  }
  CHECK(wrong == std::vector<std::string>{});
}

TEST_CASE("the tools' contract knows only base", "[layers]") {
  std::vector<std::string> wrong;
  for (const auto& file : sources_below({"tools/contract"})) {
    for (const auto& line : file.lines) {
      const auto what = included(line);
      const bool ours = std::find(kLayers.begin(), kLayers.end(), folder_of(what)) != kLayers.end();
      if (!ours || what.find('/') == std::string::npos) continue;
      if (folder_of(what) != "base" && room_of(what) != "tools/contract") wrong.push_back(file.name + ": " + line);
    }
  }
  CHECK(wrong == std::vector<std::string>{});
}

TEST_CASE("the headings of a result's sections are written in one place", "[layers] [tool.sections]") {
  std::vector<std::string> elsewhere;
  for (const auto& file : sources_below({"tools", "server"})) {
    if (file.name.starts_with("tools/contract/response.")) continue;
    for (const auto& line : file.lines) {
      if (line.find("\"### ") != std::string::npos) elsewhere.push_back(file.name + ": " + line);
    }
  }
  CHECK(elsewhere == std::vector<std::string>{});
}

TEST_CASE("server sees the tools' contract of tools and browser, but for the wiring in run_bridle.cpp and program.cpp",
          "[layers]") {
  std::vector<std::string> sideways;
  for (const auto& file : sources_below({"server"})) {
    if (file.name == "server/run_bridle.cpp" || file.name.starts_with("server/program.")) continue;
    for (const auto& line : file.lines) {
      const auto what = included(line);
      if (folder_of(what) == "browser" || (folder_of(what) == "tools" && room_of(what) != "tools/contract")) {
        sideways.push_back(file.name + ": " + line);
      }
    }
  }
  CHECK(sideways == std::vector<std::string>{});
}

TEST_CASE("a library that comes in several versions, or changes what it's included into, is known to few files",
          "[layers]") {
  // Its server writes our answers, its client asks for the command line.
  const std::vector<std::string> httplib{"server/http/client.cpp", "server/http/reply_writer.cpp"};
  CHECK(files_including("httplib.h") == httplib);
  const auto curl = files_including("curl/curl.h");
  CAPTURE(curl);
  CHECK(curl.size() <= 1);
  const std::vector<std::string> wslay{"browser/cdp/websocket_frames.cpp"};
  CHECK(files_including("wslay/wslay.h") == wslay);
  const std::vector<std::string> catch2{"tests/support/catch.h"};
  CHECK(files_including("catch2/catch.hpp") == catch2);
  CHECK(files_including("catch2/catch_all.hpp") == catch2);
}

TEST_CASE("nothing sleeps: waits are on conditions, and end with the signal", "[layers] [nav.settle]") {
  const std::regex sleeps("\\b(sleep_for|sleep_until|usleep|nanosleep|clock_nanosleep)\\s*\\(|this_thread::sleep");
  CHECK(lines_matching(sources_below(kAll), "sleep", sleeps) == std::vector<std::string>{});
}

// Of the program itself. Elsewhere the format check of ./test keeps the layout; the fixtures' pages and scripts are
// data.
TEST_CASE("no line of the program is longer than 140 columns", "[layers]") {
  std::vector<std::string> long_lines;
  for (const auto& file : sources_below({"base", "config", "browser", "tools", "server"})) {
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      // Columns, not bytes: what continues a UTF-8 character counts nothing.
      const auto columns = std::count_if(file.lines[i].begin(), file.lines[i].end(),
                                         [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
      if (columns > 140) long_lines.push_back(file.name + ":" + std::to_string(i + 1));
    }
  }
  CHECK(long_lines == std::vector<std::string>{});
}

// [cancel.callers]: abort() has few, audited callers. Before you add one here, make sure that it is one of: a
// cancel notification; the peer's disconnect, where the revision says so; session end; the request's deadline; a stop
// asked for by the user; shutdown. Never a clean-up, an error path, a closed tab or a crashed browser: those fail the
// wait with their own error.
TEST_CASE("abort() is called where it was audited, and nowhere else", "[layers] [cancel.callers]") {
  const std::vector<std::string> audited{
      "browser/chromium/host.cpp: 1",         // the browser's own end, at shutdown: its waits, no request
      "browser/storage/left_origins.cpp: 1",  // session end: of what it reads in the background, no request
      "server/calls/call_table.cpp: 1",       // every abort of a request: cancel, disconnect, stop, early cancel,
                                              // deadline
      "server/mcp/session.cpp: 1",            // session end
      "server/server.cpp: 1",                 // shutdown
      "server/task_link.cpp: 1",              // the command's end, of its own transfers
  };
  std::map<std::string, int> calls;
  const std::regex call(R"((\.|->)\s*abort\s*\()");
  for (const auto& hit : lines_matching(sources_below(kLayers), "abort", call)) ++calls[hit.substr(0, hit.find(':'))];
  std::vector<std::string> callers;
  for (const auto& [file, count] : calls) callers.push_back(file + ": " + std::to_string(count));
  CHECK(callers == audited);
}
