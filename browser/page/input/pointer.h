#pragma once

#include <string>

#include "base/concurrency/call_context.h"
#include "browser/tab/tab.h"

// The mouse of a tab in single steps [tool.mouse]: it stays where it was put, and a button stays down until it is
// released, over several calls. Coordinates are CSS px in the main frame's viewport. For who has the tab's turn; throws
// as the functions of input.h do.
namespace bridle {

void pointer_move(const CallContext& ctx, Tab& tab, double x, double y);
// The mouse, with no button down, as a hand moves it, which no page sees as a single movement: by way of the pixel
// beside.
void pointer_arrive(const CallContext& ctx, Tab& tab, double x, double y);
// Throws ToolError when a button is down already, or none is. `count`: 2 for the second press of a double click, ...
void pointer_down(const CallContext& ctx, Tab& tab, const std::string& button, int count = 1);
// After an abort: the button that is down goes up off the page, so that no click results. Waits for nothing.
void pointer_release(Tab& tab);
void pointer_up(const CallContext& ctx, Tab& tab, const std::string& button, int count = 1);
// Turns the wheel where the mouse is.
void pointer_wheel(const CallContext& ctx, Tab& tab, double delta_x, double delta_y);

}  // namespace bridle
