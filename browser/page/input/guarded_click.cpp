#include "browser/page/input/guarded_click.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/errors.h"
#include "browser/page/input/mouse_events.h"
#include "browser/page/world/questions.h"
#include "browser/page/world/world.h"

namespace bridle {
namespace {

constexpr Millis kHitWait{1000};

// A page function's result, unless the page is on its way elsewhere, blocked or gone: then nullopt. Such a page doesn't
// answer, and there is nothing to ask it any more.
template <typename Function>
std::optional<typename Function::Result> call_if_there(const CallContext& ctx, Tab& tab, const std::string& frame,
                                                       const Function& function) {
  const auto command = page_command(tab, page_expression(function), frame);
  if (command.params.is_null()) return std::nullopt;
  const auto commits = tab.state().commit_seq;
  auto reply = tab.send("Runtime.evaluate", command.params, command.session);
  tab.wait(ctx.within(kHitWait), [&] {
    const auto now = tab.state();
    return reply.has_come() || now.interrupted() || now.commit_seq != commits;
  });
  const auto got = reply.take();
  return got ? page_result<Function>(*got) : std::nullopt;
}

// The release alone, of which no click comes, where the page listens for one only now [why.release-again]. `before`:
// for how many it did before the press.
void release_again(const CallContext& ctx, Tab& tab, const std::string& frame, const MouseClick& click,
                   std::optional<PendingReply>& before) {
  auto now = before ? ask_release_listeners(tab, frame) : std::nullopt;
  if (!now || !now->wait(ctx.within(kHitWait))) return;
  if (release_listeners_of(now->take()) <= release_listeners_of(before->take())) return;
  ctx.signal.throw_if_aborted();
  tab.call(ctx, "Input.dispatchMouseEvent", mouse_event("mouseReleased", click.x, click.y, click.button, 0, 1, 0));
}

}  // namespace

HitGuard::~HitGuard() {
  if (ended_) return;
  const auto command = page_command(tab_, page_expression(page::HitResult{}), element_.frame);
  if (!command.params.is_null()) tab_.post("Runtime.evaluate", command.params, command.session);
}

HitGuard::Miss HitGuard::end(const CallContext& ctx) {
  ended_ = true;  // a page that doesn't answer now reads it later, or is gone with its guard
  const auto result = call_if_there(ctx, tab_, element_.frame, page::HitResult{});
  if (!result) return {};
  if (result->hit) {
    if (*result->hit) return {.clicked = result->clicked_instead.value_or(""), .unheard = result->unheard};
    return {.instead = result->hit_instead.value_or(""), .blocked = result->blocked};
  }
  // No event came to the element's frame: a listener of the page's may have hidden it from us, or a frame that wasn't
  // there before got it. What lies at the point now decides.
  const auto now = call_if_there(ctx, tab_, element_.frame,
                                 page::HitAt{.target = element_.name(), .x = element_.frame_x, .y = element_.frame_y});
  const bool dropped = now && result->dropped && !now->in_other;
  if (now && !now->ok) return {.instead = now->hit_instead, .blocked = dropped};
  return {.blocked = dropped};
}

ReadyElement guarded_click(const CallContext& ctx, Tab& tab, const RefSpace& refs, GuardedClick options) {
  const auto limit = Deadline::after(options.timeout);
  for (;;) {
    const auto left = std::max(limit.remaining(), Millis(1));
    auto element = ready_element(ctx, tab, refs, options.target, options.kind, left, true, options.at, options.frame);
    HitGuard guard(tab, element);
    if (options.about_to) options.about_to(element);
    options.click.x = element.x;
    options.click.y = element.y;
    const auto requests = tab.state().requests;
    const bool is_plain = options.click.count == 1 && options.click.modifiers.empty();
    auto releases = is_plain && element.by_page ? ask_release_listeners(tab, element.frame) : std::nullopt;
    mouse_click(ctx, tab, options.click);
    const auto miss = guard.end(ctx);
    if (miss.unheard && tab.state().requests == requests)
      release_again(ctx, tab, element.frame, options.click, releases);
    if (!miss.clicked.empty() && options.click.button == "left" && options.lost) options.lost(miss.clicked);
    if (miss.instead.empty() && !miss.blocked) return element;
    if (options.missed && miss.blocked) options.missed();
    if (!miss.blocked) {
      throw ToolError(fmt::format("The click on {} did not reach it: {} was over it at that moment and got the click.",
                                  element.describe, miss.instead));
    }
    if (limit.expired() && miss.instead.empty()) {
      throw ToolError(
          fmt::format("{} could not be clicked: {}. Nothing was clicked.", element.describe, kInputDropped));
    }
    if (limit.expired()) {
      throw ToolError(fmt::format(
          "{} could not be clicked: each time, {} came in its place as the click arrived. Nothing was clicked.",
          element.describe, miss.instead));
    }
  }
}

}  // namespace bridle
