#include "browser/page/input/pointer.h"

#include "base/errors.h"
#include "browser/page/input/input.h"
#include "browser/page/input/mouse_events.h"

namespace bridle {
namespace {

constexpr const char* kMouse = "Input.dispatchMouseEvent";

}  // namespace

void pointer_move(const CallContext& ctx, Tab& tab, double x, double y) {
  Pointer& pointer = tab.pointer();
  const bool held = !pointer.held.empty();
  ctx.signal.throw_if_aborted();
  pointer.x = x;
  pointer.y = y;
  tab.call(ctx, kMouse,
           mouse_event("mouseMoved", x, y, held ? pointer.held : "none", held ? button_bit(pointer.held) : 0, 0, 0));
}

void pointer_arrive(const CallContext& ctx, Tab& tab, double x, double y) {
  mouse_move(ctx, tab, x + 1, y);  // answered at the next frame: two that come within one are one movement to the page
  mouse_move(ctx, tab, x, y);
}

void pointer_down(const CallContext& ctx, Tab& tab, const std::string& button, int count) {
  Pointer& pointer = tab.pointer();
  if (!pointer.held.empty())
    throw ToolError("The " + pointer.held + " button is down already: release it with action up first.");
  ctx.signal.throw_if_aborted();
  pointer.held = button;
  // In one burst, as a lone move is answered only at the next frame [why.click-in-one-burst].
  tab.call_all(ctx,
               {{kMouse, mouse_event("mouseMoved", pointer.x, pointer.y, "none", 0, 0, 0)},
                {kMouse, mouse_event("mousePressed", pointer.x, pointer.y, button, button_bit(button), count, 0)}});
}

void pointer_release(Tab& tab) {
  auto& held = tab.pointer().held;
  if (!held.empty()) tab.post(kMouse, mouse_let_go(-1, -1, held));
  held.clear();
}

void pointer_up(const CallContext& ctx, Tab& tab, const std::string& button, int count) {
  Pointer& pointer = tab.pointer();
  if (pointer.held.empty()) throw ToolError("No button is down: press one with action down first.");
  if (pointer.held != button)
    throw ToolError("It is the " + pointer.held + " button that is down: give button \"" + pointer.held + "\".");
  ctx.signal.throw_if_aborted();
  pointer.held.clear();
  tab.call(ctx, kMouse, mouse_event("mouseReleased", pointer.x, pointer.y, button, 0, count, 0));
}

void pointer_wheel(const CallContext& ctx, Tab& tab, double delta_x, double delta_y) {
  ctx.signal.throw_if_aborted();
  const Pointer& pointer = tab.pointer();
  tab.call(ctx, kMouse,
           wheel_event(pointer.x, pointer.y, delta_x, delta_y, pointer.held.empty() ? 0 : button_bit(pointer.held)));
}

}  // namespace bridle
