#pragma once

#include <string>

#include "base/concurrency/call_context.h"
#include "browser/page/input/element.h"
#include "browser/tab/tab.h"

namespace bridle {

// How a test finds an element again.
struct Locator {
  std::string playwright{};  // getByRole('button', { name: 'Save' }), with the frames that lead to it
  std::string css{};         // within its frame
  std::string role{};        // role=button[name="Save"], or ""
};
// Of an element that is there now. Throws ToolError when it has gone, and as page_call().
Locator locate(const CallContext& ctx, Tab& tab, const ReadyElement& element);

}  // namespace bridle
