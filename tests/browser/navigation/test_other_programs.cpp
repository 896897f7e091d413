// Links to what Chromium doesn't load itself.
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;
namespace fs = std::filesystem;

namespace {

// Programs that Chromium starts for a link, in PATH before the system's: each makes a file of its name when it is
// started.
class WatchedPrograms {
 public:
  WatchedPrograms() : path_(std::getenv("PATH")), folder_(open_folder("watched-programs")) {
    for (const auto* name : {"xdg-open", "xdg-email"}) {
      const auto program = folder_ + "/" + name;
      std::ofstream(program) << "#!/bin/sh\ntouch \"$0.started\"\n";
      ::chmod(program.c_str(), 0755);
    }
    ::setenv("PATH", (folder_ + ":" + path_).c_str(), 1);
  }
  ~WatchedPrograms() { ::setenv("PATH", path_.c_str(), 1); }
  WatchedPrograms(const WatchedPrograms&) = delete;
  WatchedPrograms& operator=(const WatchedPrograms&) = delete;

  bool any_started() const {
    return std::ranges::any_of(fs::directory_iterator(folder_),
                               [](const auto& entry) { return entry.path().extension() == ".started"; });
  }

 private:
  const std::string path_;
  const std::string folder_;
};

auto folders() {
  return std::ranges::count_if(fs::directory_iterator(private_tmp()), [](const auto& entry) {
    return entry.path().filename().string().starts_with(kProgramsPrefix);
  });
}

}  // namespace

TEST_CASE("other_program: none is started, the answer says so, and the tab takes input as before",
          "[navigation] [nav.outcome.other-program]") {
  const WatchedPrograms watched;
  const auto before = folders();
  House house;
  Session session(house);
  web().set_page("/programs", R"html(<!doctype html><title>Programs</title>
<a href="mailto:a@b.test">Mail</a> <a href="tel:123">Call</a> <a href="zoommtg://meet/1">Meet</a>
<a href="zoommtg://meet/2" target="_blank">Meet beside</a> <a href="/redirect?to=zoommtg://meet/5">Meet by way of the site</a>
<button onclick="location.href = 'zoommtg://meet/3'">Join</button>
<button onclick="document.body.append(Object.assign(document.createElement('iframe'), { src: 'zoommtg://meet/4' }))">Frame</button>
<button onclick="this.textContent = 'Counted ' + (window.n = (window.n ?? 0) + 1)">Count</button>)html");
  session.navigate(web().url("/programs"));
  const auto is_free = [&](int count) {
    CHECK_THAT(session.ok("browser_click", {{"target", "role=button >> nth=2"}}).section("Snapshot"),
               Contains("Counted " + std::to_string(count)));
  };
  const std::vector<std::pair<std::string, std::string>> ways{{"link \"Mail\"", "mailto:a@b.test"},
                                                              {"link \"Call\"", "tel:123"},
                                                              {"link \"Meet\"", "zoommtg://meet/1"},
                                                              {"button \"Join\"", "zoommtg://meet/3"},
                                                              {"link \"Meet by way of the site\"", "zoommtg://meet/5"}};
  int count = 0;
  for (const auto& [target, url] : ways) {
    CAPTURE(target);
    const auto clicked = session.ok("browser_click", {{"target", target}});
    CHECK_THAT(clicked.section("Page"), Contains("Note: " + url + " is for another program, and none is started"));
    is_free(++count);
  }
  for (const auto* target : {"link \"Meet beside\"", "button \"Frame\""}) {
    CAPTURE(target);
    session.ok("browser_click", {{"target", target}});
    is_free(++count);
  }
  const auto led = session.error("browser_navigate", {{"url", web().url("/redirect?to=zoommtg://meet/6")}});
  CHECK_THAT(led.section("Error"), Contains("leads to zoommtg://meet/6, which is for another program"));
  is_free(++count);
  CHECK(session.href() == web().url("/programs"));
  CHECK_FALSE(watched.any_started());
  house.tools().shutdown();
  CHECK(eventually([&] { return folders() == before; }));
}
