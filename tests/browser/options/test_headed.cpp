// --headed: the browser's windows on a screen, here one in memory. What a person would see of an action, and that input
// arrives in a window that has just come.
#include <poll.h>
#include <unistd.h>

#include <cstdlib>
#include <optional>

#include "base/spawn.h"
#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;

namespace {

// An X server without a screen of its own, named by DISPLAY while this lives.
class Screen {
 public:
  Screen() {
    const auto program = find_program("Xvfb");
    INFO("Debian's package xvfb has it, which ./test installs");
    REQUIRE_FALSE(program.empty());
    auto number = make_pipe();
    server_.emplace(std::vector<std::string>{program, "-displayfd", "3", "-screen", "0", "1600x1000x24", "-nolisten",
                                             "tcp", "-noreset"},
                    std::vector<std::pair<int, int>>{{number.write_end.get(), 3}});
    number.write_end.reset();
    std::string name = ":";
    pollfd told{.fd = number.read_end.get(), .events = POLLIN, .revents = 0};
    const auto patience = static_cast<int>(std::chrono::milliseconds(kPatience).count());
    for (char c = 0; ::poll(&told, 1, patience) == 1 && ::read(told.fd, &c, 1) == 1 && c != '\n';) name += c;
    REQUIRE(name.size() > 1);
    ::setenv("DISPLAY", name.c_str(), 1);
  }
  ~Screen() { ::unsetenv("DISPLAY"); }
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

 private:
  std::optional<ChildProcess> server_{};
};

BrowserSettings headed() {
  BrowserSettings settings;
  settings.launch.headless = false;
  return settings;
}

}  // namespace

TEST_CASE("headed: input right after a navigation arrives, in each session's own window",
          "[headed] [tool.cli.browser]") {
  const Screen screen;
  House house(headed());
  for (int i = 0; i < 4; ++i) {
    Session session(house);
    session.navigate(web().url("/click-lab"));
    session.ok("browser_click", {{"target", "#counter"}, {"doubleClick", true}});
    CHECK(session.text_of("#count") == "2");
    session.navigate(web().url("/drag"));
    session.ok("browser_drag", {{"startTarget", "#source"}, {"endTarget", "#target"}});
    CHECK(session.text_of("#target") == "Dropped: source");
  }
}

// Chromium shows the page before until the new one of the same site has something to show, and drops what is clicked
// until then.
TEST_CASE("headed: a page that has shown nothing yet gets its clicks", "[headed] [tool.cli.browser]") {
  const Screen screen;
  House house(headed());
  Session session(house);
  web().set_page("/bare",
                 "<!doctype html><title>0</title><div id=pad style='width:200px;height:200px;background:teal'></div>"
                 "<script>pad.onclick = () => { document.title = 1 + Number(document.title); };</script>");
  session.navigate(web().url("/click-lab"));
  for (int i = 0; i < 8; ++i) {
    session.navigate(web().url("/bare?" + std::to_string(i)));
    session.ok("browser_click", at("#pad"));
    CHECK(session.evaluate("document.title") == "1");
  }
}
