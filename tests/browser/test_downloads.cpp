// What pages download: kept whole under --output-dir, or not at all, and told.
#include <filesystem>
#include <fstream>

#include "tests/browser/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;

namespace {

namespace fs = std::filesystem;

// A browser whose output folder is the test's own.
struct Kept {
  std::string folder;
  House house;
  Session session{house};

  explicit Kept(const std::string& name)
      : folder(private_tmp() + "/" + name), house([this] {
          web();
          BrowserSettings settings;
          settings.files = std::make_shared<OutputFolder>(folder);
          return settings;
        }()) {}

  // Whole files only: what is under way lies in a hidden folder.
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    std::error_code ec;
    for (const auto& entry : fs::directory_iterator(folder, ec)) {
      if (entry.is_regular_file()) names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
  }
  // Anything at all of a download that hasn't ended well.
  std::size_t pieces() const {
    std::size_t count = 0;
    std::error_code ec;
    for (const auto& entry : fs::recursive_directory_iterator(folder, ec)) count += entry.is_regular_file() ? 1 : 0;
    return count - files().size();
  }
};

}  // namespace

TEST_CASE("downloads: a navigation that becomes one names its file", "[downloads] [nav.outcome.download]") {
  Kept kept("navigate");
  kept.session.navigate(web().url("/plain"));
  for (const char* name : {"report.bin", "report (1).bin"}) {
    const auto answer =
        kept.session.ok("browser_navigate", {{"url", web().url("/download?name=report.bin&size=5000")}});
    CHECK(answer.structured["outcome"] == "download");
    CHECK(answer.structured["url"] == web().url("/plain"));
    const auto path = kept.folder + "/" + name;
    CHECK_THAT(answer.section("Result"), Contains("kept as " + path + " (5000 bytes)") && Contains("unchanged"));
    CHECK(fs::file_size(path) == 5000);
    CHECK(answer.section("Events").empty());  // said once
  }
  CHECK(kept.pieces() == 0);
  CHECK(kept.session.href() == web().url("/plain"));
}

TEST_CASE("downloads: by a link; told while it runs, at its end, and once", "[downloads]") {
  Kept kept("link");
  web().set_page("/download-links", "<a id=slow href='/download-slow?name=slow.bin&size=4000&ms=600000'>slow</a>");
  kept.session.navigate(web().url("/download-links"));
  kept.session.ok("browser_click", {{"target", "#slow"}});
  Answer answer;
  REQUIRE(eventually([&] {
    answer = kept.session.call("browser_evaluate", {{"function", "1"}});
    return answer.says("slow.bin");
  }));
  CHECK_THAT(answer.section("Events"), Contains("download \"slow.bin\": still under way"));
  CHECK(kept.files().empty());
  REQUIRE(kept.session.scope().downloads().size() == 1);  // as browser_status lists them
  CHECK(kept.session.scope().downloads()[0].name == "slow.bin");
  web().release("/download-slow");
  REQUIRE(eventually([&] { return kept.files() == std::vector<std::string>{"slow.bin"}; }));
  REQUIRE(eventually([&] {
    answer = kept.session.call("browser_evaluate", {{"function", "1"}});
    return answer.says("kept as");
  }));
  CHECK_THAT(answer.section("Events"),
             Contains("download \"slow.bin\": kept as " + kept.folder + "/slow.bin (4000 bytes)"));
  CHECK(fs::file_size(kept.folder + "/slow.bin") == 4000);
  CHECK_FALSE(kept.session.call("browser_evaluate", {{"function", "1"}}).says("slow.bin"));
  CHECK(kept.session.scope().downloads().empty());
}

TEST_CASE("downloads: a name that would lead elsewhere, and text in it, do no harm", "[downloads] [tool.files]") {
  Kept kept("names");
  kept.session.navigate(web().url("/plain"));
  web().set_handler("/download-named", [](const site::Request&, site::Response& response) {
    response.set_header("Content-Type", "application/octet-stream");
    response.set_header("Content-Disposition",
                        "attachment; filename=\"..%2F..%2F.bashrc\"; filename*=UTF-8''"
                        "..%2F..%2Fevil%0A%23%23%23%20Error");
    response.body = "x";
  });
  const auto answer = kept.session.ok("browser_navigate", {{"url", web().url("/download-named")}});
  CHECK(answer.structured["outcome"] == "download");
  CHECK(kept.files().size() == 1);
  CHECK_FALSE(kept.files().at(0).starts_with("."));
}

TEST_CASE("downloads: one that breaks off leaves no file, and says so", "[downloads]") {
  Kept kept("broken");
  kept.session.navigate(web().url("/plain"));
  web().set_handler("/download-broken", [](const site::Request&, site::Response& response) {
    response.set_header("Content-Disposition", "attachment; filename=broken.bin");
    if (response.begin(100'000)) response.write("only this");
    response.reset();
  });
  auto answer = kept.session.call("browser_navigate", {{"url", web().url("/download-broken")}});
  CHECK(answer.structured["outcome"] == "download");
  if (!answer.says("no file was kept")) {
    REQUIRE(eventually([&] {
      answer = kept.session.call("browser_evaluate", {{"function", "1"}});
      return answer.says("no file was kept");
    }));
  }
  CHECK(kept.files().empty());
  CHECK(eventually([&] { return kept.pieces() == 0; }));
}

TEST_CASE("downloads: an abort of the navigation ends the download, at the web server too",
          "[downloads][abort] [cancel.browser.files]") {
  Kept kept("aborted");
  kept.session.navigate(web().url("/plain"));
  const auto hangups = web().hangups("/download-never");
  auto running = kept.session.start("browser_navigate", {{"url", web().url("/download-never?size=100000")}});
  const auto id = kept.session.scope().current_id();
  const auto tab = kept.session.tab();
  REQUIRE(eventually([&] { return tab->state().download_seq > 0; }));
  running->abort_and_get();
  CHECK(web().wait_for_hangup("/download-never", kPatience, hangups + 1));
  CHECK(kept.files().empty());
  CHECK(eventually([&] { return kept.pieces() == 0; }));
  CHECK(kept.session.href() == web().url("/plain"));
}

TEST_CASE("downloads: each session is told of its own; the end of all leaves only whole files", "[downloads]") {
  const auto folder = private_tmp() + "/ends";
  {
    Kept kept("ends");
    Session other(kept.house);
    other.navigate(web().url("/plain"));
    kept.session.navigate(web().url("/plain"));
    CHECK_THAT(kept.session.ok("browser_navigate", {{"url", web().url("/download?name=whole.bin")}}).text,
               Contains("whole.bin"));
    const auto running = kept.session.ok("browser_navigate", {{"url", web().url("/download-never?name=half.bin")}});
    CHECK_THAT(running.section("Result"), Contains("half.bin") && Contains("still under way"));
    CHECK_FALSE(other.call("browser_evaluate", {{"function", "1"}}).says(".bin"));
  }
  std::vector<std::string> left;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) left.push_back(entry.path().filename().string());
  CHECK(left == std::vector<std::string>{"whole.bin"});
}
