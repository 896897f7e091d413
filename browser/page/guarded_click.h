#pragma once

#include <functional>
#include <string>

#include "base/call_context.h"
#include "browser/page/element.h"
#include "browser/page/input.h"
#include "browser/page/snapshot.h"
#include "browser/tab/tab.h"

namespace bridle {

// The page's own watch over an input: from ready_element(..., guard) until its end, input that lands elsewhere than on
// the element is stopped before the page sees it (browser/page/js/78_guard.js). Taken away on every path; one that is
// still there after an abort is taken away without waiting.
class HitGuard {
 public:
  HitGuard(Tab& tab, const ReadyElement& element) : tab_(tab), element_(element) {}
  ~HitGuard();
  HitGuard(const HitGuard&) = delete;
  HitGuard& operator=(const HitGuard&) = delete;

  // What became of the input; takes the guard away. "" when it hit, or when nobody can tell any more (the page is
  // leaving, a dialog blocks it); else words for what was hit instead. `blocked`: nothing of it reached the page, so it
  // may be tried again. Throws Aborted, TabGone.
  struct Miss {
    std::string instead{};
    bool blocked = false;
  };
  Miss end(const CallContext& ctx);

 private:
  Tab& tab_;
  const ReadyElement& element_;
  bool ended_ = false;
};

// A click with all checks: waits for the element, clicks it at its point, and looks again, during the event, whether it
// was hit; what was blocked on its way is tried again until `timeout`. `about_to` runs before each attempt's first
// input, `missed` after an attempt that did nothing. Throws as ready_element and mouse_click do.
struct GuardedClick {
  std::string target{};
  std::string kind = "click";
  MouseClick click{};  // its point is set here
  Millis timeout{};
  std::function<void(const ReadyElement&)> about_to{};
  std::function<void()> missed{};
};
ReadyElement guarded_click(const CallContext& ctx, Tab& tab, const RefSpace& refs, GuardedClick options);

}  // namespace bridle
