#pragma once

#include <string>
#include <string_view>

#include "base/concurrency/call_context.h"
#include "browser/page/snapshot.h"
#include "browser/tab/tab.h"

// How a caller names an element [tool.target]. What a selector matches is the page script's business
// (browser/page/js/target); here is which frame it is looked for in.
namespace bridle {

// What the page script itself has found for the call that goes on, in its frame: browser/page/js/target/pointed.js.
inline constexpr const char* kPointedTarget = "bridle:pointed";

// The ref that a target names, however it is written: `e12`, `f1e3`, `ref=e12`, `@e12`, `[ref=e12]`, or a line of a
// snapshot such as `button "Save" [ref=e12]`. "" when it names none.
std::string ref_in(std::string_view target);

// Which frame a target belongs to: `f1e3` names its own, anything else starts in the main frame. A selector that
// matches nothing in the main frame is looked for in the others, in the order of the page's tree. `found` false: no
// frame has it (yet), and `id` is the main one. Throws ToolError when a ref's frame is gone.
struct TargetFrame {
  std::string id{};
  bool found = true;
};
TargetFrame locate_target(const CallContext& ctx, Tab& tab, const RefSpace& refs, const std::string& target);

}  // namespace bridle
