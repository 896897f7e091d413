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

// Whether the page shows what is wanted, or comes to within `patience`. Text may be in any frame, in closed shadow
// roots too; text that is to go must be gone from all. A frame that doesn't answer shows nothing. Throws Aborted,
// DialogOpened, TabGone.
bool page_satisfies(PageCall& call, const ShownText& wanted, Millis patience);

}  // namespace bridle
