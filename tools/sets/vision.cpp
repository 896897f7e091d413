#include "tools/sets/vision.h"

#include <spdlog/fmt/fmt.h>

#include <string>

#include "browser/page/input/pointer.h"
#include "browser/page/world/world.h"
#include "tools/contract/schema.h"
#include "tools/scope/page_tool.h"

namespace bridle {
namespace {

std::string point_words(double x, double y) { return fmt::format("{:g}, {:g}", x, y); }

// The element at a point. Throws ToolError when the point is not in the viewport, before any input.
std::string element_at(PageCall& call, double x, double y) {
  const auto at = page_call(call.ctx().within(limits::kCdpCommand), call.tab(), "", page::ElementAt{.x = x, .y = y});
  if (!at.ok) throw ToolError(at.error);
  return at.describe;
}

struct Place {
  double x = 0;
  double y = 0;
  std::string hit{};
};

// Where the mouse goes; `needed`: both must be given, else it stays where it is.
Place place(PageCall& call, const Arguments& args, const std::string& action, bool needed) {
  const bool given = args.has("x") && args.has("y");
  if (!given && (needed || args.has("x") || args.has("y")))
    throw ToolError("browser_mouse: action " + action +
                    " needs x and y, CSS pixels from the viewport's top left corner.");
  const auto& pointer = call.tab().pointer();
  Place there{.x = given ? args.number("x") : pointer.x, .y = given ? args.number("y") : pointer.y, .hit = {}};
  there.hit = element_at(call, there.x, there.y);
  return there;
}

void drag(PageCall& call, const Arguments& args, const Place& from) {
  if (!args.has("endX") || !args.has("endY")) throw ToolError("browser_mouse: action drag needs endX and endY.");
  const double x = args.number("endX");
  const double y = args.number("endY");
  const auto to = element_at(call, x, y);
  const auto words =
      fmt::format("dragged from {} ({}) to {} ({})", point_words(from.x, from.y), from.hit, point_words(x, y), to);
  call.begin_action();
  call.effects.if_cancelled("a drag from " + point_words(from.x, from.y) + " was called off");
  page_call(call.ctx(), call.tab(), "", page::DragWatch{});
  MouseDrag mouse(call.tab());
  mouse.press(call.ctx(), from.x, from.y);
  mouse.begin(call.ctx(), x, y);
  if (page_call(call.ctx(), call.tab(), "", page::DragResult{}).started) mouse.take_native(call.ctx());
  call.effects.record(words);
  mouse.drop(call.ctx(), x, y, "", false);
  call.effects.if_cancelled("");
  call.response.result(words);
}

// The longest that a click's button stays down.
constexpr int kHoldMax = 10'000;

// Nothing but the abort ends this early.
void hold(const CallContext& ctx, Millis span) {
  Mutex mutex;
  CondVar never;
  MutexLock lock(mutex);
  wait_until(ctx.within(span), never, lock, [] { return false; });
}

// A click whose button stays down for a while. However it ends, no button is down afterwards.
void slow_click(PageCall& call, const Place& at, const std::string& button, int count, Millis span) {
  Tab& tab = call.tab();
  try {
    pointer_move(call.ctx(), tab, at.x, at.y);
    for (int press = 1; press <= count; ++press) {
      pointer_down(call.ctx(), tab, button, press);
      hold(call.ctx(), span);
      pointer_up(call.ctx(), tab, button, press);
    }
  } catch (...) {
    pointer_release(tab);
    throw;
  }
}

void click(PageCall& call, const Arguments& args, const Place& at) {
  const auto button = args.text("button");
  const auto count = static_cast<int>(args.integer("clickCount"));
  const char* verb = count == 3 ? "triple-clicked" : count == 2 ? "double-clicked" : "clicked";
  const auto words =
      fmt::format("{}{} at {}: {}", verb, button == "left" ? "" : " (" + button + ")", point_words(at.x, at.y), at.hit);
  call.begin_action();
  call.effects.record(words);
  if (const Millis span(args.integer("delay")); span > Millis(0))
    slow_click(call, at, button, count, span);
  else
    mouse_click(call.ctx(), call.tab(), {.x = at.x, .y = at.y, .button = button, .count = count});
  call.response.result(words);
}

// One step of the pointer, which goes to the place first.
void step(PageCall& call, const Arguments& args, const std::string& action, const Place& at) {
  Tab& tab = call.tab();
  const auto button = args.text("button");
  call.begin_action();
  const bool moves = at.x != tab.pointer().x || at.y != tab.pointer().y;
  if (moves || action == "move") pointer_move(call.ctx(), tab, at.x, at.y);
  std::string words = "moved the mouse to";
  if (action == "down") {
    pointer_down(call.ctx(), tab, button);
    words = "pressed the " + button + " button at";
  } else if (action == "up") {
    pointer_up(call.ctx(), tab, button);
    words = "released the " + button + " button at";
  } else if (action == "wheel") {
    pointer_wheel(call.ctx(), tab, args.number("deltaX"), args.number("deltaY"));
    words = fmt::format("turned the wheel by {} at", point_words(args.number("deltaX"), args.number("deltaY")));
  }
  words += " " + point_words(at.x, at.y) + ": " + at.hit;
  call.effects.record(words);
  call.response.result(words);
}

void act(PageCall& call, const Arguments& args) {
  const auto action = args.text("action");
  const auto at = place(call, args, action, action == "move" || action == "click" || action == "drag");
  if (action == "drag" || action == "click") {
    if (!call.tab().pointer().held.empty())
      throw ToolError("The " + call.tab().pointer().held + " button is down: release it with action up first.");
    action == "drag" ? drag(call, args, at) : click(call, args, at);
  } else {
    step(call, args, action, at);
  }
  call.finish_action();
}

// What a cancelled call has pressed doesn't stay pressed [cancel.browser.input].
void mouse_tool(PageCall& call, const Arguments& args) {
  // The mouse reaches whichever frame is at its point by then.
  for (const auto& frame : call.tab().frames_below_main()) call.check_may_act(frame);
  const bool was_down = !call.tab().pointer().held.empty();
  try {
    act(call, args);
  } catch (const Aborted&) {
    if (!was_down) pointer_release(call.tab());
    throw;
  }
}

}  // namespace

std::vector<ToolSpec> vision_tools(const BrowserSettings&) {
  constexpr double kFar = 100'000;
  const auto coordinate = [](const char* name, const char* description = nullptr) {
    Json number = schema::of_type("number", description);
    number["minimum"] = 0;
    return schema::Property{name, std::move(number)};
  };
  return {{.name = "browser_mouse",
           .set = "vision",
           .title = "Mouse",
           .description = "The mouse at coordinates, for what has no ref: canvases, maps, drawings.",
           .input_schema =
               schema::object({{"action", schema::choice({"move", "click", "drag", "down", "up", "wheel"}), true},
                               coordinate("x", "CSS px in the viewport, as in a screenshot"),
                               coordinate("y"),
                               coordinate("endX", "For drag"),
                               coordinate("endY"),
                               {"button", schema::choice({"left", "right", "middle"}), false, "left"},
                               {"clickCount", schema::integer(nullptr, 1, 3), false, 1},
                               {"delay", schema::integer("Ms a click's button stays down", 0, kHoldMax), false, 0},
                               {"deltaX", schema::number("For wheel: px to the right", -kFar, kFar)},
                               {"deltaY", schema::number("For wheel: px down", -kFar, kFar)},
                               schema::tab()}),
           .destructive = true,
           .queues = true,
           .handler = page_tool("browser_mouse", kActs, mouse_tool)}};
}

void add_vision_aliases(Toolbox& toolbox) {
  const auto add = [&](const char* name, const char* action,
                       std::vector<std::pair<std::string, std::string>> renamed = {}) {
    renamed.emplace_back("element", "");  // words for a person who is asked
    toolbox.add(
        ToolAlias{.name = name, .tool = "browser_mouse", .fixed = {{"action", action}}, .renamed = std::move(renamed)});
  };
  add("browser_mouse_move_xy", "move");
  add("browser_mouse_click_xy", "click");
  add("browser_mouse_drag_xy", "drag", {{"startX", "x"}, {"startY", "y"}});
  add("browser_mouse_down", "down");
  add("browser_mouse_up", "up");
  add("browser_mouse_wheel", "wheel");
}

}  // namespace bridle
