// What pages download: kept whole under --output-dir, or not at all, and told.
#include <sys/mount.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;

namespace {

namespace fs = std::filesystem;

// A browser whose output folder is the test's own.
struct Kept {
  std::string output;
  House house;
  Session session{house};

  explicit Kept(const std::string& name, OutputLimits limits = {}, const std::string& profile = "")
      : output(private_tmp() + "/" + name), house([&] {
          web();
          BrowserSettings settings;
          settings.files = std::make_shared<OutputFolder>(output, std::vector<std::string>{}, limits);
          settings.launch.user_data_dir = profile;
          return settings;
        }()) {}

  // The session's own folder.
  std::string folder() { return session.scope().files()->path().string(); }
  // Whole files only: what is under way lies in a hidden folder.
  std::vector<std::string> files() {
    std::vector<std::string> names;
    std::error_code ec;
    for (const auto& entry : fs::directory_iterator(folder(), ec)) {
      if (entry.is_regular_file()) names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
  }
  // Anything at all of a download that hasn't ended well.
  std::size_t pieces() {
    std::size_t count = 0;
    std::error_code ec;
    for (const auto& entry : fs::recursive_directory_iterator(output, ec)) count += entry.is_regular_file(ec) ? 1 : 0;
    return count - files().size();
  }
  // Calls until a result tells of it; its Events.
  std::string await_told(const std::string& words) {
    Answer answer;
    const bool told = eventually([&] {
      answer = session.call("browser_console_messages");  // not an action
      return answer.section("Events").find(words) != std::string::npos;
    });
    CHECK(told);
    return answer.section("Events");
  }
};

// A download of bytes without an end, whose length is not told.
void serve_endless(const std::string& path) {
  web().set_handler(path, [](const site::Request&, site::Response& response) {
    response.set_header("Content-Type", "application/octet-stream");
    response.set_header("Content-Disposition", "attachment; filename=endless.bin");
    const std::string part(64 * 1024, 'x');
    if (!response.begin()) return;
    while (response.write(part)) {
    }
  });
}

// A page with a link that its script can follow by itself.
std::string self_clicking(const std::string& href, const std::string& script) {
  return "<a id=link download href='" + href +
         "'>link</a><p>page</p><script>const link = document.getElementById('link');" + script + "</script>";
}

}  // namespace

TEST_CASE("downloads: a navigation that becomes one names its file", "[downloads] [nav.outcome.download]") {
  Kept kept("navigate");
  kept.session.navigate(web().url("/plain"));
  for (const char* name : {"report.bin", "report (1).bin"}) {
    const auto answer =
        kept.session.ok("browser_navigate", {{"url", web().url("/download?name=report.bin&size=5000")}});
    CHECK(answer.structured["outcome"] == "download");
    CHECK(answer.structured["url"] == web().url("/plain"));
    const auto path = kept.folder() + "/" + name;
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
             Contains("download \"slow.bin\": kept as " + kept.folder() + "/slow.bin (4000 bytes)"));
  CHECK(fs::file_size(kept.folder() + "/slow.bin") == 4000);
  CHECK_FALSE(kept.session.call("browser_evaluate", {{"function", "1"}}).says("slow.bin"));
  CHECK(kept.session.scope().downloads().empty());
}

TEST_CASE("downloads: one that has all its bytes is told as kept, in the answer to the click", "[downloads]") {
  Kept kept("small-downloads");
  web().set_page("/small-download", R"html(<!doctype html><title>Small</title><a id="save">Save</a>
<script>
save.href = URL.createObjectURL(new Blob(['twenty-four bytes of it.']));
save.download = 'notes.txt';
</script>)html");
  kept.session.navigate(web().url("/small-download"));
  for (int i = 0; i < 5; ++i) {
    const auto clicked = kept.session.ok("browser_click", at("#save"));
    INFO(clicked.text);
    CHECK_THAT(clicked.text, !Contains("24 of 24"));
    CHECK_THAT(clicked.text, Contains("(24 bytes)") || !Contains("notes"));
  }
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
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) left.push_back(entry.path().filename().string());
  }
  CHECK(left == std::vector<std::string>{"whole.bin"});
}

TEST_CASE("downloads: one that grows over the limit is ended at the web server, and leaves no file",
          "[downloads] [tool.downloads.limits]") {
  Kept kept("limit", {.download = 1024 * 1024});
  serve_endless("/endless");
  const auto hangups = web().hangups("/endless");
  kept.session.navigate(web().url("/plain"));
  auto answer = kept.session.call("browser_navigate", {{"url", web().url("/endless")}});
  CHECK(answer.structured["outcome"] == "download");
  if (!answer.says("--max-download")) kept.await_told("--max-download");
  CHECK(web().wait_for_hangup("/endless", kPatience, hangups + 1));
  CHECK(eventually([&] { return kept.pieces() == 0; }));
  CHECK(kept.files().empty());
  // One whose length is told isn't even begun; one of the limit's size is kept.
  answer = kept.session.call("browser_navigate", {{"url", web().url("/download?name=big.bin&size=1048577")}});
  if (!answer.says("--max-download")) kept.await_told("--max-download");
  CHECK_THAT(kept.session.ok("browser_navigate", {{"url", web().url("/download?name=fits.bin&size=1048576")}}).text,
             Contains("kept as"));
  CHECK(kept.files() == std::vector<std::string>{"fits.bin"});
}

TEST_CASE("downloads: what a page begins by itself is refused and told; the caller can fetch it",
          "[downloads] [tool.downloads.caller]") {
  Kept kept("alone");
  const auto href = web().url("/download?name=unasked.bin");
  web().set_page("/self-clicking", self_clicking(href, "setInterval(() => link.click(), 100);"));
  kept.session.navigate(web().url("/self-clicking"));
  const auto events = kept.await_told("unasked.bin");
  CHECK_THAT(events, Contains("refused") && Contains("without an action of yours") && Contains(href));
  CHECK(eventually([&] { return web().requests("/download").size() > 20; }));
  CHECK(kept.files().empty());
  CHECK(kept.session.scope().downloads().empty());
  const auto many = kept.await_told(" more refused");
  INFO(many);
  // However many there were, three of the tab's are told and the others counted. Beside them stand those that nobody
  // knows the tab of, as Chromium tells of some before it tells of their frame.
  const auto lines = [&](const std::string& words) {
    const std::string text = "\n" + many;
    std::size_t count = 0;
    for (auto at = text.find(words); at != std::string::npos; at = text.find(words, at + 1)) ++count;
    return count;
  };
  CHECK(lines("\n- download \"unasked.bin\": refused") <= 3);
  CHECK(lines(" more refused") == 1);
  CHECK(lines("\n- download \"(unnamed)\": refused") <= 3);
  kept.session.navigate(web().url("/plain"));
  // One of the page's that was on its way when the page was left may still come, in place of the caller's.
  CHECK(eventually([&] { return kept.session.ok("browser_navigate", {{"url", href}}).says("kept as"); }));
  CHECK(eventually([&] { return kept.pieces() == 0; }));
}

TEST_CASE("downloads: of those that one action begins, as many are kept as may run at once",
          "[downloads] [tool.downloads.limits] [tool.downloads.caller]") {
  Kept kept("many");
  const auto href = web().url("/download-never?name=held.bin&size=2000");
  web().set_page("/many", self_clicking(href, ""));
  // A click takes the place of the one before it while that has not been asked for yet.
  const auto before = web().requests("/download-never").size();
  web().set_handler("/has-begun", [before](const site::Request& request, site::Response& response) {
    const auto nth = static_cast<std::size_t>(request.query_int("n", 1, 1, 100));
    web().wait_for_request("/download-never", kPatience, before + nth);
    response.text("yes");
  });
  kept.session.navigate(web().url("/many"));
  const auto answer =
      kept.session.ok("browser_evaluate", {{"function",
                                            "(async () => { for (let n = 1; n <= 6; ++n) { link.click(); "
                                            "await fetch('/has-begun?n=' + n); } })()"}});
  CHECK(eventually([&] { return kept.session.scope().downloads().size() == limits::kDownloadsAtOnce; }));
  if (!answer.says("refused")) kept.await_told("refused");
  CHECK(kept.session.scope().downloads().size() == limits::kDownloadsAtOnce);
}

// The browser tells of no download whose frame is gone when it begins: neither its beginning nor its progress.
TEST_CASE("downloads: one that the browser doesn't tell of is found, ended and removed",
          "[downloads] [tool.downloads.limits]") {
  Kept kept("untold");
  web().set_handler("/late-head", [](const site::Request&, site::Response& response) {
    if (!response.hold()) return;
    response.set_header("Content-Disposition", "attachment; filename=late.bin");
    const std::string part(64 * 1024, 'x');
    if (!response.begin()) return;
    while (response.write(part)) {
    }
  });
  kept.session.navigate(web().url("/plain"));
  const auto hangups = web().hangups("/late-head");
  kept.session.evaluate(
      "(() => { const frame = document.createElement('iframe'); document.body.append(frame); "
      "const link = frame.contentDocument.createElement('a'); link.href = '/late-head'; "
      "link.download = 'x'; frame.contentDocument.body.append(link); link.click(); "
      "window.gone = () => frame.remove(); return 1; })()");
  REQUIRE(web().wait_for_request("/late-head", kPatience));
  kept.session.evaluate("window.gone()");
  web().release("/late-head");
  CHECK(web().wait_for_hangup("/late-head", kPatience, hangups + 1));
  CHECK(eventually([&] { return kept.pieces() == 0; }));
  CHECK_THAT(kept.await_told("refused"), Contains("gone before it began"));
  CHECK(kept.files().empty());
}

TEST_CASE("downloads: a kept profile's sessions have theirs apart, and they end with the session",
          "[downloads] [tool.files] [tool.downloads.limits]") {
  Kept kept("shared", {}, private_tmp() + "/shared-profile");
  serve_endless("/endless-shared");
  const auto hangups = web().hangups("/endless-shared");
  {
    Session other(kept.house);
    other.navigate(web().url("/plain"));
    CHECK_THAT(other.ok("browser_navigate", {{"url", web().url("/download?name=other.bin")}}).text,
               Contains("kept as"));
    CHECK(kept.files().empty());
    other.ok("browser_navigate", {{"url", web().url("/endless-shared")}});
    REQUIRE(web().wait_for_request("/endless-shared", kPatience));
  }
  CHECK(web().wait_for_hangup("/endless-shared", kPatience, hangups + 1));
  kept.session.navigate(web().url("/plain"));
  CHECK_THAT(kept.session.ok("browser_navigate", {{"url", web().url("/download?name=own.bin")}}).text,
             Contains("kept as"));
  CHECK(kept.files() == std::vector<std::string>{"own.bin"});
}

TEST_CASE("downloads: a full disk is said as such", "[downloads] [tool.downloads.limits]") {
  const auto small = private_tmp() + "/small-disk";
  fs::create_directories(small);
  if (::mount("none", small.c_str(), "tmpfs", 0, "size=16m") != 0) {
    WARN("needs the right to mount a small file system");
    return;
  }
  struct Unmount {
    std::string path;
    ~Unmount() { ::umount2(path.c_str(), MNT_DETACH); }
  } const unmount{small};
  Kept kept("small-disk");
  serve_endless("/endless-disk");
  kept.session.navigate(web().url("/plain"));
  auto answer = kept.session.call("browser_navigate", {{"url", web().url("/endless-disk")}});
  if (!answer.says("disk full")) kept.await_told("disk full");
  answer = kept.session.call("browser_navigate", {{"url", web().url("/download?name=big.bin&size=20000000")}});
  if (!answer.says("disk full")) kept.await_told("disk full");
  CHECK(eventually([&] { return kept.pieces() == 0; }));
  CHECK(kept.files().empty());
}
