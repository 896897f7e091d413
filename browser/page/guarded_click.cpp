#include "browser/page/guarded_click.h"

#include <spdlog/fmt/fmt.h>

#include <optional>
#include <utility>

#include "base/errors.h"
#include "browser/page/world.h"

namespace bridle {
namespace {

constexpr Millis kHitWait{1000};

// A page function's result, unless the page is on its way elsewhere, blocked or gone: then null. Such a page doesn't
// answer, and there is nothing to ask it any more.
Json ask_if_there(const CallContext& ctx, Tab& tab, const std::string& frame, std::string_view name, const Json& args) {
  const auto command = page_command(tab, name, args, frame);
  if (command.params.is_null()) return {};
  const auto commits = tab.with([](TabView& view) { return view.navigation.commit().seq; });
  auto asked = tab.ask("Runtime.evaluate", command.params, command.session);
  tab.wait(ctx.within(kHitWait), [&](TabView& view) {
    return asked.reply() || view.gone || view.crashed || view.dialog.open() || view.navigation.navigation_pending() ||
           view.navigation.commit().seq != commits;
  });
  const auto got = tab.with([&](TabView&) { return asked.take(); });
  if (!got || got->kind != CdpReply::Kind::result) return {};
  Json message = parse_cdp(got->message);
  Json& result = message.at("result").at("result");
  const auto value = result.find("value");
  return value == result.end() ? Json() : std::move(*value);
}

}  // namespace

HitGuard::~HitGuard() {
  if (ended_) return;
  const auto command = page_command(tab_, "hitResult", Json::object(), element_.frame);
  if (!command.params.is_null()) tab_.session().connection().post(command.session, "Runtime.evaluate", command.params);
}

HitGuard::Miss HitGuard::end(const CallContext& ctx) {
  ended_ = true;  // a page that doesn't answer now reads it later, or is gone with its guard
  const Json result = ask_if_there(ctx, tab_, element_.frame, "hitResult", Json::object());
  if (!result.is_object() || !result.contains("hit")) return {};
  const Json& hit = result["hit"];
  if (hit.is_boolean()) {
    if (hit.get<bool>()) return {};
    return {string_field(result, "hitInstead"), result.value("blocked", false)};
  }
  // No event came to the element's frame: a listener of the page's may have hidden it from us, or a frame that wasn't
  // there before got it. What lies at the point now decides.
  const Json now = ask_if_there(ctx, tab_, element_.frame, "hitAt",
                                {{"target", element_.name()}, {"x", element_.frame_x}, {"y", element_.frame_y}});
  if (now.is_object() && !now.value("ok", true) && now.contains("hitInstead"))
    return {string_field(now, "hitInstead"), false};
  return {};
}

ReadyElement guarded_click(const CallContext& ctx, Tab& tab, const RefSpace& refs, GuardedClick options) {
  const auto limit = Deadline::after(options.timeout);
  for (;;) {
    const auto left = std::max(limit.remaining(), Millis(1));
    auto element = ready_element(ctx, tab, refs, options.target, options.kind, left, true);
    HitGuard guard(tab, element);
    if (options.about_to) options.about_to(element);
    options.click.x = element.x;
    options.click.y = element.y;
    mouse_click(ctx, tab, options.click);
    const auto miss = guard.end(ctx);
    if (miss.instead.empty() && !miss.blocked) return element;
    if (options.missed && miss.blocked) options.missed();
    if (!miss.blocked) {
      throw ToolError(fmt::format("The click on {} did not reach it: {} was over it at that moment and got the click.",
                                  element.describe, miss.instead));
    }
    if (limit.expired()) {
      throw ToolError(fmt::format(
          "{} could not be clicked: each time, {} came in its place as the click arrived. Nothing was clicked.",
          element.describe, miss.instead));
    }
  }
}

}  // namespace bridle
