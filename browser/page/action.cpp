#include "browser/page/action.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "browser/page/world.h"

namespace bridle {
namespace {

constexpr Millis kRoundTrip{500};    // of a clean-up, until the renderer has answered
constexpr Millis kNewDocument{250};  // from a frame's commit to its worlds, which come by events

}  // namespace

ActionMark mark_action(Tab& tab) {
  return tab.with([](TabView& view) {
    return ActionMark{view.navigation.seq(), view.navigation.commit().seq,   view.navigation.same_document_seq(),
                      view.dialog.seq(),     view.navigation.download_seq(), view.network.started()};
  });
}

namespace {

bool caused_navigation(const TabView& view, const ActionMark& mark) {
  return view.navigation.navigation_pending() || view.navigation.commit().seq != mark.commit_seq;
}

bool page_blocked(const TabView& view, const ActionMark& mark) {
  return view.gone || view.crashed || (view.dialog.open() && view.dialog.seq() != mark.dialog_seq);
}

// A wait in one frame: over when that has answered, or has another document or none.
struct FrameWait {
  std::string frame{};  // "" the main one
  std::string world{};
  Tab::Asked asked{};

  bool over(const TabView& view) const {
    if (asked.reply()) return true;
    if (frame.empty()) return false;
    const auto* found = view.frames.find(frame);
    return found == nullptr || found->bridle_world != world;
  }
};

// Until the frames whose documents have just been replaced have their worlds, for a moment.
void wait_worlds(const CallContext& ctx, Tab& tab, const std::vector<std::string>& frames) {
  if (frames.empty()) return;
  tab.wait(ctx.within(kNewDocument), [&](TabView& view) {
    return view.gone || view.crashed || std::all_of(frames.begin(), frames.end(), [&](const std::string& frame) {
             const auto* found = view.frames.find(frame);
             return found == nullptr || !found->bridle_world.empty();
           });
  });
}

// The renderer's round trip and two frames, in the page and in the frames that the input went to; one is enough where
// it changed nothing.
void wait_frames(const CallContext& ctx, Tab& tab, const ActionMark& mark, bool quick = false) {
  wait_worlds(ctx, tab, mark.frames);
  const auto after_input = page_expression(page::Frames{.n = 2, .adaptive = true, .quick = quick});
  std::vector<std::string> frames{""};
  frames.insert(frames.end(), mark.frames.begin(), mark.frames.end());
  for (int round = 0; round < 2 && !frames.empty(); ++round) {
    std::vector<FrameWait> waits;
    for (const auto& frame : frames) {
      auto command = page_command(tab, after_input, frame);
      if (command.params.is_null()) continue;  // between two documents: a navigation is under way
      auto asked = tab.ask("Runtime.evaluate", command.params, command.session);
      waits.push_back({frame, command.params.value("uniqueContextId", ""), std::move(asked)});
    }
    tab.wait(ctx.within(limits::kActionSettle), [&](TabView& view) {
      return page_blocked(view, mark) || caused_navigation(view, mark) ||
             std::all_of(waits.begin(), waits.end(), [&](const FrameWait& wait) { return wait.over(view); });
    });
    frames.clear();
    for (auto& wait : waits) {
      const auto reply = tab.with([&](TabView&) { return wait.asked.take(); });
      if (!reply || !names_missing_script(*reply)) continue;
      forget_page_script(tab, wait.frame);  // nothing was waited for
      frames.push_back(wait.frame);
    }
  }
}

// Until the fetches that the action started are over and nothing new came for kActionQuiet.
void wait_quiet(const CallContext& ctx, Tab& tab, const ActionMark& mark, Deadline limit) {
  for (;;) {
    auto bounded = ctx;
    bounded.deadline = ctx.deadline.earlier(limit);
    std::optional<Clock::time_point> last;
    const bool idle = tab.wait(bounded, [&](TabView& view) {
      last = view.network.last_activity_since(mark.requests);
      return page_blocked(view, mark) || caused_navigation(view, mark) || view.network.busy_since(mark.requests) == 0;
    });
    if (!idle || !last) return;
    const auto quiet_at = Deadline::at(*last + limits::kActionQuiet);
    auto quiet = bounded;
    quiet.deadline = bounded.deadline.earlier(quiet_at);
    const bool disturbed = tab.wait(quiet, [&](TabView& view) {
      return page_blocked(view, mark) || caused_navigation(view, mark) || view.network.busy_since(mark.requests) > 0;
    });
    if (!disturbed || bounded.deadline.expired()) return;
    if (tab.with([&](TabView& view) { return page_blocked(view, mark) || caused_navigation(view, mark); })) return;
  }
}

// Until the renderer has answered once: then every navigation that the page has asked for is known. Also ends when one
// is pending, before which it won't answer.
void wait_round_trip(const CallContext& ctx, Tab& tab) {
  const auto asked = tab.ask("Runtime.evaluate", {{"expression", "0"}});
  tab.wait(ctx, [&](TabView& view) {
    return asked.reply() || view.gone || view.crashed || view.dialog.open() || view.navigation.navigation_pending();
  });
}

}  // namespace

std::string end_action(const CallContext& ctx, Tab& tab, const ActionMark& mark) {
  const CallContext shield = ctx.shielded(limits::kCleanup);
  std::string url;
  try {
    wait_round_trip(shield.within(kRoundTrip), tab);
    const bool leaving = tab.with([&](TabView& view) {
      const auto& dialog = view.dialog.open();
      return dialog && view.dialog.seq() != mark.dialog_seq && dialog->type == "beforeunload";
    });
    if (leaving) {
      tab.handle_dialog(shield, false, "");
      return url;
    }
    tab.with([&](TabView& view) {
      const bool committed = view.navigation.commit().seq != mark.commit_seq;
      if (view.gone || view.crashed) return;
      if (view.navigation.navigation_pending()) {
        url = view.navigation.pending_url();
      } else if (committed && view.navigation.loading()) {
        url = view.navigation.url();
      }
    });
    if (!url.empty()) stop_loading(shield, tab);
  } catch (const std::exception& error) {
    spdlog::debug("{}: clean-up after an abort: {}", tab.label(), error.what());
  }
  return url;
}

ActionOutcome settle_action(const CallContext& ctx, Tab& tab, const ActionMark& mark, bool quick) {
  const auto limit = Deadline::after(limits::kActionSettle);
  wait_frames(ctx, tab, mark, quick);
  if (tab.with([&](TabView& view) {
        return !page_blocked(view, mark) && !caused_navigation(view, mark) && view.network.started() > mark.requests;
      })) {
    wait_quiet(ctx, tab, mark, limit);
    if (!tab.with([&](TabView& view) { return page_blocked(view, mark) || caused_navigation(view, mark); })) {
      wait_frames(ctx, tab, mark);
    }
  }
  ActionOutcome outcome;
  tab.with([&](TabView& view) {
    outcome.dialog = view.dialog.open().has_value();
    outcome.navigated = !outcome.dialog && caused_navigation(view, mark);
  });
  if (outcome.dialog) {
    tab.with([&](TabView& view) {
      outcome.navigation.url = view.navigation.url();
      outcome.navigation.title = view.title;
    });
    return outcome;
  }
  const NavigationOptions options;
  outcome.navigation = outcome.navigated ? follow(ctx, tab, options) : look(ctx, tab);
  outcome.dialog = tab.with([](TabView& view) { return view.dialog.open().has_value(); });
  return outcome;
}

}  // namespace bridle
