#include "tools/core/acting/scroll.h"

#include <spdlog/fmt/fmt.h>

#include <charconv>
#include <cmath>
#include <string>

#include "browser/page/world/questions.h"
#include "browser/page/world/world.h"
#include "tools/contract/schema.h"
#include "tools/scope/page_tool.h"

namespace bridle {
namespace {

constexpr Millis kComesToRest{3000};  // also where the frames that a scrolling needs to begin take long
constexpr double kMost = 1'000'000;   // CSS px

struct Wish {
  double x = 0;  // CSS px, or the direction alone
  double y = 0;
  std::string unit = "page";
  std::string direction{};
};

// "300" of a client that writes all arguments as strings counts as the number.
void read_amount(const Json& amount, Wish& wish) {
  double px = 0;
  if (amount.is_number()) {
    px = amount.get<double>();
  } else if (const auto words = amount.get<std::string>(); words == "page" || words == "end") {
    wish.unit = words;
    return;
  } else {
    const auto [end, error] = std::from_chars(words.data(), words.data() + words.size(), px);
    if (error != std::errc() || end != words.data() + words.size()) px = 0;
  }
  if (!(px >= 1 && px <= kMost))
    throw ToolError("browser_scroll: amount is a number of CSS px from 1 to 1000000, \"page\" or \"end\".");
  wish.unit = "px";
  wish.x *= px;
  wish.y *= px;
}

Wish wish_of(const Arguments& args) {
  Wish wish;
  if (args.has("x") || args.has("y")) {
    if (args.has("direction") || args.has("amount"))
      throw ToolError("browser_scroll: give direction and amount, or x and y.");
    wish.unit = "px";
    wish.x = args.number("x");
    wish.y = args.number("y");
    if (wish.x != 0 && wish.y != 0) throw ToolError("browser_scroll: the wheel turns one way at a time: give x or y.");
    if (wish.x == 0 && wish.y == 0) throw ToolError("browser_scroll: x and y are 0: there is nowhere to scroll to.");
    wish.direction = wish.x < 0 ? "left" : wish.x > 0 ? "right" : wish.y < 0 ? "up" : "down";
    return wish;
  }
  wish.direction = args.has("direction") ? args.text("direction") : "down";
  wish.x = wish.direction == "left" ? -1 : wish.direction == "right" ? 1 : 0;
  wish.y = wish.direction == "up" ? -1 : wish.direction == "down" ? 1 : 0;
  if (args.has("amount")) read_amount(args.at("amount"), wish);
  return wish;
}

double room(const page::ScrollResult::Result& result, const std::string& direction) {
  return direction == "up"     ? result.above
         : direction == "down" ? result.below
         : direction == "left" ? result.left
                               : result.right;
}

const char* beyond(const std::string& direction) {
  return direction == "up"     ? "above"
         : direction == "down" ? "below"
         : direction == "left" ? "to the left"
                               : "to the right";
}

// `by_scripts`: nothing scrolls, but scripts of the page listen to the wheel.
void tell(PageCall& call, const Wish& wish, const std::string& box, const page::ScrollResult::Result& result,
          bool by_scripts) {
  const double moved = std::abs(wish.x != 0 ? result.moved_x : result.moved_y);
  const double left = room(result, wish.direction);
  if (moved < 1 && by_scripts) {
    call.response.result(fmt::format("turned the wheel {} over {}, which only its scripts move", wish.direction, box));
  } else if (moved < 1 && result.taken) {
    call.response.result(fmt::format("turned the wheel {} over {}, where a script took it", wish.direction, box));
  } else if (moved < 1) {
    call.response.result(fmt::format("turned the wheel {} over {}, which did not scroll", wish.direction, box));
  } else {
    call.response.result(
        fmt::format("scrolled {} {} by {:.0f} px; {}", box, wish.direction, moved,
                    left < 1 ? "that is its end" : fmt::format("{:.0f} px more {}", left, beyond(wish.direction))));
  }
  if (!result.shown.empty()) {
    call.response.result(fmt::format("came into view: {}{}", fmt::join(result.shown, ", "),
                                     result.more > 0 ? fmt::format(", and {} more", result.more) : std::string()));
  }
}

void scroll_tool(PageCall& call, const Arguments& args) {
  const auto wish = wish_of(args);
  page::ScrollPlan function{.target = {}, .x = wish.x, .y = wish.y, .unit = wish.unit};
  std::string frame;
  if (args.has("target")) {
    const auto element = call.ready(args.text("target"), "none");
    frame = element.frame;
    function.target = element.name();
    if (listens_to_wheel(call.ctx(), call.tab(), frame, element.name())) function.over = true;
  }
  auto plan = element_call(call.ctx(), call.tab(), frame, function);
  // A page that nothing scrolls may move by the wheel all the same, from one of its parts to the next.
  const bool by_scripts =
      !plan.found && !function.target && page_listens_to_wheel(call.ctx(), call.tab(), call.tab().main_frame());
  if (by_scripts) {
    function.over = true;
    plan = element_call(call.ctx(), call.tab(), frame, function);
  }
  if (!plan.found)
    throw ToolError(fmt::format("{} doesn't scroll {}.", plan.describe, wish.x != 0 ? "sideways" : "up or down"));
  if (plan.at_end) {
    call.response.result(
        fmt::format("{} is at its end: there is nothing more {}", plan.describe, beyond(wish.direction)));
    return;
  }
  if (const auto obstacle = to_main_viewport(call.ctx(), call.tab(), frame, plan.x, plan.y); !obstacle.empty())
    throw ToolError(plan.describe + " is in a frame that can't be reached there: " + obstacle + ".");
  call.begin_action(frame);
  call.effects.record(fmt::format("scrolled {} {}", plan.describe, wish.direction));
  turn_wheel(call.ctx(), call.tab(), plan.x, plan.y, plan.dx, plan.dy);
  try {
    const auto result = page_call(call.ctx(), call.tab(), frame, page::ScrollResult{.timeout = kComesToRest.count()});
    throw_if_failed(result);
    tell(call, wish, plan.describe, result, by_scripts);
  } catch (const DocumentGone&) {
    call.response.result(fmt::format("scrolled {} {}, which led to another document", plan.describe, wish.direction));
  }
  call.finish_action();
}

}  // namespace

std::vector<ToolSpec> scroll_tools(const BrowserSettings&) {
  Json amount{{"type", Json::array({"number", "string"})}, {"description", "Px, page (default) or end"}};
  return {{.name = "browser_scroll",
           .title = "Scroll",
           .description = "Turn the wheel over the page, or over what target is in. Tells what is left.",
           .input_schema = schema::object(
               {schema::optional_target(),
                {"direction", schema::choice({"up", "down", "left", "right"})},
                {"amount", std::move(amount)},
                {"x", schema::unlisted(schema::of_type("number", "Px, in place of those"),
                                       {{"minimum", -kMost}, {"maximum", kMost}})},
                {"y", schema::unlisted(schema::of_type("number", nullptr), {{"minimum", -kMost}, {"maximum", kMost}})},
                schema::tab()}),
           .queues = true,
           .handler = page_tool("browser_scroll", kActs, scroll_tool)}};
}

}  // namespace bridle
