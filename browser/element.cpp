#include "browser/element.h"

#include "base/errors.h"
#include "browser/page_world.h"

namespace bridle {
namespace {

std::string text(const Json& object, const char* key) {
  const auto it = object.find(key);
  return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}

// Adds the offsets of the frames around a point. In one process the box model already counts from its local root, so
// there is one step for each process boundary, plus the first.
void to_main_viewport(const CallContext& ctx, Tab& tab, const std::string& frame_id, double& x, double& y) {
  std::string frame = frame_id;
  while (frame != tab.main_frame()) {
    std::string parent;
    std::string parent_session;
    tab.with([&](TabView& view) {
      const auto* found = view.frames.find(frame);
      if (found == nullptr) return;
      parent = found->parent;
      if (const auto* up = view.frames.find(parent)) parent_session = up->session;
    });
    if (parent_session.empty()) throw ToolError("The element's frame is no longer on this page. Take a new snapshot.");
    const Json owner = tab.call(ctx, "DOM.getFrameOwner", {{"frameId", frame}}, limits::kCdpCommand, parent_session);
    const Json& node = owner.at("backendNodeId");
    // The page function sees no further than its own frame: the frame itself may be out of view.
    tab.call(ctx, "DOM.scrollIntoViewIfNeeded",
             {{"backendNodeId", node}, {"rect", {{"x", x}, {"y", y}, {"width", 1}, {"height", 1}}}},
             limits::kCdpCommand, parent_session);
    const Json box = tab.call(ctx, "DOM.getBoxModel", {{"backendNodeId", node}}, limits::kCdpCommand, parent_session);
    const auto& content = box.at("model").at("content");
    x += content.at(0).get<double>();
    y += content.at(1).get<double>();
    // Up to the local root of the parent's process, whose own owner is the next step.
    frame = parent;
    for (;;) {
      std::string above;
      std::string above_session;
      tab.with([&](TabView& view) {
        const auto* found = view.frames.find(frame);
        if (found == nullptr || found->parent.empty()) return;
        above = found->parent;
        if (const auto* up = view.frames.find(above)) above_session = up->session;
      });
      if (above.empty() || above_session != parent_session) break;
      frame = above;
    }
  }
}

}  // namespace

Json element_call(const CallContext& ctx, Tab& tab, const std::string& frame, std::string_view name, Json args,
                  Millis limit) {
  Json result = page_call(ctx, tab, frame, name, std::move(args), limit);
  if (result.is_object() && result.contains("ok") && !result.value("ok", false)) {
    throw ToolError(text(result, "error"));
  }
  return result;
}

ReadyElement ready_element(const CallContext& ctx, Tab& tab, const RefSpace& refs, const std::string& target,
                           const std::string& kind, Millis timeout) {
  ReadyElement element;
  element.frame = frame_of_target(tab, refs, target);
  // The page's own clock ends it; ours only catches a page that is busy.
  const Json found =
      element_call(ctx, tab, element.frame, "actionable",
                   {{"target", target}, {"kind", kind}, {"timeout", timeout.count()}}, timeout + limits::kGuardWait);
  element.ref = text(found, "ref");
  element.describe = text(found, "describe");
  element.tag = text(found, "tag");
  element.input_type = text(found, "inputType");
  element.is_link = found.value("isLink", false);
  element.secret = found.value("secret", false);
  element.matches = found.value("count", 1);
  element.x = found.value("x", 0.0);
  element.y = found.value("y", 0.0);
  if (element.frame != tab.main_frame()) to_main_viewport(ctx, tab, element.frame, element.x, element.y);
  return element;
}

}  // namespace bridle
