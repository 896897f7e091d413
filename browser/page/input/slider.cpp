#include "browser/page/input/slider.h"

#include <spdlog/fmt/fmt.h>

#include "base/errors.h"
#include "base/limits.h"
#include "browser/page/input/input.h"
#include "browser/page/input/slider_course.h"
#include "browser/page/world/world.h"

namespace bridle {
namespace {

// So long a page may take to show what a key has done. A key without effect takes all of it.
constexpr Millis kFollowing{200};

using State = page::SliderNow::Result;

State slider_now(const CallContext& ctx, Tab& tab, const std::string& frame, Millis limit) {
  auto now = element_call(ctx, tab, frame, page::SliderNow{.timeout = limit.count()});
  // Its commit may not have been heard of yet.
  if (now.left) throw DocumentGone("The page went on to another document.");
  return now;
}

constexpr const char* kByMouse =
    "Drag it with browser_drag to a point of its track (endTarget, endPosition), or click there with browser_click "
    "(position).";

// What the end of the course means for the caller. Throws ToolError where that is not what was asked for.
std::string outcome(const SliderCourse& course, const State& state, const std::string& describe, double wanted) {
  switch (course.end()) {
    case SliderCourse::End::reached:
      return fmt::format("set {} to {}", describe, state.said);
    case SliderCourse::End::closest:
      return fmt::format("set {} to {}, the closest to {} that its steps of {:.6g} reach ({})", describe, state.said,
                         wanted, course.step(), state.standing);
    case SliderCourse::End::no_keys:
      throw ToolError(fmt::format("{} doesn't react to arrow keys: it stays at {} ({}). {}", describe, state.said,
                                  state.standing, kByMouse));
    case SliderCourse::End::held_up:
      throw ToolError(fmt::format(
          "{} goes no further towards {} by keys: it is a slider {}. What holds it up may be another slider, or the "
          "page's own rule.",
          describe, wanted, state.standing));
    case SliderCourse::End::too_many:
      throw ToolError(fmt::format("{} was moved by {} keys towards {}, and is a slider {}. Call again to go on. {}",
                                  describe, limits::kSliderPresses, wanted, state.standing, kByMouse));
    case SliderCourse::End::none:
      break;
  }
  throw ToolError(
      fmt::format("{} lost the focus while keys moved it towards {}, and is a slider {}. Call again to go on.",
                  describe, wanted, state.standing));
}

}  // namespace

std::string move_slider(const CallContext& ctx, Tab& tab, const ReadyElement& element, double wanted,
                        const std::function<void()>& before_each) {
  auto state = slider_now(ctx, tab, element.frame, Millis(0));
  SliderCourse course(
      {.now = state.now, .wanted = wanted, .least = state.least, .most = state.most, .upright = state.upright});
  try {
    while (state.focused) {
      const auto key = course.next();
      if (key.empty()) break;
      before_each();
      press_key(ctx, tab, key);
      state = slider_now(ctx, tab, element.frame, kFollowing);
      course.moved_to(state.now);
    }
  } catch (const DocumentGone&) {
    return fmt::format("moved {} towards {}, by which the page went on to another document", element.describe, wanted);
  }
  return outcome(course, state, element.describe, wanted);
}

}  // namespace bridle
