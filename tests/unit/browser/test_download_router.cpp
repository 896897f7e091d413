// Whose a download is: the browser's events name a frame and a file only.
#include "browser/chromium/download_router.h"
#include "tests/support/catch.h"
#include "tests/unit/support/fake_tab.h"

using namespace bridle;
using namespace bridle::testing;

namespace {

struct Downloads {
  FakeTransport* transport = new FakeTransport;
  std::shared_ptr<CdpConnection> connection{std::make_shared<CdpConnection>(std::unique_ptr<CdpTransport>(transport))};
  TabDirectory directory{Tab::Setup{}};
  DownloadRouter router{connection, directory};
  std::vector<std::string> told;  // "t1 Browser.downloadWillBegin G"

  Downloads() {
    connection->start([](const std::string&) {});
  }
  ~Downloads() { connection->stop(); }
  Downloads(const Downloads&) = delete;
  Downloads& operator=(const Downloads&) = delete;

  void listen(const std::shared_ptr<const BrowserContext>& context) {
    directory.listen(context, [](const std::shared_ptr<Tab>&) {});
    router.listen(context, [this](const std::string& tab, std::string_view method, const Json& params) {
      told.push_back(tab + " " + std::string(method) + " " + params.at("guid").get<std::string>());
    });
  }
  std::shared_ptr<Tab> tab(const std::string& target, const std::string& context, const std::string& opener = "") {
    return directory.add({}, Tab::Info{target, context, opener}, CdpSession(connection, "S-" + target)).tab;
  }
  // A listening context, the browser's default one where it is shared, and its tab.
  std::shared_ptr<const BrowserContext> with_tab(const std::string& target, bool shared) {
    std::shared_ptr<const BrowserContext> context = std::make_shared<OwnContext>("A");
    if (shared) context = std::make_shared<SharedContext>();
    listen(context);
    tab(target, shared ? "DEFAULT" : "A");
    return context;
  }
  void begins(const std::string& guid, const std::string& frame) {
    router.on_event("Browser.downloadWillBegin", {{"guid", guid}, {"frameId", frame}});
  }
  void goes_on(const std::string& guid, const std::string& state) {
    router.on_event("Browser.downloadProgress", {{"guid", guid}, {"state", state}});
  }
  std::vector<Json> cancelled() const {
    REQUIRE(transport->drain());
    std::vector<Json> all;
    for (const auto& command : transport->sent("Browser.cancelDownload")) all.push_back(command.params);
    return all;
  }
};

}  // namespace

TEST_CASE("a download is told to the context of the tab that began it, from its beginning to its end",
          "[download_router]") {
  Downloads downloads;
  downloads.listen(std::make_shared<OwnContext>("A"));
  downloads.listen(std::make_shared<OwnContext>("B"));
  const auto of_a = downloads.tab("TA", "A")->id();
  const auto of_b = downloads.tab("TB", "B")->id();
  downloads.begins("G1", "TA");
  downloads.begins("G2", "TB");
  downloads.begins("G3", "NOBODY'S");
  downloads.goes_on("G3", "completed");
  downloads.goes_on("G1", "inProgress");
  downloads.goes_on("G1", "completed");
  downloads.goes_on("G1", "completed");  // it is over
  CHECK(downloads.told == std::vector<std::string>{of_a + " Browser.downloadWillBegin G1",
                                                   of_b + " Browser.downloadWillBegin G2",
                                                   " Browser.downloadProgress G1", " Browser.downloadProgress G1"});
}

TEST_CASE("a popup that turns out to be a download is its opener's", "[download_router]") {
  Downloads downloads;
  downloads.listen(std::make_shared<OwnContext>("A"));
  const auto opener = downloads.tab("T1", "A");
  const auto popup = downloads.tab("T2", "A", "T1");
  downloads.begins("G1", "T2");
  CHECK(downloads.told == std::vector<std::string>{opener->id() + " Browser.downloadWillBegin G1"});
}

TEST_CASE("only a download that runs is cancelled, in the context that has it", "[download_router]") {
  Downloads downloads;
  const bool shared = GENERATE(false, true);
  downloads.with_tab("T1", shared);
  downloads.router.cancel("G1");
  downloads.begins("G1", "T1");
  downloads.begins("G2", "T1");
  downloads.goes_on("G2", "canceled");
  downloads.router.cancel("G1");
  downloads.router.cancel("G2");
  const Json params = shared ? Json{{"guid", "G1"}} : Json{{"guid", "G1"}, {"browserContextId", "A"}};
  CHECK(downloads.cancelled() == std::vector{params});
  CHECK(downloads.told.size() == 3);
}

// A browser's default context outlives the sessions that share it, and so would their downloads.
TEST_CASE("the downloads of a session end with it, and its listener is told of that before it goes",
          "[download_router] [tool.downloads.limits]") {
  Downloads downloads;
  const bool shared = GENERATE(false, true);
  const auto context = downloads.with_tab("T1", shared);
  downloads.begins("G1", "T1");
  downloads.begins("G2", "T1");
  downloads.goes_on("G2", "completed");
  downloads.router.unlisten(context->id());
  const Json params = shared ? Json{{"guid", "G1"}} : Json{{"guid", "G1"}, {"browserContextId", "A"}};
  CHECK(downloads.cancelled() == std::vector{params});
  downloads.goes_on("G1", "canceled");
  downloads.goes_on("G1", "inProgress");
  CHECK(downloads.told.size() == 4);
  CHECK(downloads.told.back() == " Browser.downloadProgress G1");
  downloads.begins("G3", "T1");
  downloads.goes_on("G3", "inProgress");
  CHECK(downloads.told.size() == 4);
}
