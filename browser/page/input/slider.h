#pragma once

#include <functional>
#include <string>

#include "base/concurrency/call_context.h"
#include "browser/page/input/element.h"
#include "browser/tab/tab.h"

namespace bridle {

// Moves the slider that the page script's Fill has given the focus to a value, by trusted key presses
// [tool.type.slider]. What it then stands at, in words. `before_each` is called before each key, and ends the moving by
// throwing. Throws ToolError with where the slider stands when it doesn't come there, Aborted, DialogOpened, TabGone.
std::string move_slider(const CallContext& ctx, Tab& tab, const ReadyElement& element, double wanted,
                        const std::function<void()>& before_each);

}  // namespace bridle
