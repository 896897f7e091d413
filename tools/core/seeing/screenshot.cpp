#include "tools/core/seeing/screenshot.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/text/codecs.h"
#include "base/text/text.h"
#include "browser/page/target.h"
#include "browser/page/world/world.h"
#include "tools/contract/schema.h"
#include "tools/core/seeing/marked_picture.h"
#include "tools/scope/page_tool.h"

namespace bridle {
namespace {

constexpr int kJpegQuality = 80;

Json layout(PageCall& call) { return call.tab().call(call.ctx(), "Page.getLayoutMetrics"); }

// In document coordinates, CSS px.
PageArea element_box(PageCall& call, const std::string& target) {
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

Json clip_of(const PageArea& box, double scale) {
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

// What of the page a picture shows, and how.
struct Shot {
  std::string what = "the viewport";
  PageArea area{};
  double zoom = 1;      // how much larger than the area a CSS px of it is shown: pinched in
  bool beyond = false;  // more than the viewport

  double width() const { return area.width * zoom; }
  double height() const { return area.height * zoom; }
};

Shot aim(PageCall& call, const Arguments& args, const page::PageInfo::Result& page) {
  if (const auto target = args.text("target"); !target.empty())
    return {.what = target, .area = element_box(call, target), .beyond = true};
  if (args.flag("fullPage")) {
    const Json metrics = layout(call);
    const auto& size = metrics.at("cssContentSize");
    return {.what = "the full page", .area = {0, 0, size.at("width"), size.at("height")}, .beyond = true};
  }
  const auto& view = page.view;
  if (view.scale == 0) return {};  // nobody has asked the page
  return {.area = {view.x, view.y, page.width / view.scale, page.height / view.scale}, .zoom = view.scale};
}

// By how much a picture of that many pixels is made smaller, so that models take it as it is [tool.screenshot]; 1: not
// at all.
double reduction(double width, double height) {
  const double longest = std::max(width, height);
  const double pixels = static_cast<double>(limits::kPicturePixels);
  double factor = std::min({1.0, limits::kPictureSide / longest, std::sqrt(pixels / (width * height))});
  // The browser rounds both sides, maybe upwards.
  const auto is_over = [&] {
    return std::ceil(longest * factor) > limits::kPictureSide ||
           std::ceil(width * factor) * std::ceil(height * factor) > pixels;
  };
  while (factor < 1 && is_over()) factor *= 0.999;
  return factor;
}

void screenshot_tool(PageCall& call, const Arguments& args) {
  const auto type = picture_type(args);
  const auto filename = args.text("filename");
  if (args.flag("fullPage") && !args.text("target").empty())
    throw ToolError("fullPage and target exclude each other: choose one.");
  Json params{{"format", type}};
  if (type != "png") params["quality"] = kJpegQuality;
  // Chromium takes pictures in device pixels; `scale` of a clip counts on top of those.
  const bool css_pixels = args.text("scale") == "css";
  const bool marked = args.flag("marks");
  if (marked) number_elements(call);
  page::PageInfo::Result page;
  if (css_pixels || marked) page = page_call(call.ctx(), call.tab(), "", page::PageInfo{});
  const double ratio = css_pixels ? page.pixel_ratio : 1;
  const auto shot = aim(call, args, page);
  // A file keeps all that there is, and so does who asks for the device's pixels.
  const double factor = css_pixels && filename.empty() ? reduction(shot.width(), shot.height()) : 1;
  if (const double scale = shot.zoom * factor / ratio; shot.beyond || factor / ratio != 1)
    params["clip"] = clip_of(shot.area, scale);
  if (shot.beyond) params["captureBeyondViewport"] = true;
  const auto found = marked ? marks_in(call, shot.area, shot.beyond) : Marks{};
  const std::string reply = capture(call, params);
  std::string data(raw_string_value(reply, "data"));
  if (data.empty()) throw ToolError("The browser gave no picture of the page.");
  if (marked) data = with_marks(call, std::move(data), type, shot.area, found.marks);
  call.response.result(fmt::format("screenshot of {} as {}", shot.what, type));
  if (factor < 1)
    call.response.result(
        fmt::format("scaled down to {:.0f} % of {:.0f}x{:.0f} px; a target, scale: device or a "
                    "filename shows more",
                    factor * 100, shot.width(), shot.height()));
  if (marked)
    call.response.result(fmt::format("{} marked with {}{}", counted(found.marks.size(), "element"),
                                     found.marks.size() == 1 ? "its ref" : "their refs",
                                     found.more > 0 ? fmt::format("; {} more are not", found.more) : ""));
  if (filename.empty()) return call.response.image(std::move(data), "image/" + type);
  const auto saved = call.scope().files()->write(call.ctx(), filename, from_base64(data).value_or(""));
  call.response.result(saved_words(saved));
}

}  // namespace

std::vector<ToolSpec> screenshot_tools(const BrowserSettings&) {
  return {{.name = "browser_take_screenshot",
           .title = "Screenshot",
           .description = "A picture of the viewport, an element or the full page.",
           .input_schema = schema::object({{"type", schema::choice({"png", "jpeg", "webp"})},
                                           schema::optional_target(),
                                           {"fullPage", schema::boolean()},
                                           {"marks", schema::boolean("Draw refs onto it")},
                                           schema::filename(),
                                           {"scale", schema::choice({"css", "device"}), false, "css"},
                                           schema::tab()}),
           .read_only = true,
           .idempotent = true,
           .queues = true,
           .handler = page_tool("browser_take_screenshot", {.settles = false}, screenshot_tool)}};
}

}  // namespace bridle
