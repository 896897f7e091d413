#pragma once

#include <optional>
#include <string>

#include "base/concurrency/call_context.h"
#include "browser/page/input/element.h"
#include "browser/tab/tab.h"

namespace bridle {

struct TextToType {
  std::string text{};
  std::string shown{};     // what stands for it where a field's value is hidden: the name of a secret; "": nothing
  bool by_script = false;  // without input events, which go to the frame that has the focus: another could take it
};

struct Filled {
  bool kept_out = false;  // the page didn't let the text in
  int most = 0;           // characters that the field takes, if the text is longer
  bool moved_on = false;  // it took the beginning of the text, and the page has given the focus to the next field
  // Nothing was put in: it is a slider that has the focus now, to be moved to this number by move_slider().
  std::optional<double> slider{};
};

// Puts a text into an element at once, in place of what it holds: by trusted input events of the browser's, and by the
// page script where a field takes a value only as a whole [tool.type]. `watch`: the main frame's page is watched for
// what settle_action is to judge (ActionInput::watched). Throws ToolError with why the element doesn't take it,
// Aborted, DialogOpened, TabGone.
Filled fill_element(const CallContext& ctx, Tab& tab, const ReadyElement& element, const TextToType& typed, bool watch);

}  // namespace bridle
