#include "tests/site/site_server.h"
#include "tests/support/catch.h"
#include "tests/support/stopwatch.h"
#include "tests/wire/support/bridle_process.h"
#include "tests/wire/support/mcp_client.h"
#include "tests/wire/support/served.h"

using namespace bridle;
using namespace bridle::wire;

using bridle::testing::Stopwatch;

namespace {

// A browser with a page, and a navigation that hangs.
std::unique_ptr<Exchange> start_hanging(McpClient& client, const site::SiteServer& site) {
  client.open();
  const auto answer = client.call("first", "browser_navigate", {{"url", site.url("/plain")}});
  INFO(answer.text());
  REQUIRE_FALSE(answer.is_error_result());
  auto call =
      client.start(client.call_request("hangs", "browser_navigate", {{"url", site.url("/never")}, {"timeout", 60000}}));
  REQUIRE(site.wait_for_request("/never", kPatience));
  return call;
}

}  // namespace

TEST_CASE("SIGTERM: calls are told, exit code 0 within 5 s, no browser and no profile left",
          "[cancel.shutdown] [tool.cli.ready]") {
  const TempDir tmp;
  site::SiteServer site;
  BridleProcess bridle(tmp, in_chromium({"--port", "0"}));
  McpClient client(bridle.port());
  auto call = start_hanging(client, site);
  CHECK(tmp.profiles() == 1);
  CHECK(tmp.browsers() > 0);
  const Stopwatch before;
  bridle.signal(SIGTERM);
  const auto messages = call->all_messages();
  REQUIRE(messages.size() == 1);
  CHECK(messages[0].contains("error"));
  CHECK(bridle.wait(kPatience) == 0);
  CHECK(before.waited() < Millis(5000));
  CHECK(site.wait_for_hangup("/never", kPatience).has_value());
  CHECK(tmp.profiles() == 0);
  CHECK(tmp.browsers() == 0);
}

TEST_CASE("SIGKILL: the browser dies with bridle; the next start sweeps its profile, and leaves those in use alone",
          "[cancel.shutdown.nothing-left]") {
  const TempDir tmp;
  site::SiteServer site;
  BridleProcess living(tmp, in_chromium({"--port", "0"}));
  McpClient other(living.port());
  other.open();
  CHECK_FALSE(other.call(1, "browser_navigate", {{"url", site.url("/plain")}}).is_error_result());
  {
    BridleProcess killed(tmp, in_chromium({"--port", "0"}));
    McpClient client(killed.port());
    auto call = start_hanging(client, site);
    CHECK(tmp.profiles() == 2);
    killed.signal(SIGKILL);
    CHECK(killed.wait(kPatience) == 128 + SIGKILL);
    CHECK(site.wait_for_hangup("/never", kPatience).has_value());
  }
  BridleProcess next(tmp, in_chromium({"--port", "0"}));
  next.port();
  CHECK(eventually([&] { return tmp.profiles() == 1; }));
  CHECK_FALSE(other.call(2, "browser_navigate", {{"url", site.url("/plain?still")}}).is_error_result());
  CHECK(tmp.profiles() == 1);
  living.signal(SIGTERM);
  CHECK(living.wait(kPatience) == 0);
  CHECK(eventually([&] { return tmp.browsers() == 0; }));
  CHECK(tmp.profiles() == 0);
}

TEST_CASE("shutdown with a tool that ignores its signal: warned of at 3 s, exit code not 0 within 10 s, nothing left",
          "[cancel.shutdown.ignored]") {
  const TempDir tmp;
  site::SiteServer site;
  BridleProcess bridle(tmp, in_chromium({"--port", "0", "--test-tools"}), BRIDLE_TESTING_BINARY);
  McpClient client(bridle.port());
  client.open();
  CHECK_FALSE(client.call(1, "browser_navigate", {{"url", site.url("/plain")}}).is_error_result());
  auto call = client.start(client.call_request(2, "test_ignore_abort", {{"seconds", 120}}));
  REQUIRE(eventually(
      [&] { return client.http("GET", "/status", "", {}).reply.body.find("\"running\"") != std::string::npos; }));
  const Stopwatch since_signal;
  bridle.signal(SIGTERM);
  const int code = bridle.wait(kPatience);
  CHECK(since_signal.waited() < Millis(10'000));
  CHECK(code > 0);
  CHECK(code < 128);
  CHECK(bridle.errors().find("Tool \"test_ignore_abort\" did not respond to abort signal within 3s.") !=
        std::string::npos);
  CHECK(eventually([&] { return tmp.browsers() == 0; }));
  CHECK(tmp.profiles() == 0);
}

TEST_CASE("a second signal ends it within 1 s", "[cancel.shutdown.second-signal]") {
  const TempDir tmp;
  BridleProcess bridle(tmp, {"--port", "0", "--test-tools"}, BRIDLE_TESTING_BINARY);
  McpClient client(bridle.port());
  client.open();
  auto call = client.start(client.call_request(2, "test_ignore_abort", {{"seconds", 120}}));
  REQUIRE(eventually(
      [&] { return client.http("GET", "/status", "", {}).reply.body.find("\"running\"") != std::string::npos; }));
  bridle.signal(SIGINT);
  REQUIRE(eventually([&] { return bridle.errors().find("shutting down") != std::string::npos; }));
  const Stopwatch second;
  bridle.signal(SIGINT);
  CHECK(bridle.wait(kPatience) > 0);
  CHECK(second.waited() < Millis(1000));
}

TEST_CASE("a port that is taken: a clear line and exit code 1", "[tool.cli.ready]") {
  const TempDir tmp;
  BridleProcess first(tmp, {"--port", "0"});
  BridleProcess second(tmp, {"--port", std::to_string(first.port())});
  CHECK(second.wait(kPatience) == 1);
  CHECK(second.errors().find("--port") != std::string::npos);
  CHECK(second.all_output().empty());
}

TEST_CASE("at its start it says on stderr how clients connect; on stdout stands one line") {
  const TempDir tmp;
  BridleProcess bridle(tmp, {"--port", "0"});
  const std::string url = "http://127.0.0.1:" + std::to_string(bridle.port()) + "/mcp";
  CHECK(eventually([&] { return bridle.errors().find("transport http bridle " + url + "\n") != std::string::npos; }));
  bridle.signal(SIGTERM);
  CHECK(bridle.wait(kPatience) == 0);
  CHECK(bridle.all_output() == "bridle listening on " + url + "\n");
}

TEST_CASE("bridle status and bridle stop find the server by --port", "[cancel.status.command]") {
  const TempDir tmp;
  BridleProcess bridle(tmp, {"--port", "0", "--test-tools"}, BRIDLE_TESTING_BINARY);
  const auto port = std::to_string(bridle.port());
  McpClient client(bridle.port());
  client.open();
  auto call = client.start(client.call_request("the one", "test_sleep", {{"seconds", 120}}));
  REQUIRE(eventually(
      [&] { return client.http("GET", "/status", "", {}).reply.body.find("\"running\"") != std::string::npos; }));
  BridleProcess status(tmp, {"status", "--port", port});
  CHECK(status.all_output().find("test_sleep") != std::string::npos);
  CHECK(status.wait(kPatience) == 0);
  BridleProcess stop(tmp, {"stop", "--port", port});
  CHECK_FALSE(stop.all_output().empty());
  CHECK(stop.wait(kPatience) == 0);
  const auto messages = call->all_messages();
  REQUIRE(messages.size() == 1);
  CHECK(messages[0].at("result").at("isError") == true);
}

TEST_CASE("a killed browser: the call ends with an error that names it, and a new one comes by the second call",
          "[cancel.states.crash]") {
  const TempDir tmp;
  site::SiteServer site;
  BridleProcess bridle(tmp, in_chromium({"--port", "0"}));
  McpClient client(bridle.port());
  auto call = start_hanging(client, site);
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::ifstream file(entry.path() / "cmdline", std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    const bool browser = text.str().find("--user-data-dir=" + tmp.path()) != std::string::npos &&
                         text.str().find("--type=") == std::string::npos;
    if (browser) ::kill(std::atoi(entry.path().filename().c_str()), SIGKILL);
  }
  const Stopwatch before;
  const auto messages = call->all_messages();
  CHECK(before.waited() < Millis(2500));
  REQUIRE(messages.size() == 1);
  CHECK(messages[0].at("result").at("isError") == true);
  CHECK(messages[0].dump().find("browser") != std::string::npos);
  const auto first = client.call(1, "browser_navigate", {{"url", site.url("/plain")}});
  const auto second = client.call(2, "browser_navigate", {{"url", site.url("/plain")}});
  CHECK_FALSE(second.is_error_result());
  CHECK(eventually([&] { return tmp.profiles() == 1; }));
  const auto status = Json::parse(client.http("GET", "/status", "", {}).reply.body);
  CHECK(status.at("counters").at("aborted_total") == 0);
}

TEST_CASE("it takes as many descriptors as it may, whatever the shell that starts it has left it with", "[wire.load]") {
  const TempDir tmp;
  FileLimit files;
  files.set(256);
  BridleProcess bridle(tmp, {"--port", "0"});
  files.set(RLIM_INFINITY);
  bridle.port();
  std::ifstream limits("/proc/" + std::to_string(bridle.pid()) + "/limits");
  std::string line;
  while (std::getline(limits, line) && !line.starts_with("Max open files")) {
  }
  INFO(line);
  std::istringstream figures(line.substr(std::string("Max open files").size()));
  rlim_t soft = 0, hard = 0;
  REQUIRE(figures >> soft >> hard);
  CHECK(soft == std::min<rlim_t>(hard, 65'536));
}
