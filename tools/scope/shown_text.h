#pragma once

#include <optional>
#include <string>

#include "base/concurrency/deadline.h"

namespace bridle {

class PageCall;

// Text that a person sees on a page, or that is to be gone.
struct ShownText {
  std::optional<std::string> text{};
  std::optional<std::string> text_gone{};
};

// An element as a target names it, in a state of a person's or the document's: visible, hidden, attached, detached.
// With several, one that can be seen is seen.
struct ShownElement {
  std::string target{};
  std::string state = "visible";
  bool is_to_go() const { return state == "hidden" || state == "detached"; }
};

// Whether the page shows what is wanted, or comes to within `patience`. Text may be in any frame, in closed shadow
// roots too; text that is to go must be gone from all. A frame that doesn't answer shows nothing. Throws Aborted,
// DialogOpened, TabGone.
bool page_satisfies(PageCall& call, const ShownText& wanted, Millis patience);
// The same for an element. A ref is looked for in its own frame alone. Throws ToolError too: a target that is no
// selector, a ref that has gone and was to be seen.
bool page_satisfies(PageCall& call, const ShownElement& wanted, Millis patience);

}  // namespace bridle
