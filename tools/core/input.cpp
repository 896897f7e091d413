#include "tools/core/input.h"

#include <spdlog/fmt/fmt.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "browser/page/input/guarded_click.h"
#include "browser/page/input/pointer.h"
#include "browser/page/world/world.h"
#include "tools/contract/schema.h"
#include "tools/scope/page_tool.h"

namespace bridle {
namespace {

std::optional<PointIn> point_of(const Arguments& args, const char* name) {
  if (!args.has(name)) return std::nullopt;
  const Arguments point(args.at(name));
  return PointIn{point.number("x"), point.number("y")};
}

void click_tool(PageCall& call, const Arguments& args) {
  MouseClick click;
  click.button = args.text("button");
  click.count = args.flag("doubleClick") ? 2 : static_cast<int>(args.integer("clickCount"));
  click.modifiers = args.texts("modifiers");
  std::string verb = click.count == 3 ? "triple-clicked " : click.count == 2 ? "double-clicked " : "clicked ";
  if (click.button != "left") verb.insert(0, click.button + "-");
  const auto element = call.click(
      args.text("target"), click, [&](const ReadyElement& hit) { return verb + hit.describe; },
      point_of(args, "position"));
  call.response.result(verb + element.describe);
  call.finish_action(ActionInput::guarded_click);
}

// Menus pass over the mouse for a moment after it has left the item of an open submenu, as it may be on its way there.
// A hand goes on moving.
void open_submenu(PageCall& call, const ReadyElement& item) {
  if (!item.role.starts_with("menuitem")) return;
  const auto is_closed = [&] {
    const auto looked = try_page_call(call.ctx(), call.tab(), page::SubmenuClosed{.target = item.name()}, item.frame);
    return looked && looked->closed;
  };
  if (!is_closed()) return;
  call.let_timers_pass();
  if (is_closed()) pointer_arrive(call.ctx(), call.tab(), item.x, item.y);
}

void hover_tool(PageCall& call, const Arguments& args) {
  const auto element = call.ready(args.text("target"), "hover", false, point_of(args, "position"));
  call.begin_action(element.frame);
  call.effects.record("hovered over " + element.describe);
  if (element.from) mouse_move(call.ctx(), call.tab(), element.from->first, element.from->second);
  pointer_arrive(call.ctx(), call.tab(), element.x, element.y);
  open_submenu(call, element);
  call.response.result("hovered over " + element.describe);
  call.finish_action(ActionInput::hovered);
}

// Where a drag goes: from a point of one element, through points of it, to a point of one or the other.
struct DragPlan {
  std::string from{};
  std::string to{};  // the same as `from`: it ends within it
  std::optional<PointIn> start{};
  std::optional<PointIn> end{};
  std::vector<PointIn> path{};
};

DragPlan drag_plan(const Arguments& args) {
  DragPlan plan{.from = args.text("startTarget"),
                .to = args.text("endTarget"),
                .start = point_of(args, "startPosition"),
                .end = point_of(args, "endPosition"),
                .path = {}};
  for (const auto& point : args.objects("path")) plan.path.push_back({point.number("x"), point.number("y")});
  if (plan.to.empty() && plan.path.empty() && !plan.end)
    throw ToolError("Where to? Give endTarget, or endPosition or path to drag within startTarget.");
  // Without a start of its own a path begins where it begins; without an end it ends where it ends.
  if (!plan.start && !plan.path.empty()) {
    plan.start = plan.path.front();
    plan.path.erase(plan.path.begin());
  }
  if (plan.to.empty()) {
    plan.to = plan.from;
    if (!plan.end && !plan.path.empty()) {
      plan.end = plan.path.back();
      plan.path.pop_back();
    }
    if (!plan.end) throw ToolError("The path has one point only: a drag needs two, or an endTarget.");
  }
  return plan;
}

void drag_tool(PageCall& call, const Arguments& args) {
  const auto plan = drag_plan(args);
  const bool within = plan.to == plan.from;
  // Both must be there before anything is pressed.
  const auto aim = call.ready(plan.to, "none");
  const auto start = call.ready(plan.from, "drag", true, plan.start);
  HitGuard guard(call.tab(), start);
  call.begin_action(start.frame);
  call.begin_action(aim.frame);
  call.effects.if_cancelled("a drag of " + start.describe + " was called off");
  const auto words =
      within ? "dragged within " + start.describe : fmt::format("dragged {} to {}", start.describe, aim.describe);
  MouseDrag mouse(call.tab());
  page_call(call.ctx(), call.tab(), start.frame, page::DragWatch{});
  mouse.press(call.ctx(), start.x, start.y);
  if (const auto miss = guard.end(call.ctx()); !miss.instead.empty() || miss.blocked) {
    throw ToolError(
        fmt::format("{} could not be dragged: {}. Nothing was moved.", start.describe,
                    miss.instead.empty() ? std::string(kInputDropped) : miss.instead + " was over it at that moment"));
  }
  // Some pages take a thing up only when it is held for a while.
  call.let_timers_pass();
  std::vector<PointIn> path;
  for (const auto& point : plan.path) path.push_back({start.left + point.x, start.top + point.y});
  if (within) path.push_back({start.left + plan.end->x, start.top + plan.end->y});
  if (path.empty()) {
    const auto rough = element_call(call.ctx(), call.tab(), aim.frame, page::PointOf{.target = aim.name()});
    const bool same_frame = aim.frame == start.frame;
    mouse.begin(call.ctx(), same_frame ? rough.x - start.frame_x + start.x : start.x + 20,
                same_frame ? rough.y - start.frame_y + start.y : start.y);
  } else {
    mouse.begin(call.ctx(), path.front().x, path.front().y);
  }
  if (page_call(call.ctx(), call.tab(), start.frame, page::DragResult{}).started) mouse.take_native(call.ctx());
  for (const auto& point : path) mouse.pass(call.ctx(), point.x, point.y);
  PointIn end = within ? path.back() : PointIn{};
  if (!within) {
    // Brought into view with the button down, as a user would; what is dragged may lie over it.
    const auto there = ready_element(call.ctx(), call.tab(), call.scope().refs(), plan.to, "drop",
                                     call.settings().action_timeout, false, plan.end);
    end = {there.x, there.y};
  }
  call.effects.record(words);
  mouse.drop(call.ctx(), end.x, end.y, within ? start.frame : aim.frame, !within);
  call.effects.if_cancelled("");
  call.response.result(words);
  call.finish_action();
}

// Before a key; `scrolls`: one that may scroll the page. The frame that the key goes to.
std::string watch_page(PageCall& call, bool scrolls) {
  try {
    const auto watch = page_call(call.ctx(), call.tab(), "", page::WatchAction{.scrolls = scrolls});
    return watch.in_frame ? focused_frame(call.ctx(), call.tab()) : std::string();
  } catch (const DocumentGone&) {
    return {};  // between two documents: nothing is watched, and the wait is the careful one
  }
}

void press_key_tool(PageCall& call, const Arguments& args) {
  const auto key = args.text("key");
  // These activate links, buttons and forms: what they begin may show only at the next frame.
  const bool activates = key.ends_with("Enter") || key.ends_with("Space") || key.ends_with(" ");
  const bool scrolls = key.find("Arrow") != std::string::npos || key.find("Page") != std::string::npos ||
                       key.ends_with("Home") || key.ends_with("End") || key.ends_with("Space") || key.ends_with(" ");
  call.begin_action(watch_page(call, scrolls));
  call.effects.record("pressed " + key);
  press_key(call.ctx(), call.tab(), key);
  call.response.result("pressed " + key);
  call.finish_action(activates ? ActionInput::plain : ActionInput::watched);
}

}  // namespace

std::vector<ToolSpec> input_tools(const BrowserSettings&) {
  return {
      {.name = "browser_click",
       .title = "Click",
       .description = "Click an element when it is ready. Returns what changed.",
       .input_schema = schema::object(
           {schema::target("Ref (e12), CSS, text=... or role=button[name=\"...\"]"),
            {"doubleClick", schema::boolean()},
            {"clickCount", schema::unlisted(schema::of_type("integer", "1 to 3"), {{"minimum", 1}, {"maximum", 3}}),
             false, 1},
            {"position", schema::point("{x, y}: CSS px in it")},
            {"button", schema::choice({"left", "right", "middle"}), false, "left"},
            {"modifiers", schema::list(schema::choice({"Alt", "Control", "ControlOrMeta", "Meta", "Shift"}))},
            schema::tab()}),
       .destructive = true,
       .queues = true,
       .handler = page_tool("browser_click", kActs, click_tool)},
      {.name = "browser_hover",
       .title = "Hover",
       .description = "Move the mouse over an element.",
       .input_schema = schema::object({schema::target(), {"position", schema::point()}, schema::tab()}),
       .queues = true,
       .handler = page_tool("browser_hover", kActs, hover_tool)},
      {.name = "browser_drag",
       .title = "Drag",
       .description = "Drag an element onto another, or within itself.",
       .input_schema = schema::object({{"startTarget", schema::element("As target"), true},
                                       {"endTarget", schema::element()},
                                       {"startPosition", schema::point()},
                                       {"endPosition", schema::point()},
                                       {"path", schema::unlisted(schema::list(schema::point(), "Points in startTarget"),
                                                                 {{"minItems", 1}, {"maxItems", 1000}})},
                                       schema::tab()}),
       .destructive = true,
       .queues = true,
       .handler = page_tool("browser_drag", kActs, drag_tool)},
      {.name = "browser_press_key",
       .title = "Key",
       .description = "Press a key or combination on what has focus.",
       .input_schema =
           schema::object({{"key", schema::text("a, Enter, ArrowDown, Control+A, ..."), true}, schema::tab()}),
       .destructive = true,
       .queues = true,
       .handler = page_tool("browser_press_key", kActs, press_key_tool)}};
}

}  // namespace bridle
