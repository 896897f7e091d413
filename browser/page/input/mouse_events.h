#pragma once

#include <string>

#include "base/text/json.h"

// Parameters of Input.dispatchMouseEvent. Inside of browser/page/input/.
namespace bridle {

// The bit of a button in MouseEvent.buttons.
inline int button_bit(const std::string& button) { return button == "right" ? 2 : button == "middle" ? 4 : 1; }

// `button`: the one that the event is about, or "none"; `buttons`: the bits of those that are down after it.
inline Json mouse_event(const char* type, double x, double y, const std::string& button, int buttons, int count,
                        int modifiers) {
  return {{"type", type},
          {"x", x},
          {"y", y},
          {"button", button},
          {"buttons", buttons},
          {"clickCount", count},
          {"modifiers", modifiers},
          {"pointerType", "mouse"}};
}

// A button goes up and no click results, as nobody clicks: whoever held it has gone. The browser makes a click of any
// press and release, whatever their count and wherever they are; the page's script (js/input/releases.js) knows this
// release by a twist that no mouse has, and stops that click. All buttons are up after it, so that the page sees a
// pointerup.
inline Json mouse_let_go(double x, double y, const std::string& button, int modifiers = 0) {
  constexpr int kLetGoTwist = 359;  // degrees
  Json event = mouse_event("mouseReleased", x, y, button, 0, 0, modifiers);
  event["twist"] = kLetGoTwist;
  return event;
}

// The wheel, by CSS px; `buttons` as above.
inline Json wheel_event(double x, double y, double delta_x, double delta_y, int buttons) {
  Json event = mouse_event("mouseWheel", x, y, "none", buttons, 0, 0);
  event["deltaX"] = delta_x;
  event["deltaY"] = delta_y;
  return event;
}

}  // namespace bridle
