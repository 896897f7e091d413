// What is drawn over a video's pictures [tool.video].
#include "tests/support/catch.h"
#include "tools/devtools/video/layer.h"

using namespace bridle;
using namespace std::chrono_literals;

namespace {

// The pixels of a QOI file that has runs and whole pixels alone.
std::vector<std::uint32_t> decode(const std::string& file) {
  const auto byte = [&](std::size_t at) { return static_cast<std::uint32_t>(static_cast<unsigned char>(file.at(at))); };
  std::vector<std::uint32_t> pixels;
  std::uint32_t before = 0xFF;
  std::size_t at = 14;
  while (at < file.size() - 8) {
    if (byte(at) == 0xFF) {
      before = byte(at + 1) << 24 | byte(at + 2) << 16 | byte(at + 3) << 8 | byte(at + 4);
      pixels.push_back(before);
      at += 5;
    } else {
      pixels.insert(pixels.end(), byte(at) - 0xC0 + 1, before);
      ++at;
    }
  }
  return pixels;
}

Json mouse(const char* type, double x, double y) { return {{"type", type}, {"x", x}, {"y", y}, {"button", "left"}}; }

}  // namespace

TEST_CASE("video: an empty picture is small, and one that is drawn on reads as it was drawn", "[tool.video]") {
  Canvas canvas(640, 360);
  CHECK(canvas.is_empty());
  const auto empty = canvas.qoi();
  CHECK(empty.starts_with("qoif"));
  CHECK(empty.size() < 4000);
  CHECK(empty.ends_with(std::string(7, '\0') + '\1'));
  canvas.blend(3, 2, 0x102030, 1);
  canvas.blend(-1, 0, 0x102030, 1);
  canvas.blend(640, 0, 0x102030, 1);
  CHECK_FALSE(canvas.is_empty());
  const auto pixels = decode(canvas.qoi());
  REQUIRE(pixels.size() == 640 * 360);
  CHECK(pixels[2 * 640 + 3] == 0x102030FF);
  CHECK(pixels[2 * 640 + 4] == 0);
  canvas.blend(3, 2, 0xFFFFFF, 0.5);
  CHECK((canvas.at(3, 2) >> 24) > 0x70);
  canvas.clear();
  CHECK(canvas.qoi() == empty);
}

TEST_CASE("video: the page keeps its shape and stands in the middle", "[tool.video]") {
  CHECK(fit(1280, 720, 640, 360).scale == 0.5);
  const auto tall = fit(100, 200, 200, 200);
  CHECK(tall.scale == 1);
  CHECK(tall.left == 50);
  CHECK(tall.top == 0);
  CHECK(fit(0, 0, 640, 360).scale == 1);
}

TEST_CASE("video: the pointer stays, rings and words go by, and nothing of a text is drawn", "[tool.video]") {
  Canvas canvas(640, 360);
  ActionTrace trace;
  const auto begun = Clock::now();
  CHECK(trace.draw(canvas, {}, begun));
  CHECK(canvas.is_empty());
  CHECK_FALSE(trace.draw(canvas, {}, begun));
  trace.note("Input.dispatchMouseEvent", mouse("mouseMoved", 100, 50), begun);
  CHECK(trace.draw(canvas, {.left = 10, .top = 20, .scale = 2}, begun));
  CHECK(canvas.at(10 + 200 + 2, 20 + 100 + 6) == 0x202124FF);  // within the arrow
  const auto pointer = canvas.qoi();
  CHECK_FALSE(trace.draw(canvas, {}, begun + 5s));
  trace.note("Input.dispatchMouseEvent", mouse("mousePressed", 100, 50), begun);
  trace.note("Input.dispatchMouseEvent", mouse("mouseReleased", 100, 50), begun);
  CHECK(trace.draw(canvas, {.left = 10, .top = 20, .scale = 2}, begun + 100ms));
  CHECK(canvas.qoi() != pointer);
  CHECK(trace.draw(canvas, {.left = 10, .top = 20, .scale = 2}, begun + 5s));
  CHECK(canvas.qoi() == pointer);
  CHECK_FALSE(trace.draw(canvas, {}, begun + 6s));

  const auto typed = [&](const char* method, const Json& params) {
    ActionTrace one;
    one.note(method, params, begun);
    one.draw(canvas, {}, begun);
    return canvas.qoi();
  };
  const auto typing = typed("Input.insertText", {{"text", "secret"}});
  CHECK(typed("Input.insertText", {{"text", "other"}}) == typing);
  CHECK(typed("Input.dispatchKeyEvent", {{"type", "keyDown"}, {"key", "s"}, {"text", "s"}}) == typing);
  CHECK(typed("Input.dispatchKeyEvent", {{"type", "keyDown"}, {"key", "Enter"}}) != typing);
}
