// browser_trace: a trace that DevTools opens, and what it says [tool.trace] [tool.trace.private].
#include <signal.h>

#include <atomic>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;

namespace {

// The largest thing is the picture, which comes late; the words below it are pushed down; a script takes long.
void set_traced_page() {
  web().set_handler("/trace/hero.bmp", [](const site::Request&, site::Response& response) {
    // 600 x 400 pixels of 24 bits that differ: an even surface has too little content to count.
    constexpr std::uint32_t kWidth = 600, kHeight = 400, kBytes = kWidth * kHeight * 3;
    const auto number = [](std::uint32_t value, int bytes) {
      std::string text;
      for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i));
      return text;
    };
    std::string body = "BM" + number(54 + kBytes, 4) + number(0, 4) + number(54, 4) + number(40, 4) +
                       number(kWidth, 4) + number(kHeight, 4) + number(1, 2) + number(24, 2) + number(0, 4) +
                       number(kBytes, 4) + number(0, 16);
    for (std::uint32_t i = 0; i < kBytes; ++i) body += static_cast<char>((i * 2654435761U) >> 24);
    response.delay(100);
    response.set_header("Content-Type", "image/bmp");
    response.body = std::move(body);
  });
  web().set_handler("/trace/blocks.css", [](const site::Request&, site::Response& response) {
    response.set_header("Content-Type", "text/css");
    response.body = "p { color: teal }";
  });
  web().set_handler("/trace/busy.js", [](const site::Request&, site::Response& response) {
    response.set_header("Content-Type", "text/javascript");
    response.body =
        "addEventListener('load', () => { const end = performance.now() + 120; while (performance.now() < end); })";
  });
  web().set_page(
      "/trace",
      "<!doctype html><title>Traced</title><link rel=stylesheet href=/trace/blocks.css>"
      "<script src=/trace/busy.js></script><div id=space></div>"
      "<img id=hero src=/trace/hero.bmp width=600 height=400><p id=moved>words that move</p>"
      "<button id=slow onclick='const end = performance.now() + 90; while (performance.now() < end); "
      "textContent += 1'>Slow</button>"
      "<script>addEventListener('load', () => setTimeout(() => { space.style.height = '150px' }, 250))</script>");
}

std::string file_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

Json events_of(const std::string& path) { return Json::parse(file_text(path)).at("traceEvents"); }

// What a program says of a file, and whether it is content.
std::pair<std::string, int> run_script(const std::string& command) {
  FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string text;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text.push_back(static_cast<char>(c));
  return {text, ::pclose(pipe)};
}

const Json kStart{{"action", "start"}};
const Json kStopTrace{{"action", "stop"}};

}  // namespace

TEST_CASE("trace: a reload is traced, told and saved", "[tool.trace]") {
  set_traced_page();
  Session session;
  session.navigate(web().url("/trace"));
  const auto traced = session.ok("browser_trace", {{"action", "start"}, {"reload", true}, {"filename", "load"}});
  INFO(traced.text);
  const auto told = traced.section("Result");
  CHECK_THAT(told,
             Contains("Load of " + web().url("/trace")) && Contains("IMG id='hero' " + web().url("/trace/hero.bmp")));
  CHECK_THAT(told, Contains("p P id='moved'") || Contains("P id='moved' 8,"));
  CHECK_THAT(told, Contains("to ") && Contains("ms: " + web().url("/trace/blocks.css")));
  CHECK_THAT(told, Contains("(longest ") && Contains(web().url("/trace/busy.js")));
  CHECK_THAT(told, Contains("scripting"));
  const auto& lcp = traced.structured["lcp"];
  CHECK(lcp["element"] == "IMG id='hero'");
  const double sum = lcp["ttfb"].get<double>() + lcp["loadDelay"].get<double>() + lcp["loadDuration"].get<double>() +
                     lcp["renderDelay"].get<double>();
  CHECK(sum == Approx(lcp["at"].get<double>()).margin(0.3));
  CHECK(lcp["loadDuration"].get<double>() >= 100);
  CHECK(traced.structured["cls"].get<double>() > 0);
  CHECK(traced.structured["longTasks"].get<int>() >= 1);
  CHECK(traced.structured["blockedMs"].get<double>() >= 70);
  const auto path = traced.structured["path"].get<std::string>();
  CHECK(path.ends_with("/load.json"));
  const auto [said, status] =
      run_script("node '" BRIDLE_SOURCE_DIR "/tests/browser/devtools/read_trace.mjs' '" + path + "'");
  INFO(said);
  CHECK(status == 0);
  CHECK_THAT(said, Contains("main frame at " + web().url("/trace")));
  // It is over: the next one can begin.
  CHECK_FALSE(session.tab()->extras().find("trace"));
  CHECK_THAT(session.error("browser_trace", kStopTrace).section("Error"), Contains("No trace is under way"));
}

TEST_CASE("trace: what is done between start and stop, INP among it; the names of another server", "[tool.trace]") {
  set_traced_page();
  Session session;
  session.navigate(web().url("/trace"));
  session.ok("browser_trace", kStart);
  CHECK_THAT(session.error("browser_trace", kStart).section("Error"), Contains("under way in this tab already"));
  session.ok("browser_click", at("#slow"));
  const auto stopped = session.ok("browser_trace", kStopTrace);
  INFO(stopped.text);
  CHECK_THAT(stopped.section("Result"),
             Contains("No page load is in the trace") && Contains("INP ") && Contains("interactions"));
  REQUIRE(stopped.structured.contains("inp"));
  CHECK(stopped.structured["inp"].get<double>() >= 90);
  // The click changes the page, of which each layout is told, and not each element that needs one.
  const auto file = file_text(stopped.structured["path"].get<std::string>());
  CHECK(file.find("\"UpdateLayoutTree\"") != std::string::npos);
  CHECK(file.find("InvalidationTracking") == std::string::npos);
  for (const char* name : {"browser_start_tracing", "browser_stop_tracing"}) {
    Json arguments = Json::object();
    const auto* tool = session.house().toolbox().resolve(name, &arguments);
    REQUIRE(tool != nullptr);
    CHECK(tool->name == "browser_trace");
    session.ok("browser_trace", arguments);
  }
}

TEST_CASE("trace: bad input is told", "[tool.trace]") {
  Session session;
  CHECK_THAT(session.error("browser_trace", {{"action", "start"}, {"filename", "x.json"}}).section("Error"),
             Contains("filename goes with"));
  CHECK_THAT(session.error("browser_trace", {{"action", "stop"}, {"reload", true}}).section("Error"),
             Contains("reload goes with action start"));
  session.ok("browser_trace", kStart);
  CHECK_THAT(session.error("browser_trace", {{"action", "stop"}, {"filename", "../../out"}}).section("Error"),
             Contains("outside"));
}

TEST_CASE("trace: one at a time in a browser; it ends with its tab", "[tool.trace]") {
  Session one;
  Session two;
  one.navigate(web().url("/"));
  two.navigate(web().url("/"));
  one.ok("browser_trace", kStart);
  CHECK_THAT(two.error("browser_trace", kStart).section("Error"),
             Contains("Another trace is under way in this browser"));
  CHECK_FALSE(two.tab()->extras().find("trace"));
  one.ok("browser_close");
  CHECK(eventually([&] { return !two.call("browser_trace", kStart).is_error; }));
  two.ok("browser_trace", kStopTrace);
}

TEST_CASE("trace: nothing of another session is in the file or the summary", "[tool.trace.private]") {
  set_traced_page();
  web().set_page(
      "/trace/secret",
      "<!doctype html><title>Secret</title><script>setInterval(function secretWork() { document.body.append(1); "
      "performance.mark('secret-mark') }, 5)</script><body>");
  Session mine;
  Session other;
  mine.navigate(web().url("/trace"));
  other.navigate(web().cross_site_url("/trace/secret?before"));
  mine.ok("browser_trace", kStart);
  other.navigate(web().url("/trace/secret?meanwhile"));
  mine.navigate(web().url("/trace"));
  const auto stopped = mine.ok("browser_trace", kStopTrace);
  CHECK_THAT(stopped.text, !Contains("secret"));
  const auto text = file_text(stopped.structured["path"].get<std::string>());
  CHECK(text.find("/trace/blocks.css") != std::string::npos);
  CHECK(text.find("secret") == std::string::npos);
  CHECK(text.find(other.tab()->main_frame()) == std::string::npos);
  CHECK(text.find(mine.tab()->main_frame()) != std::string::npos);
}

TEST_CASE("trace: in a browser of the session's own the file is whole", "[tool.trace.private]") {
  BrowserSettings settings;
  settings.browser_per_session = true;
  House house(settings);
  Session session(house);
  session.navigate(web().url("/"));
  session.ok("browser_trace", kStart);
  const auto stopped = session.ok("browser_trace", kStopTrace);
  bool gpu = false;
  for (const Json& event : events_of(stopped.structured["path"].get<std::string>()))
    gpu = gpu || (event["name"] == "process_name" && event["args"]["name"] == "GPU Process");
  CHECK(gpu);
}

TEST_CASE("trace: an abort of a reload or a stop ends the trace", "[tool.trace] [cancel.browser]") {
  Session session;
  std::atomic<int> asked{0};
  web().set_handler("/trace/hangs", [&](const site::Request&, site::Response& response) {
    response.set_header("Cache-Control", "no-store");
    if (asked++ > 0 && !response.hold()) return;
    response.html("<!doctype html><title>Once</title>");
  });
  session.navigate(web().url("/trace/hangs"));
  auto running = session.start("browser_trace", {{"action", "start"}, {"reload", true}});
  REQUIRE(web().wait_for_request("/trace/hangs", kPatience, 2));
  running->abort_and_get();
  CHECK_FALSE(session.tab()->extras().find("trace"));
  CHECK(eventually([&] { return !session.call("browser_trace", kStart).is_error; }));
  running = session.start("browser_trace", kStopTrace);
  REQUIRE(eventually([&] { return running->ended() || session.browser()->pending_commands() > 0; }));
  running->abort();
  running->get();  // it may have ended just before
  CHECK_FALSE(session.tab()->extras().find("trace"));
  CHECK(eventually([&] { return !session.call("browser_trace", kStart).is_error; }));
  session.ok("browser_trace", kStopTrace);
  web().set_page("/trace/hangs", "");
}

TEST_CASE("trace: a browser that is killed ends it with words", "[tool.trace]") {
  House house;
  Session session(house);
  session.navigate(web().url("/"));
  session.ok("browser_trace", kStart);
  const auto tab = session.tab();
  const std::weak_ptr<TabExtra> extra = tab->extras().find("trace");
  ::kill(session.browser()->pid(), SIGKILL);
  REQUIRE(eventually([&] { return tab->state().gone; }));
  CHECK(eventually([&] { return extra.expired(); }));
  CHECK(session.call("browser_trace", kStopTrace).is_error);
}
