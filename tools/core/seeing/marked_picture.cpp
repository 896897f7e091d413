#include "tools/core/seeing/marked_picture.h"

#include <utility>

#include "browser/page/snapshot.h"
#include "browser/page/world/world.h"
#include "tools/scope/page_call.h"

namespace bridle {
namespace {

constexpr Millis kDraws{10'000};
constexpr std::size_t kLargest = 10'000'000;  // bytes of base64 that the page script is given to draw on
constexpr double kRuler = 100;                // CSS px between two points that tell how large a frame is shown

// Adds what a frame has, in the main frame's viewport.
page::Marks::Result add_marks(PageCall& call, const std::string& frame, bool beyond, Marks& found) {
  auto seen = page_call(call.ctx(), call.tab(), frame, page::Marks{.beyond = beyond});
  PointIn origin{};
  double scale = 1;
  if (!frame.empty() && !seen.marks.empty()) {
    origin = place_of_frame(call.ctx(), call.tab(), frame, {0, 0});
    scale = (place_of_frame(call.ctx(), call.tab(), frame, {kRuler, 0}).x - origin.x) / kRuler;
  }
  for (auto& mark : seen.marks)
    found.marks.push_back(
        {std::move(mark.label),
         {origin.x + mark.x * scale, origin.y + mark.y * scale, mark.width * scale, mark.height * scale}});
  found.more += seen.more;
  return seen;
}

bool meet(const PageArea& a, const PageArea& b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

}  // namespace

void number_elements(PageCall& call) {
  SnapshotOptions options;
  options.numbers_only = true;
  take_snapshot(call.ctx(), call.tab(), call.scope().refs(), options);
}

Marks marks_in(PageCall& call, const PageArea& area, bool beyond) {
  Marks found;
  const auto main = add_marks(call, "", beyond, found);
  for (const auto& frame : call.tab().frames_below_main()) {
    try {
      add_marks(call, frame, false, found);
    } catch (const DialogOpened&) {
      throw;
    } catch (const Aborted&) {
      throw;
    } catch (const std::runtime_error&) {
      continue;  // the frame has left the page, or doesn't answer: the snapshot says so too
    }
  }
  for (auto& mark : found.marks) {
    mark.box.x += main.scroll_x;
    mark.box.y += main.scroll_y;
  }
  std::erase_if(found.marks, [&](const Mark& mark) { return !meet(mark.box, area); });
  return found;
}

std::string with_marks(PageCall& call, std::string picture, const std::string& type, const PageArea& area,
                       const std::vector<Mark>& marks) {
  if (picture.size() > kLargest)
    throw ToolError("The picture is too large to be drawn on: leave marks out, name a target, or use scale: css.");
  page::DrawMarks function{.data = std::move(picture), .type = "image/" + type, .boxes = {}, .width = area.width};
  for (const auto& [ref, box] : marks)
    function.boxes.push_back(
        {{"label", ref}, {"x", box.x - area.x}, {"y", box.y - area.y}, {"width", box.width}, {"height", box.height}});
  auto drawn = page_call(call.ctx(), call.tab(), "", function, kDraws);
  throw_if_failed(drawn);
  return std::move(drawn.data);
}

}  // namespace bridle
