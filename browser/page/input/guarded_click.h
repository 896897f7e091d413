#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/concurrency/call_context.h"
#include "browser/page/input/element.h"
#include "browser/page/input/input.h"
#include "browser/page/snapshot.h"
#include "browser/tab/tab.h"

namespace bridle {

// Why input that was blocked and that nobody else got didn't come to the page: for a caller to read.
inline constexpr std::string_view kInputDropped =
    "the browser drops what is pressed in this page, as it does before it has drawn it, where a debugger says so, and "
    "while a window of its own lies over it, such as one that asks for a screen to share or for a passkey "
    "(browser_reload closes it)";

// Watches an input from inside the page: from ready_element(..., guard) to the end of this object, input that would
// land elsewhere than on the element is stopped before the page sees it [why.click-watched]. The watch is removed on
// every path; after an abort, without waiting for the page.
class HitGuard {
 public:
  HitGuard(Tab& tab, const ReadyElement& element) : tab_(tab), element_(element) {}
  ~HitGuard();
  HitGuard(const HitGuard&) = delete;
  HitGuard& operator=(const HitGuard&) = delete;

  // What became of the input. `instead` describes what was hit instead of the element; it is "" when the element was
  // hit, when nobody can tell any more (the page is leaving, a dialog blocks it), and when the browser dropped the
  // input (kInputDropped). `blocked`: nothing of the input reached the page, so the input may be repeated. Throws
  // Aborted, TabGone.
  struct Miss {
    std::string instead{};
    bool blocked = false;
    // After a press on the element, when the page changed what was under the mouse before the release: who got the
    // click, or "nobody".
    std::string clicked{};
    bool unheard = false;  // the page, which still had to do something after the press, may not have heard the release
  };
  Miss end(const CallContext& ctx);

 private:
  Tab& tab_;
  const ReadyElement& element_;
  bool ended_ = false;
};

// A click with all checks: waits for the element, clicks it at its point, and checks during the event that the element
// was hit. A click that was blocked before the page saw it is repeated until `timeout`. `about_to` runs before each
// attempt's first input, `missed` after an attempt that did nothing, `lost` where another
// than the element got the click, whom it is told (HitGuard::Miss::clicked). Throws as ready_element and mouse_click
// do.
struct GuardedClick {
  std::string target{};
  std::string kind = "click";
  std::string frame{};          // the id of the frame that it is in, where that is known
  std::optional<PointIn> at{};  // instead of its middle
  MouseClick click{};           // its point is set here
  Millis timeout{};
  std::function<void(const ReadyElement&)> about_to{};
  std::function<void()> missed{};
  std::function<void(const std::string& clicked)> lost{};
};
ReadyElement guarded_click(const CallContext& ctx, Tab& tab, const RefSpace& refs, GuardedClick options);

}  // namespace bridle
