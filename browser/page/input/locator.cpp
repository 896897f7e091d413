#include "browser/page/input/locator.h"

#include "base/errors.h"
#include "base/text/json.h"
#include "base/text/text.h"

namespace bridle {
namespace {

// As a string of JavaScript in single quotes.
std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\\' || c == '\'') out += '\\';
    out += c;
  }
  return out + "'";
}

// locator('iframe').contentFrame(). of each frame around the element, the outermost first.
std::string frames_to(const CallContext& ctx, Tab& tab, const std::string& frame_id) {
  std::string path;
  for (std::string frame = frame_id; !frame.empty() && frame != tab.main_frame();) {
    const auto known = tab.frame(frame);
    const auto parent = known ? known->parent : std::string();
    const auto session = tab.frame_session(parent);
    if (!known || session.empty()) throw ToolError("The element's frame is no longer on this page.");
    const Json owner = tab.call(ctx, "DOM.getFrameOwner", {{"frameId", frame}}, limits::kCdpCommand, session);
    const auto object = node_in_world(ctx, tab, parent, owner.at("backendNodeId"));
    const auto found = page_call_on(ctx, tab, parent, object, page::CssOf{});
    release_object(tab, parent, object);
    throw_if_failed(found);
    path = "locator(" + quoted(found.css) + ").contentFrame()." + path;
    frame = parent;
  }
  return path;
}

}  // namespace

Locator locate(const CallContext& ctx, Tab& tab, const ReadyElement& element) {
  const auto found = element_call(ctx, tab, element.frame, page::Locate{.target = element.name()});
  return {.playwright = frames_to(ctx, tab, element.frame) + found.locator, .css = found.css, .role = found.role};
}

}  // namespace bridle
