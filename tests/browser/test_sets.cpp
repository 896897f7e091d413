// The tools of the sets: the mouse at coordinates [tool.mouse], the page as a PDF [tool.pdf].
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>

#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;

namespace {

// A canvas that draws where the mouse goes with its button down, and tells it.
constexpr const char* kDrawing =
    "<!doctype html><title>Drawing</title><body style=margin:0><canvas id=c aria-label=Board width=300 "
    "height=200></canvas>"
    "<button style='position:absolute;left:320px;top:10px;width:80px;height:30px'><b>Save</b></button><p id=log "
    "style=position:fixed;top:220px></p>"
    "<div style=height:3000px></div><script>const say = (e) => { log.textContent += "
    "`${e.type}${e.button}:${e.clientX},${e.clientY} ` };"
    "for (const t of ['mousedown', 'mouseup', 'click', 'dblclick', 'auxclick', 'contextmenu']) addEventListener(t, "
    "say);"
    "addEventListener('mousemove', (e) => { if (e.buttons) say(e) }); addEventListener('wheel', (e) => { "
    "log.textContent += `wheel${e.deltaY} ` })</script>";

std::string drawing(Session& session, const Json& args) {
  session.evaluate("() => { log.textContent = '' }");
  const auto answer = session.ok("browser_mouse", args);
  return answer.section("Result");
}

void open_page(Session& session, const char* html) {
  web().set_page("/sets", html);
  session.navigate(web().url("/sets"));
}

// What a program prints.
std::string output_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
  REQUIRE(pipe);
  std::string text;
  for (int c = std::fgetc(pipe.get()); c != EOF; c = std::fgetc(pipe.get())) text.push_back(static_cast<char>(c));
  return text;
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("mouse: clicks at a point and says what was hit; nothing is sent outside of the viewport", "[tool.mouse]") {
  Session session;
  open_page(session, kDrawing);
  CHECK(drawing(session, {{"action", "click"}, {"x", 100}, {"y", 50}})
            .starts_with("clicked at 100, 50: canvas \"Board\"\n"));
  CHECK(session.text_of("#log") == "mousedown0:100,50 mouseup0:100,50 click0:100,50 ");
  CHECK_THAT(drawing(session, {{"action", "click"}, {"x", 360}, {"y", 25}, {"clickCount", 2}}),
             Contains("double-clicked at 360, 25: button \"Save\""));
  CHECK_THAT(session.text_of("#log"), Contains("dblclick0:360,25"));
  drawing(session, {{"action", "click"}, {"x", 10.5}, {"y", 20}, {"button", "right"}});
  CHECK_THAT(session.text_of("#log"), Contains("contextmenu2:10,20") || Contains("contextmenu2:10.5,20"));
  session.evaluate("() => { log.textContent = '' }");
  CHECK_THAT(session.error("browser_mouse", {{"action", "click"}, {"x", 100}, {"y", 5000}}).section("Error"),
             Contains("100, 5000 is outside of the viewport"));
  CHECK_THAT(session.error("browser_mouse", {{"action", "click"}, {"x", 100}}).section("Error"),
             Contains("needs x and y"));
  CHECK_THAT(session.error("browser_mouse", {{"action", "drag"}, {"x", 100}, {"y", 5}}).section("Error"),
             Contains("needs endX and endY"));
  CHECK(session.text_of("#log").empty());
}

TEST_CASE("mouse: a line is drawn by down, move and up over several calls, or by one drag", "[tool.mouse]") {
  Session session;
  open_page(session, kDrawing);
  drawing(session, {{"action", "move"}, {"x", 20}, {"y", 30}});
  CHECK(session.text_of("#log").empty());
  CHECK_THAT(drawing(session, {{"action", "down"}}), Contains("pressed the left button at 20, 30: canvas \"Board\""));
  CHECK_THAT(session.error("browser_mouse", {{"action", "down"}}).section("Error"), Contains("is down already"));
  CHECK_THAT(session.error("browser_mouse", {{"action", "click"}, {"x", 1}, {"y", 1}}).section("Error"),
             Contains("release it"));
  CHECK_THAT(session.error("browser_mouse", {{"action", "up"}, {"button", "right"}}).section("Error"),
             Contains("left button"));
  drawing(session, {{"action", "move"}, {"x", 60}, {"y", 70}});
  CHECK(session.text_of("#log") == "mousemove0:60,70 ");
  drawing(session, {{"action", "up"}, {"x", 80}, {"y", 90}});
  CHECK_THAT(session.text_of("#log"), Contains("mousemove0:80,90") && Contains("mouseup0:80,90"));
  CHECK_THAT(session.error("browser_mouse", {{"action", "up"}}).section("Error"), Contains("No button is down"));
  CHECK_THAT(drawing(session, {{"action", "drag"}, {"x", 10}, {"y", 10}, {"endX", 200}, {"endY", 150}}),
             Contains("dragged from 10, 10 (canvas \"Board\") to 200, 150 (canvas \"Board\")"));
  CHECK_THAT(session.text_of("#log"), matchers::StartsWith("mousedown0:10,10 ") && Contains("mouseup0:200,150"));
}

TEST_CASE("mouse: it goes on from where another tool has put it", "[tool.mouse]") {
  Session session;
  open_page(session, kDrawing);
  const auto middle = [&](const char* element) {
    return session
        .evaluate(std::string("() => { const { x, y, width, height } = document.querySelector('") + element +
                  "').getBoundingClientRect(); return `${x + width / 2}, ${y + height / 2}` }")
        .get<std::string>();
  };
  session.ok("browser_hover", {{"target", "button"}});
  CHECK_THAT(drawing(session, {{"action", "down"}}), Contains("at " + middle("button") + ": button \"Save\""));
  drawing(session, {{"action", "up"}});
  session.ok("browser_click", {{"target", "canvas"}});
  CHECK_THAT(drawing(session, {{"action", "down"}}), Contains("at " + middle("canvas") + ": canvas \"Board\""));
  drawing(session, {{"action", "up"}});
  session.ok("browser_drag", {{"startTarget", "canvas"}, {"endTarget", "button"}});
  CHECK_THAT(drawing(session, {{"action", "down"}}), Contains("at " + middle("button")));
}

TEST_CASE("mouse: a click with a delay keeps its button down for so long", "[tool.mouse]") {
  Session session;
  open_page(session, kDrawing);
  session.evaluate(
      "() => { window.held = []; addEventListener('mousedown', (e) => { window.at = e.timeStamp });"
      "addEventListener('mouseup', (e) => { window.held.push(e.timeStamp - window.at) }) }");
  CHECK(drawing(session, {{"action", "click"}, {"x", 100}, {"y", 50}, {"clickCount", 2}, {"delay", 60}})
            .starts_with("double-clicked at 100, 50: canvas \"Board\""));
  CHECK(session.text_of("#log") ==
        "mousedown0:100,50 mouseup0:100,50 click0:100,50 mousedown0:100,50 mouseup0:100,50 click0:100,50 "
        "dblclick0:100,50 ");
  CHECK(session.evaluate("window.held.length === 2 && window.held.every((ms) => ms >= 50)") == true);
}

TEST_CASE("mouse: an abort while a click's button is down releases it off the page",
          "[tool.mouse] [cancel.browser.input]") {
  Session session;
  open_page(session, kDrawing);
  session.evaluate(
      "() => { addEventListener('mousedown', () => fetch('/mouse-is-down')); c.onclick = () => { window.clicked = true "
      "} }");
  auto running = session.start("browser_mouse", {{"action", "click"}, {"x", 100}, {"y", 50}, {"delay", 10'000}});
  REQUIRE(web().wait_for_request("/mouse-is-down", kPatience));
  running->abort_and_get();
  CHECK_THAT(session.error("browser_mouse", {{"action", "up"}}).section("Error"), Contains("No button is down"));
  CHECK_THAT(session.text_of("#log"), matchers::StartsWith("mousedown0:100,50 mouseup0:-1,-1 "));
  CHECK(session.evaluate("window.clicked === undefined") == true);
}

TEST_CASE("mouse: the wheel turns where the mouse is", "[tool.mouse]") {
  Session session;
  open_page(session, kDrawing);
  CHECK_THAT(drawing(session, {{"action", "wheel"}, {"x", 50}, {"y", 60}, {"deltaY", 400}}),
             Contains("turned the wheel by 0, 400 at 50, 60"));
  CHECK(eventually([&] { return session.evaluate("scrollY").get<double>() == 400; }));
  CHECK_THAT(session.text_of("#log"), Contains("wheel400"));
}

TEST_CASE("mouse: what a cancelled call has pressed is released", "[tool.mouse] [cancel.browser.input]") {
  Session session;
  open_page(
      session,
      "<!doctype html><title>Down</title><body style=margin:0><button style=width:100px;height:30px>B</button><script>"
      "document.querySelector('button').onclick = () => { window.clicked = true };"
      "addEventListener('mousedown', () => { location = '/never?mouse-down' })</script>");
  auto running = session.start("browser_mouse", {{"action", "down"}, {"x", 10}, {"y", 8}});
  REQUIRE(web().wait_for_request("/never?mouse-down", kPatience));
  running->abort_and_get();
  CHECK(session.evaluate("window.clicked === undefined") == true);
  CHECK_THAT(session.error("browser_mouse", {{"action", "up"}}).section("Error"), Contains("No button is down"));
  session.evaluate("addEventListener('mousemove', (e) => { window.buttons = e.buttons })");
  session.ok("browser_mouse", {{"action", "move"}, {"x", 20}, {"y", 20}});
  CHECK(eventually([&] { return session.evaluate("window.buttons") == 0; }));
}

TEST_CASE("mouse: an abort ends the navigation that a click has caused, and the tab stays usable",
          "[tool.mouse] [cancel.browser.navigation]") {
  Session session;
  open_page(session, "<!doctype html><title>Link</title><body style=margin:0><a href='/never?abort-mouse'>never</a>");
  auto running = session.start("browser_mouse", {{"action", "click"}, {"x", 10}, {"y", 8}});
  REQUIRE(web().wait_for_request("/never?abort-mouse", kPatience));
  running->abort_and_get();
  CHECK_THAT(session.ok("browser_snapshot").section("Events"), Contains("cancelled: clicked at 10, 8: link \"never\""));
  CHECK(session.evaluate("document.title") == "Link");
  CHECK(session.tab()->state().pending_url.empty());
}

TEST_CASE("pdf: the page is in the file, in the paper that was asked for", "[tool.pdf]") {
  Session session;
  open_page(
      session,
      "<!doctype html><title>Report</title><h1>Quarterly figures</h1><p style='break-before:page'>Second page</p>");
  const auto saved = session.ok("browser_pdf_save", {{"filename", "report"}, {"format", "A5"}, {"landscape", true}});
  CHECK_THAT(saved.section("Result"), Contains("PDF of the page, A5 landscape, "));
  const auto path = saved.structured["path"].get<std::string>();
  CHECK(path.ends_with("/report.pdf"));
  const auto bytes = read_file(path);
  CHECK(bytes.size() == saved.structured["bytes"].get<std::size_t>());
  CHECK(bytes.starts_with("%PDF-"));
  const auto words = output_of("pdftotext '" + path + "' -");
  CHECK_THAT(words, Contains("Quarterly figures") && Contains("\fSecond page"));
  CHECK_THAT(output_of("pdfinfo '" + path + "'"), Contains("Pages:") && Contains("2") && Contains("595"));
  // No file is replaced.
  const auto again = session.ok("browser_pdf_save", {{"filename", "report.pdf"}});
  CHECK(again.structured["path"] != saved.structured["path"]);
  CHECK_THAT(session.error("browser_pdf_save", {{"filename", "../../report"}}).section("Error"), Contains("outside"));
}

TEST_CASE("pdf: an abort while the page is printed leaves no file", "[tool.pdf] [cancel.browser]") {
  Session session;
  open_page(session,
            "<!doctype html><title>Slow</title><script>addEventListener('beforeprint', () => {"
            "const end = Date.now() + 3000; while (Date.now() < end); })</script>");
  auto running = session.start("browser_pdf_save", {{"filename", "slow.pdf"}});
  REQUIRE(eventually([&] { return session.browser()->pending_commands() > 0; }));
  running->abort_and_get();
  CHECK_FALSE(std::filesystem::exists(session.scope().files()->path() / "slow.pdf"));
  CHECK(session.evaluate("document.title") == "Slow");
}
