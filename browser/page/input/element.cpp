#include "browser/page/input/element.h"

#include <algorithm>
#include <utility>

#include "base/errors.h"
#include "base/text/log.h"
#include "browser/page/input/input.h"
#include "browser/page/input/pointer.h"
#include "browser/page/input/timer_watch.h"
#include "browser/page/target.h"
#include "browser/page/world/questions.h"

namespace bridle {
namespace {

// Which frame holds another, and the session that reaches it; "" when that frame is gone.
struct Parent {
  std::string id{};
  std::string session{};
};
Parent parent_of(Tab& tab, const std::string& frame) {
  const auto found = tab.frame(frame);
  if (!found || found->parent.empty()) return {};
  return {found->parent, tab.frame_session(found->parent)};
}

// Between two searches of all frames for what none of them has.
constexpr Millis kFrameRound{250};
constexpr std::size_t kFramesAsked = 10;  // for their timers
constexpr Millis kQuietRound{600};        // the page script's decision that nothing will come takes less

// CSS px, on both axes: where the mouse is over nothing.
constexpr double kOffPage = -1;

// About 100 ms by the page's own clock: between two tries where something covers a frame.
constexpr int kFramesBetweenTries = 6;

// From a frame's viewport to the main frame's, step by step: a page function sees no further than its own frame. To be
// hit, the frame's element must be in view in each parent, which it is brought to, and hit at the point.
enum class Reach { to_hit, as_it_is };
std::string leave_frames(const CallContext& ctx, Tab& tab, const std::string& frame_id, double& x, double& y,
                         Reach reach) {
  for (std::string frame = frame_id; !frame.empty() && frame != tab.main_frame();) {
    const auto parent = parent_of(tab, frame);
    if (parent.session.empty()) throw ToolError("The element's frame is no longer on this page. Take a new snapshot.");
    const Json owner = tab.call(ctx, "DOM.getFrameOwner", {{"frameId", frame}}, limits::kCdpCommand, parent.session);
    const Json& node = owner.at("backendNodeId");
    const auto object = node_in_world(ctx, tab, parent.id, node);
    const auto step = [&] { return page_call_on(ctx, tab, parent.id, object, page::FrameStep{.x = x, .y = y}); };
    auto at = step();
    if (!at.in_view && reach == Reach::to_hit) {
      tab.call(ctx, "DOM.scrollIntoViewIfNeeded",
               {{"backendNodeId", node}, {"rect", {{"x", x}, {"y", y}, {"width", 1}, {"height", 1}}}},
               limits::kCdpCommand, parent.session);
      at = step();
    }
    release_object(tab, parent.id, object);
    if (!at.ok && reach == Reach::to_hit) return at.error;
    x = at.x;
    y = at.y;
    frame = parent.id;
  }
  return {};
}

// Whether a timer of the frame's page will be over within `most`; `in_any`: or one of the frames below it.
bool any_timer_due(const CallContext& ctx, Tab& tab, const std::string& frame, bool in_any, Millis most) {
  if (timer_is_due(ctx, tab, frame, most)) return true;
  if (!in_any) return false;
  const auto below = tab.frames_below_main();
  const auto asked = std::min(below.size(), kFramesAsked);
  return std::any_of(below.begin(), below.begin() + static_cast<std::ptrdiff_t>(asked),
                     [&](const std::string& one) { return timer_is_due(ctx, tab, one, most); });
}

// The wheel is turned for an element that nothing else brings into view, where a script listens to it: until the page
// doesn't follow any more.
struct WheelTurns {
  bool possible = false;
  std::optional<PointIn> from{};  // where the element was before the last turn
  bool followed = false;          // a turn has moved it
  int idle = 0;                   // turns since the last that did

  void ask(page::Actionable& function) const {
    function.wheels = true;
    if (!from) return;
    function.from_x = from->x;
    function.from_y = from->y;
  }
  void turn(const CallContext& ctx, Tab& tab, const page::Actionable::Result& found) {
    followed = followed || found.moved;
    idle = found.moved || !from ? 0 : idle + 1;
    possible = from ? idle <= (followed ? kIdleTurns : 1) : page_listens_to_wheel(ctx, tab, tab.main_frame());
    if (!possible) return;
    from = PointIn{.x = found.from_x, .y = found.from_y};
    turn_wheel(ctx, tab, found.x, found.y, found.dx, found.dy);
  }

  // A page that has just moved on takes none for a while, maybe before the first too.
  static constexpr int kIdleTurns = 3;
};

// Nothing was done yet when a page goes on to another document, as one that loads itself anew: what is named by its
// looks is looked for in that as well. nullopt: there is another one.
std::optional<page::Actionable::Result> ask_ready(const CallContext& ctx, Tab& tab, const std::string& frame,
                                                  const page::Actionable& function, Millis limit, bool follows) {
  try {
    return page_call(ctx, tab, frame, function, limit);
  } catch (const DocumentGone&) {
    if (!follows) throw;
    return std::nullopt;
  }
}

}  // namespace

bool is_quiet(Tab& tab) {
  const auto now = tab.state();
  // A picture that never comes keeps a document loading for ever.
  return !now.navigation_pending && (now.awaited || !now.loading) && !tab.brings_content();
}

std::string to_main_viewport(const CallContext& ctx, Tab& tab, const std::string& frame, double& x, double& y) {
  return leave_frames(ctx, tab, frame, x, y, Reach::to_hit);
}

PointIn place_of_frame(const CallContext& ctx, Tab& tab, const std::string& frame, PointIn point) {
  leave_frames(ctx, tab, frame, point.x, point.y, Reach::as_it_is);
  return point;
}

// What the page says of what it has not, the nearest of what it has included, where its frames were looked into for
// longer.
std::string absent_everywhere(const std::string& error, const std::string& target, Millis timeout) {
  const auto nearest = error.find(" Nearest: ");
  const auto end = error.rfind(" (waited ");
  auto words = nearest == std::string::npos ? std::string() : error.substr(nearest, end - nearest);
  if (words.ends_with('.')) words.pop_back();
  return "Nothing on the page or in its frames matches \"" + loggable(target) + "\"" +
         (words.empty() ? "" : "." + words) + " (waited " + std::to_string(timeout.count()) + " ms).";
}

void throw_if_failed(const page::Outcome& outcome) {
  if (!outcome.ok) throw ToolError(outcome.error);
}

ReadyElement ready_element(const CallContext& ctx, Tab& tab, const RefSpace& refs, const std::string& target,
                           const std::string& kind, Millis timeout, bool guard, const std::optional<PointIn>& at,
                           const std::string& known_frame) {
  const auto limit = Deadline::after(timeout);
  bool leaves = tab.pointer().held.empty();
  bool wakes = leaves;
  std::optional<PointIn> woken;  // where the mouse was moved to last, to show the target: of a menu in a menu, twice
  WheelTurns wheel{.possible = leaves};
  bool is_due = false;  // a timer of the page was, in the round before
  for (;;) {
    ReadyElement element;
    element.target = target;
    const auto located =
        known_frame.empty() ? locate_target(ctx, tab, refs, target) : TargetFrame{.id = known_frame, .found = true};
    element.frame = located.id;
    // The page's own clock ends it; ours only catches a page that is busy. What no frame has may come in any of them.
    auto left = std::max(limit.remaining(), Millis(1));
    const bool quiet = is_quiet(tab);
    if (!located.found) left = std::min(left, quiet ? kQuietRound : kFrameRound);
    page::Actionable function{
        .target = target, .timeout = left.count(), .whole = timeout.count(), .kind = kind, .hosts = true};
    if (guard) function.guard = true;
    if (quiet) function.quiet = true;
    if (leaves) function.leaves = true;
    if (wakes) function.wakes = true;
    if (wheel.possible && element.frame == tab.main_frame()) wheel.ask(function);
    if (at) function.at_x = at->x;
    if (at) function.at_y = at->y;
    const auto asked = ask_ready(ctx, tab, element.frame, function, left + limits::kGuardWait,
                                 known_frame.empty() && ref_in(target).empty() && !limit.expired());
    if (!asked) continue;
    const auto& found = *asked;
    // A tooltip, or a menu that is open for the mouse alone, goes as a person's does on the way to the element.
    if (!found.ok && found.under_mouse) {
      leaves = wakes = false;
      mouse_move(ctx, tab, kOffPage, kOffPage);
      continue;
    }
    // So do the controls of a player come, which nobody sees while the mouse rests.
    if (!found.ok && found.asleep) {
      leaves = false;
      const auto point = place_of_frame(ctx, tab, element.frame, {.x = found.x, .y = found.y});
      wakes = wakes && !(woken && woken->x == point.x && woken->y == point.y);
      woken = point;
      pointer_arrive(ctx, tab, point.x, point.y);
      continue;
    }
    if (!found.ok && found.wheel) {
      wheel.turn(ctx, tab, found);
      continue;
    }
    if (!found.ok) {
      // Not found, but there are elements whose closed shadow roots the page script hasn't seen: look into those first.
      if (found.closed_hosts == 0) {
        if (found.absent && quiet && is_quiet(tab)) {
          // What a timer of the page brings has still its time to come, and what it has done in a frame since that was
          // looked into shows in the next round.
          const bool was_due =
              std::exchange(is_due, any_timer_due(ctx, tab, element.frame, !located.found, limit.remaining()));
          if ((is_due || was_due) && !limit.expired()) continue;
          throw ToolError(found.error);
        }
        // What was being loaded may have brought it, and perhaps nothing is any more.
        if ((!located.found || (found.absent && !(quiet && is_quiet(tab)))) && !limit.expired()) continue;
        if (!located.found) throw ToolError(absent_everywhere(found.error, target, timeout));
        throw ToolError(found.error);
      }
      register_closed_roots(ctx, tab, element.frame);
      continue;
    }
    element.ref = found.ref.value_or("");
    element.describe = found.describe;
    element.tag = found.tag;
    element.input_type = found.input_type.value_or("");
    element.role = found.role;
    element.is_link = found.is_link;
    element.secret = found.secret;
    element.multiple = found.multiple;
    element.made = found.made;
    element.checks = found.checks;
    element.by_page = found.by_page;
    element.matches = static_cast<int>(found.count);
    element.left = found.left;
    element.top = found.top;
    if (found.from_x > 0) element.from.emplace(found.from_x, found.from_y);
    element.x = element.frame_x = found.x;
    element.y = element.frame_y = found.y;
    const bool placed = kind != "none" && kind != "file" && !found.unplaced;
    if (element.frame == tab.main_frame() || !placed) return element;
    const auto obstacle = to_main_viewport(ctx, tab, element.frame, element.x, element.y);
    element.left += element.x - element.frame_x;
    element.top += element.y - element.frame_y;
    if (obstacle.empty()) return element;
    if (guard) page_call(ctx, tab, element.frame, page::HitResult{});
    if (limit.expired())
      throw ToolError(element.describe + " is in a frame that can't be reached there: " + obstacle + " (waited " +
                      std::to_string(timeout.count()) + " ms).");
    page_call(ctx, tab, "", page::Frames{.n = kFramesBetweenTries});
  }
}

}  // namespace bridle
