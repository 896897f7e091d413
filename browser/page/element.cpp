#include "browser/page/element.h"

#include "base/errors.h"
#include "base/log.h"
#include "browser/page/world.h"

namespace bridle {
namespace {

// Which frame holds another, and the session that reaches it; "" when that frame is gone.
struct Parent {
  std::string id{};
  std::string session{};
};
Parent parent_of(Tab& tab, const std::string& frame) {
  return tab.with([&](TabView& view) {
    Parent parent;
    if (const auto* found = view.frames.find(frame)) parent.id = found->parent;
    if (const auto* up = view.frames.find(parent.id)) parent.session = up->session;
    return parent;
  });
}

// From a frame's viewport to the main frame's, step by step; in each parent the frame's element must be in view and hit
// at the point, else words say why not and the point means nothing. A page function sees no further than its own frame.
std::string to_main_viewport(const CallContext& ctx, Tab& tab, const std::string& frame_id, double& x, double& y) {
  for (std::string frame = frame_id; frame != tab.main_frame();) {
    const auto parent = parent_of(tab, frame);
    if (parent.session.empty()) throw ToolError("The element's frame is no longer on this page. Take a new snapshot.");
    const Json owner = tab.call(ctx, "DOM.getFrameOwner", {{"frameId", frame}}, limits::kCdpCommand, parent.session);
    const Json& node = owner.at("backendNodeId");
    const auto object = node_in_world(ctx, tab, parent.id, node);
    const auto step = [&] {
      return call_on_object(ctx, tab, parent.id, object, "function(x, y) { return __bridle.frameStep(this, x, y); }",
                            Json::array({{{"value", x}}, {{"value", y}}}));
    };
    Json at = step();
    if (!at.value("inView", true)) {
      tab.call(ctx, "DOM.scrollIntoViewIfNeeded",
               {{"backendNodeId", node}, {"rect", {{"x", x}, {"y", y}, {"width", 1}, {"height", 1}}}},
               limits::kCdpCommand, parent.session);
      at = step();
    }
    release_object(tab, parent.id, object);
    if (!at.value("ok", false)) return string_field(at, "error");
    x = at.value("x", 0.0);
    y = at.value("y", 0.0);
    frame = parent.id;
  }
  return {};
}

// Between two looks into all frames for what none of them has.
constexpr Millis kFrameRound{250};

// About 100 ms by the page's own clock: between two looks at what covers a frame.
constexpr int kFramesBetweenLooks = 6;

}  // namespace

Json element_call(const CallContext& ctx, Tab& tab, const std::string& frame, std::string_view name, Json args,
                  Millis limit) {
  Json result = page_call(ctx, tab, frame, name, std::move(args), limit);
  if (result.is_object() && result.contains("ok") && !result.value("ok", false)) {
    throw ToolError(string_field(result, "error"));
  }
  return result;
}

ReadyElement ready_element(const CallContext& ctx, Tab& tab, const RefSpace& refs, const std::string& target,
                           const std::string& kind, Millis timeout, bool guard) {
  const auto limit = Deadline::after(timeout);
  for (;;) {
    ReadyElement element;
    element.target = target;
    const auto located = locate_target(ctx, tab, refs, target);
    element.frame = located.id;
    // The page's own clock ends it; ours only catches a page that is busy. What no frame has may come in any of them.
    auto left = std::max(limit.remaining(), Millis(1));
    if (!located.found) left = std::min(left, kFrameRound);
    Json args{{"target", target}, {"kind", kind}, {"timeout", left.count()}, {"hosts", true}};
    if (guard) args["guard"] = true;
    const Json found = page_call(ctx, tab, element.frame, "actionable", args, left + limits::kGuardWait);
    if (!found.value("ok", false)) {
      // Not found, but there are elements whose closed shadow roots the page script hasn't seen: look into those first.
      if (!found.contains("closedHosts")) {
        if (!located.found && !limit.expired()) continue;
        if (!located.found)
          throw ToolError("Nothing on the page or in its frames matches \"" + loggable(target) + "\" (waited " +
                          std::to_string(timeout.count()) + " ms).");
        throw ToolError(string_field(found, "error"));
      }
      adopt_closed_roots(ctx, tab, element.frame);
      continue;
    }
    element.ref = string_field(found, "ref");
    element.describe = string_field(found, "describe");
    element.tag = string_field(found, "tag");
    element.input_type = string_field(found, "inputType");
    element.role = string_field(found, "role");
    element.is_link = found.value("isLink", false);
    element.secret = found.value("secret", false);
    element.multiple = found.value("multiple", false);
    element.matches = found.value("count", 1);
    element.x = element.frame_x = found.value("x", 0.0);
    element.y = element.frame_y = found.value("y", 0.0);
    if (element.frame == tab.main_frame() || kind == "none" || kind == "file") return element;
    const auto obstacle = to_main_viewport(ctx, tab, element.frame, element.x, element.y);
    if (obstacle.empty()) return element;
    if (guard) page_call(ctx, tab, element.frame, "hitResult", Json::object());
    if (limit.expired())
      throw ToolError(element.describe + " is in a frame that can't be reached there: " + obstacle + " (waited " +
                      std::to_string(timeout.count()) + " ms).");
    page_call(ctx, tab, "", "frames", {{"n", kFramesBetweenLooks}});
  }
}

}  // namespace bridle
