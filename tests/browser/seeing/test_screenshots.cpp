// Pictures as models take them, and with refs drawn in.
#include <fstream>
#include <iterator>

#include "base/text/codecs.h"
#include "tests/browser/support/browser_fixture.h"

using namespace bridle;
using namespace bridle::testing;

namespace {

unsigned number_at(const std::string& bytes, std::size_t at) {
  unsigned value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = (value << 8) | static_cast<unsigned char>(bytes.at(at + i));
  return value;
}

using Size = std::pair<unsigned, unsigned>;
Size png_size(const std::string& bytes) { return {number_at(bytes, 16), number_at(bytes, 20)}; }

std::string picture_of(const Answer& answer) {
  REQUIRE(answer.content.size() == 2);
  return answer.content[1].data;
}

// The colours of points of a picture, decoded by the browser.
Json colours(Session& session, const std::string& mime, const std::string& base64, const Json& points) {
  return session.evaluate("async () => { const image = new Image(); image.src = 'data:" + mime + ";base64," + base64 +
                          "'; await image.decode(); const canvas = document.createElement('canvas'); canvas.width = "
                          "image.width; canvas.height = image.height; const paint = canvas.getContext('2d'); "
                          "paint.drawImage(image, 0, 0); return " +
                          points.dump() + ".map(([x, y]) => paint.getImageData(x, y, 1, 1).data.slice(0, 3).join()) }");
}

std::string file_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string saved_path(const Answer& answer) {
  const auto at = answer.text.find("Saved to ");
  REQUIRE(at != std::string::npos);
  return answer.text.substr(at + 9, answer.text.find('\n', at) - at - 9);
}

}  // namespace

TEST_CASE("a picture is scaled down to what models take, at its limits", "[screenshot] [tool.screenshot]") {
  Session session;
  web().set_page("/blank", "<!doctype html><style>body{margin:0}</style><div style='height:10px'></div>");
  session.navigate(web().url("/blank"));
  const auto shot = [&](int width, int height) {
    session.ok("browser_resize", {{"width", width}, {"height", height}});
    const auto answer = session.ok("browser_take_screenshot");
    CHECK(answer.says("scaled down") == (png_size(from_base64(picture_of(answer)).value()) != Size(width, height)));
    return png_size(from_base64(picture_of(answer)).value());
  };
  CHECK(shot(1568, 733) == Size(1568, 733));
  CHECK(shot(1150, 1000) == Size(1150, 1000));
  for (const auto& [width, height] : {std::pair(1569, 700), std::pair(1151, 1000), std::pair(1920, 1080),
                                      std::pair(700, 1569), std::pair(300, 4000)}) {
    CAPTURE(width, height);
    const auto [across, down] = shot(width, height);
    CHECK(std::max(across, down) <= 1568);
    CHECK(across * down <= 1'150'000);
    CHECK((std::max(across, down) >= 1560 || across * down >= 1'140'000));  // and no smaller than it must be
    CHECK(std::abs(static_cast<double>(across) / down - static_cast<double>(width) / height) < 0.02);
  }
  session.ok("browser_resize", {{"width", 1920}, {"height", 1080}});
  const auto device = session.ok("browser_take_screenshot", {{"scale", "device"}});
  CHECK(png_size(from_base64(picture_of(device)).value()) == Size(1920, 1080));
  CHECK(session.evaluate("[innerWidth, innerHeight, devicePixelRatio]") == Json({1920, 1080, 1}));
}

TEST_CASE("a picture with a filename is whole and in the file alone, in each format",
          "[screenshot] [tool.screenshot]") {
  Session session;
  session.navigate(web().url("/plain"));
  session.ok("browser_resize", {{"width", 1920}, {"height", 1080}});
  for (const auto& [name, magic] :
       {std::pair("a.png", "\x89PNG"), std::pair("b.jpg", "\xFF\xD8\xFF"), std::pair("c.webp", "RIFF")}) {
    CAPTURE(name);
    const auto answer = session.ok("browser_take_screenshot", {{"filename", name}});
    CHECK(answer.content.size() == 1);
    CHECK(!answer.says("scaled down"));
    const auto bytes = file_bytes(saved_path(answer));
    CHECK(bytes.starts_with(magic));
    if (bytes.starts_with("\x89PNG")) CHECK(png_size(bytes) == Size(1920, 1080));
  }
}

TEST_CASE("marks: each ref that is seen is framed and labelled, in frames too; the page isn't touched",
          "[screenshot] [tool.screenshot.marks]") {
  Session session;
  web().set_page("/marked", R"(<!doctype html><title>Marked</title><style>body{margin:0;height:3000px}
    button,iframe,div{position:absolute;margin:0;border:0;background:#fff}</style>
    <button id=a style="left:100px;top:100px;width:120px;height:40px">A</button>
    <button id=b style="left:300px;top:100px;width:120px;height:40px">B</button>
    <div style="left:290px;top:90px;width:140px;height:60px"></div>
    <button id=c style="left:100px;top:2000px;width:120px;height:40px">C</button>
    <iframe style="left:500px;top:200px;width:300px;height:200px" srcdoc="<style>body{margin:0}</style><button
      style='position:absolute;left:50px;top:60px;width:120px;height:40px;border:0;background:#fff'>D</button>"></iframe>
    <script>changes = 0; new MutationObserver((all) => { changes += all.length }).observe(document,
      {subtree: true, childList: true, attributes: true, characterData: true})</script>)");
  session.navigate(web().url("/marked"));
  const auto before = session.snapshot();
  session.evaluate(
      "() => { const late = document.createElement('p'); late.textContent = 'Later'; "
      "late.style.cssText = 'position:absolute;left:900px;top:100px'; document.body.append(late) }");
  const auto html = session.evaluate("document.documentElement.outerHTML");
  const auto changes = session.evaluate("changes");
  const auto plain = picture_of(session.ok("browser_take_screenshot"));
  const auto answer = session.ok("browser_take_screenshot", {{"marks", true}});
  CHECK(session.evaluate("document.documentElement.outerHTML") == html);
  CHECK(session.evaluate("changes") == changes);
  CHECK_THAT(answer.text, Contains("4 elements marked with their refs"));  // A, the frame, D, Later
  // Middles of the edges: of A, of D within its frame; of B, which is covered, and a point that is no edge.
  const Json points = {{160, 100}, {160, 140}, {610, 260}, {610, 300}, {360, 100}, {205, 125}};
  const auto was = colours(session, "image/png", plain, points);
  const auto is = colours(session, "image/png", picture_of(answer), points);
  for (const int edge : {0, 1, 2, 3}) {
    CAPTURE(edge, was, is);
    CHECK(was[static_cast<std::size_t>(edge)] == "255,255,255");
    CHECK(is[static_cast<std::size_t>(edge)] != "255,255,255");
  }
  CHECK(is[4] == "255,255,255");
  CHECK(is[5] == "255,255,255");
  // The label's colour is its box's, above it.
  CHECK(colours(session, "image/png", picture_of(answer), {{101, 88}})[0] == is[0]);
  // A delta goes on comparing with the snapshot that was shown.
  CHECK_THAT(session.ok("browser_snapshot", {{"mode", "delta"}}).section("Snapshot"), Contains("Later"));
  CHECK_THAT(before, Contains("button \"A\" [ref=e1]"));
  // Of the full page, scaled down; and of one element.
  const auto full = session.ok("browser_take_screenshot", {{"marks", true}, {"fullPage", true}, {"type", "webp"}});
  CHECK_THAT(full.text, Contains("5 elements marked") && Contains("scaled down"));
  CHECK(full.content.at(1).mime_type == "image/webp");
  const auto part = session.ok("browser_take_screenshot", {{"marks", true}, {"target", "#a"}, {"type", "jpeg"}});
  CHECK_THAT(part.text, Contains("1 element marked with its ref"));
  CHECK(from_base64(picture_of(part)).value().starts_with("\xFF\xD8\xFF"));
  const auto file = session.ok("browser_take_screenshot", {{"marks", true}, {"filename", "marked.png"}});
  CHECK(png_size(file_bytes(saved_path(file))) == Size(1280, 720));
}

TEST_CASE("marks: an abort while the page is busy ends the call",
          "[screenshot][abort] [tool.screenshot.marks] [cancel.browser]") {
  Session session;
  web().set_page("/busy-soon", "<button>go</button>");
  session.navigate(web().url("/busy-soon"));
  session.evaluate(
      "() => { setTimeout(() => { fetch('/api/json?busy-marks'); const end = performance.now() + 3000; "
      "while (performance.now() < end); }, 0) }");
  REQUIRE(web().wait_for_request("/api/json?busy-marks", kPatience));
  auto running = session.start("browser_take_screenshot", {{"marks", true}});
  running->abort_and_get();
}
