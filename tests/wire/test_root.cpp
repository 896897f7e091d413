// bridle as root, as a process of its own: what /status and the log say of the sandbox, and that nothing is left.
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "tests/site/site_server.h"
#include "tests/support/catch.h"
#include "tests/wire/support/bridle_process.h"
#include "tests/wire/support/mcp_client.h"

using namespace bridle;
using namespace bridle::wire;
using matchers::Contains;

namespace {

// The one browser in /status, once a page is open.
Json browser_row(int port, site::SiteServer& site) {
  McpClient client(port);
  client.open();
  CHECK_FALSE(client.call(1, "browser_navigate", {{"url", site.url("/plain")}}).is_error_result());
  const auto status = Json::parse(client.http("GET", "/status", "", {}).reply.body);
  REQUIRE(status.at("browsers").size() == 1);
  return status.at("browsers")[0];
}

std::size_t entries_named(const std::string& folder, const std::string& prefix) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    count += entry.path().filename().string().starts_with(prefix) ? 1 : 0;
  return count;
}

}  // namespace

TEST_CASE("root: /status and the log say whose the browser is; its end leaves neither process nor folder",
          "[root] [security.root.told] [cancel.shutdown.nothing-left]") {
  if (::geteuid() != 0) {
    WARN("needs root");
    return;
  }
  const TempDir tmp;
  site::SiteServer site;
  BridleProcess bridle(tmp, in_chromium({"--port", "0", "--output-dir", tmp.path() + "/output"}));
  const Json row = browser_row(bridle.port(), site);
  INFO(row.dump());
  const bool other = row.at("uid") != 0;
  CHECK(row.at("sandbox") == other);
  CHECK_THAT(bridle.errors(), Contains(row.at("words").get<std::string>()));
  if (!other) {
    WARN("the browser can't be another user here");
    CHECK_THAT(bridle.errors(), Contains(row.at("remedy").get<std::string>()));
  }
  CHECK(tmp.browsers() > 0);
  bridle.signal(SIGTERM);
  CHECK(bridle.wait(kPatience) == 0);
  CHECK(eventually([&] { return tmp.browsers() == 0; }));
  CHECK(entries_named(tmp.path(), "bridle-") == 0);
}

TEST_CASE("root: where another user can't reach the profile, the browser is root's, and the log says what to do",
          "[root] [security.root.fallback] [security.root.told]") {
  if (::geteuid() != 0) {
    WARN("needs root");
    return;
  }
  const TempDir tmp;
  REQUIRE(::chmod(tmp.path().c_str(), 0700) == 0);
  site::SiteServer site;
  BridleProcess bridle(tmp, in_chromium({"--port", "0", "--output-dir", tmp.path() + "/output"}));
  const Json row = browser_row(bridle.port(), site);
  INFO(row.dump());
  CHECK(row.at("uid") == 0);
  CHECK(row.at("sandbox") == false);
  CHECK_THAT(bridle.errors(), Contains("without its sandbox, because " + tmp.path()) && Contains("chmod o+x"));
}
