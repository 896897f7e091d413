#pragma once

#include <string>

#include "base/call_context.h"
#include "browser/snapshot.h"
#include "browser/tab.h"

namespace bridle {

// An element that is ready to be acted on, and where. Points are CSS px in the main frame's viewport.
struct ReadyElement {
  std::string frame{};
  std::string ref{};       // "" when the snapshot hasn't numbered it
  std::string describe{};  // button "Save"
  std::string tag{};
  std::string input_type{};
  bool is_link = false;
  bool secret = false;  // a password or one-time code: its value must not be told
  int matches = 1;      // how many elements the target named
  double x = 0;
  double y = 0;
};

// Waits, within `timeout`, until the element is there and ready for `kind` (click, hover, type, select, drag, file,
// none), scrolled into view and uncovered (spec/tools, "Decisions" 3). Throws ToolError with why it isn't.
ReadyElement ready_element(const CallContext& ctx, Tab& tab, const RefSpace& refs, const std::string& target,
                           const std::string& kind, Millis timeout);

// A page function on a target's frame, as page_call; a result with ok false becomes a ToolError.
Json element_call(const CallContext& ctx, Tab& tab, const std::string& frame, std::string_view name, Json args,
                  Millis limit = limits::kCdpCommand);

}  // namespace bridle
