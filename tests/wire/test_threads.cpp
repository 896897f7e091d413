// The table of threads in docs/architecture.md against a running server.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "tests/site/site_server.h"
#include "tests/support/catch.h"
#include "tests/wire/support/bridle_process.h"
#include "tests/wire/support/mcp_client.h"
#include "tests/wire/support/raw_client.h"

using namespace bridle;
using namespace bridle::wire;

namespace {

std::string cell(std::istringstream& row) {
  std::string text;
  std::getline(row, text, '|');
  std::erase(text, '`');
  const auto first = text.find_first_not_of(' ');
  const auto last = text.find_last_not_of(' ');
  return first == std::string::npos ? std::string() : text.substr(first, last - first + 1);
}

// The rows of the section "Threads": name, and how many.
std::map<std::string, std::string> documented_threads() {
  std::ifstream document(std::string(BRIDLE_SOURCE_DIR) + "/docs/architecture.md");
  std::map<std::string, std::string> threads;
  bool here = false;
  for (std::string line; std::getline(document, line);) {
    if (line.starts_with("## ")) here = line == "## Threads";
    if (!here || !line.starts_with("| `")) continue;
    std::istringstream row(line.substr(1));
    const std::string name = cell(row);
    threads[name] = cell(row);
  }
  return threads;
}

std::map<std::string, long> threads_of(pid_t pid) {
  std::map<std::string, long> threads;
  std::error_code ec;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/task", ec)) {
    std::ifstream file(entry.path() / "comm");
    std::string name;
    if (std::getline(file, name)) ++threads[name];
  }
  return threads;
}

// ThreadSanitizer has a thread of its own, which bears the program's name.
#if defined(__SANITIZE_THREAD__)
constexpr long kSanitizerThreads = 1;
#else
constexpr long kSanitizerThreads = 0;
#endif

// Whether so many threads are what the table says: "1", "0 or 1", or anything for the elastic ones.
bool fits(const std::string& how_many, long count) {
  if (how_many == "1") return count == 1;
  if (how_many == "0 or 1") return count <= 1;
  return true;
}

std::string listed(const std::map<std::string, long>& threads) {
  std::string text;
  for (const auto& [name, count] : threads) text += name + " " + std::to_string(count) + "\n";
  return text;
}

}  // namespace

TEST_CASE("threads: a running server has those of the table in docs/architecture.md, and no others") {
  const auto documented = documented_threads();
  REQUIRE(documented.size() >= 10);
  const TempDir tmp;
  site::SiteServer site;
  BridleProcess bridle(tmp, {"--port", "0"});
  McpClient client(bridle.port());
  client.open();
  CHECK_FALSE(client.call("first", "browser_navigate", {{"url", site.url("/plain")}}).is_error_result());
  std::vector<std::unique_ptr<Exchange>> calls;
  for (const char* id : {"a", "b", "c"}) {
    calls.push_back(client.start(client.call_request(id, "browser_navigate", {{"url", site.url("/never")}})));
  }
  REQUIRE(site.wait_for_request("/never", kPatience));
  constexpr long kIdle = 5;
  std::vector<std::unique_ptr<RawClient>> idle;
  for (long i = 0; i < kIdle; ++i) idle.push_back(std::make_unique<RawClient>(bridle.port()));

  // A thread bears its maker's name for the moment before it gives itself its own, so the picture is taken until it
  // holds.
  std::map<std::string, long> threads;
  const bool holds = eventually([&] {
    threads = threads_of(bridle.pid());
    threads["bridle"] -= kSanitizerThreads;
    const bool all_known = std::all_of(threads.begin(), threads.end(), [&](const auto& thread) {
      const auto row = documented.find(thread.first);
      return row != documented.end() && fits(row->second, thread.second);
    });
    const bool all_there = std::all_of(documented.begin(), documented.end(), [&](const auto& row) {
      return row.second != "1" || threads.contains(row.first);
    });
    return all_known && all_there && threads["bridle-call"] >= 3 && threads["bridle-conn"] >= kIdle + 3;
  });
  INFO(listed(threads));
  CHECK(holds);
  CHECK(threads["bridle-cdp"] == 1);
  CHECK(threads["bridle-call"] <= 4);
  CHECK(threads["bridle-conn"] <= kIdle + 3 + 16);
}
