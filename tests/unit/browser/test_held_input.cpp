// What a person's input holds down in a tab, and what releases it [panel.input.released].

#include "browser/page/input/held_input.h"
#include "tests/support/catch.h"

using namespace bridle;

namespace {

Tab::Command key(const char* type, const char* name, const char* code) {
  Json params = {{"type", type}, {"key", name}, {"code", code}, {"modifiers", 0}, {"windowsVirtualKeyCode", 65}};
  if (params["type"] == "keyDown") params.update({{"text", name}, {"unmodifiedText", name}, {"autoRepeat", true}});
  return {"Input.dispatchKeyEvent", std::move(params)};
}

Tab::Command mouse(const char* type, double x, const char* button) {
  return {"Input.dispatchMouseEvent", {{"type", type}, {"x", x}, {"y", 2.5}, {"button", button}}};
}

}  // namespace

TEST_CASE("held input: the last key goes up first, with the modifiers that are still down", "[panel.input.released]") {
  HeldInput held;
  held.note({key("rawKeyDown", "Shift", "ShiftLeft"),
             key("keyDown", "A", "KeyA"),
             key("keyDown", "A", "KeyA"),
             key("keyDown", "b", "KeyB"),
             key("keyUp", "B", "KeyB"),
             {"Input.insertText", {{"text", "x"}}}});
  const auto ups = held.take();
  REQUIRE(ups.size() == 2);
  CHECK(ups[0].method == "Input.dispatchKeyEvent");
  CHECK(ups[0].params ==
        Json{{"type", "keyUp"}, {"key", "A"}, {"code", "KeyA"}, {"modifiers", 8}, {"windowsVirtualKeyCode", 65}});
  CHECK(ups[1].params.at("key") == "Shift");
  CHECK(ups[1].params.at("modifiers") == 0);
  CHECK(held.take().empty());
}

TEST_CASE("held input: a button goes up where the mouse was last, and a drag ends without a drop",
          "[panel.input.released]") {
  HeldInput held;
  held.note({mouse("mousePressed", 10, "left"), mouse("mousePressed", 11, "right"), mouse("mouseReleased", 12, "right"),
             mouse("mouseMoved", 20.5, "left")});
  const auto ups = held.take();
  REQUIRE(ups.size() == 2);
  CHECK(ups[0].method == "Input.cancelDragging");
  CHECK(ups[1].params.at("type") == "mouseReleased");
  CHECK(ups[1].params.at("button") == "left");
  CHECK(ups[1].params.at("x") == 20.5);
  CHECK(ups[1].params.at("y") == 2.5);
  CHECK(ups[1].params.at("clickCount") == 0);
  held.note({mouse("mouseReleased", 30, "middle")});
  CHECK(held.take().empty());
}
