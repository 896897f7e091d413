#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/call_context.h"
#include "browser/tab.h"

// Mouse and keyboard through CDP's Input domain. Everything throws Aborted, DialogOpened (the input had its effect and
// a dialog now blocks the page), TabGone, CdpTimeout. An abort in the middle releases the buttons and modifiers that
// are held and sends no more input (spec/cancellation, "What the browser does on abort").
namespace bridle {

struct MouseClick {
  double x = 0;  // CSS px in the main frame's viewport
  double y = 0;
  std::string button = "left";           // left, right, middle
  int count = 1;                         // 2: double click
  std::vector<std::string> modifiers{};  // Alt, Control, ControlOrMeta, Meta, Shift
};

void mouse_move(const CallContext& ctx, Tab& tab, double x, double y);
void mouse_click(const CallContext& ctx, Tab& tab, const MouseClick& click);
// Press at the first point, move in `steps` to the second, release there.
void mouse_drag(const CallContext& ctx, Tab& tab, double from_x, double from_y, double to_x, double to_y, int steps);

// One key or a combination: "Enter", "a", "Control+Shift+T". Throws ToolError, before any input, naming what isn't a
// key. After it no modifier stays down.
void press_key(const CallContext& ctx, Tab& tab, std::string_view combination);
// The whole text at once, as an input method commits it.
void insert_text(const CallContext& ctx, Tab& tab, const std::string& text);
// Key by key, with key events for each character.
void type_slowly(const CallContext& ctx, Tab& tab, std::string_view text);

}  // namespace bridle
