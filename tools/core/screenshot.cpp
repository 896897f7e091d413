#include "tools/core/screenshot.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <filesystem>

#include "base/text/codecs.h"
#include "base/text/text.h"
#include "browser/page/target.h"
#include "browser/page/world/world.h"
#include "tools/contract/schema.h"
#include "tools/scope/page_tool.h"

namespace bridle {
namespace {

constexpr int kJpegQuality = 80;

struct Box {
  double x, y, width, height;
};

Json layout(PageCall& call) { return call.tab().call(call.ctx(), "Page.getLayoutMetrics"); }

// In document coordinates, CSS px.
Box element_box(PageCall& call, const std::string& target) {
  auto& tab = call.tab();
  const auto frame = locate_target(call.ctx(), tab, call.scope().refs(), target).id;
  const auto object = page_element(call.ctx(), tab, frame, target);
  if (object.empty()) throw ToolError("target \"" + target + "\" names no element.");
  const auto session = tab.frame_session(frame);
  Json box;
  try {
    tab.call(call.ctx(), "DOM.scrollIntoViewIfNeeded", {{"objectId", object}}, limits::kCdpCommand, session);
    box = tab.call(call.ctx(), "DOM.getBoxModel", {{"objectId", object}}, limits::kCdpCommand, session);
  } catch (const CdpError&) {
    throw ToolError("target \"" + target + "\" is not rendered, so there is nothing to take a picture of.");
  }
  release_object(tab, frame, object);
  const auto& border = box.at("model").at("border");
  double left = border[0], top = border[1], right = left, bottom = top;
  for (std::size_t i = 0; i < 8; i += 2) {
    left = std::min(left, border[i].get<double>());
    right = std::max(right, border[i].get<double>());
    top = std::min(top, border[i + 1].get<double>());
    bottom = std::max(bottom, border[i + 1].get<double>());
  }
  if (right - left < 1 || bottom - top < 1)
    throw ToolError("target \"" + target + "\" has no size, so there is nothing to take a picture of.");
  const Json metrics = layout(call);
  const auto& viewport = metrics.at("cssVisualViewport");
  return {left + viewport.value("pageX", 0.0), top + viewport.value("pageY", 0.0), right - left, bottom - top};
}

// The type that was asked for, else the one that the file's name has.
std::string picture_type(const Arguments& args) {
  if (const auto type = args.text("type"); !type.empty()) return type;
  const auto suffix = lower(std::filesystem::path(args.text("filename")).extension().string());
  return suffix == ".jpg" || suffix == ".jpeg" ? "jpeg" : suffix == ".webp" ? "webp" : "png";
}

Json clip_of(const Box& box, double scale) {
  return {{"x", box.x}, {"y", box.y}, {"width", box.width}, {"height", box.height}, {"scale", scale}};
}

// Chromium takes the picture with the next frame that it draws. On a busy machine a tab that isn't in front was seen to
// draw none, until it was asked once more.
std::string capture(PageCall& call, const Json& params) {
  constexpr Millis kFirst{4000};
  const auto take = [&](Millis limit) {
    return call.tab().call_raw(call.ctx(), "Page.captureScreenshot", params, limit);
  };
  try {
    return take(kFirst);
  } catch (const CdpTimeout&) {
    return take(limits::kCdpSlowCommand - kFirst);
  }
}

void screenshot_tool(PageCall& call, const Arguments& args) {
  const auto type = picture_type(args);
  const auto target = args.text("target");
  const bool full_page = args.flag("fullPage");
  if (full_page && !target.empty()) throw ToolError("fullPage and target exclude each other: choose one.");
  Json params{{"format", type}};
  if (type != "png") params["quality"] = kJpegQuality;
  // Chromium takes pictures in device pixels; `scale` of a clip counts on top of those.
  const bool css_pixels = args.text("scale") == "css";
  page::PageInfo::Result view;
  if (css_pixels) view = page_call(call.ctx(), call.tab(), "", page::PageInfo{});
  const double ratio = css_pixels ? view.pixel_ratio : 1;
  std::string what = "the viewport";
  if (!target.empty()) {
    params["clip"] = clip_of(element_box(call, target), 1 / ratio);
    params["captureBeyondViewport"] = true;
    what = target;
  } else if (full_page) {
    const Json metrics = layout(call);
    const auto& size = metrics.at("cssContentSize");
    params["clip"] = clip_of({0, 0, size.at("width"), size.at("height")}, 1 / ratio);
    params["captureBeyondViewport"] = true;
    what = "the full page";
  } else if (ratio != 1) {
    const auto& shown = view.view;
    const double pinch = shown.scale;
    params["clip"] = clip_of({shown.x, shown.y, view.width / pinch, view.height / pinch}, pinch / ratio);
  }
  const std::string reply = capture(call, params);
  const auto data = raw_string_value(reply, "data");
  if (data.empty()) throw ToolError("The browser gave no picture of the page.");
  call.response.result(fmt::format("screenshot of {} as {}", what, type));
  if (const auto filename = args.text("filename"); !filename.empty()) {
    const auto saved = call.scope().files()->write(call.ctx(), filename, from_base64(data).value_or(""));
    call.response.result(saved_words(saved));
  }
  call.response.image(std::string(data), "image/" + type);
}

}  // namespace

std::vector<ToolSpec> screenshot_tools(const BrowserSettings&) {
  return {{.name = "browser_take_screenshot",
           .title = "Screenshot",
           .description = "A picture of the viewport, an element or the full page.",
           .input_schema = schema::object({{"type", schema::choice({"png", "jpeg", "webp"})},
                                           schema::optional_target(),
                                           {"fullPage", schema::boolean()},
                                           schema::filename(),
                                           {"scale", schema::choice({"css", "device"}), false, "css"},
                                           schema::tab()}),
           .read_only = true,
           .idempotent = true,
           .queues = true,
           .handler = page_tool("browser_take_screenshot", {.settles = false}, screenshot_tool)}};
}

}  // namespace bridle
