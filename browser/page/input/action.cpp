#include "browser/page/input/action.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "browser/page/stop_loading.h"
#include "browser/page/told_state.h"
#include "browser/page/world/world.h"

namespace bridle {
namespace {

constexpr Millis kRoundTrip{500};    // of a clean-up, until the renderer has answered
constexpr Millis kNewDocument{250};  // from a frame's commit to its worlds, which come by events

}  // namespace

ActionMark mark_action(Tab& tab, Marked marked) {
  const auto now = tab.state();
  return {.navigation_seq = now.navigation_seq,
          .commit_seq = now.commit_seq,
          .same_document_seq = now.same_document_seq,
          .dialog_seq = now.dialog_seq,
          .download_seq = now.download_seq,
          .requests = marked == Marked::acted_in ? tab.begin_action_requests() : now.requests};
}

namespace {

bool caused_navigation(const TabState& now, const ActionMark& mark) {
  return now.navigation_pending || now.commit_seq != mark.commit_seq;
}

// A navigation that has left the page as it is may have ended before its state was looked at.
void note_ended(const TabState& now, const ActionMark& mark, ActionOutcome& outcome) {
  if (now.last_started_seq <= mark.navigation_seq) return;
  const bool leads_away = belongs_to_another_program(now.last_started_url);
  if (!leads_away && now.download_seq == mark.download_seq) return;
  outcome.navigated = true;
  outcome.navigation.outcome = leads_away ? NavigationOutcome::other_program : NavigationOutcome::download;
  if (leads_away) outcome.navigation.detail = now.last_started_url;
}

bool page_blocked(const TabState& now, const ActionMark& mark) {
  return now.gone || now.crashed || (now.dialog && now.dialog_seq != mark.dialog_seq);
}

// Waiting for the page's own doings has no point any more.
bool page_left(const TabState& now, const ActionMark& mark) {
  return page_blocked(now, mark) || caused_navigation(now, mark);
}

// A wait in one frame: over when that has answered, or has another document or none.
struct FrameWait {
  std::string frame{};  // "" the main one
  std::string world{};
  PendingReply reply;

  bool over(const Tab& tab) const {
    if (reply.has_come()) return true;
    if (frame.empty()) return false;
    const auto found = tab.frame(frame);
    return !found || found->bridle_world != world;
  }
};

// Waits a moment until the frames whose documents were just replaced have their isolated worlds.
void wait_worlds(const CallContext& ctx, Tab& tab, const std::vector<std::string>& frames) {
  if (frames.empty()) return;
  const auto has_world = [&](const std::string& frame) {
    const auto found = tab.frame(frame);
    return !found || !found->bridle_world.empty();
  };
  tab.wait(ctx.within(kNewDocument), [&] {
    const auto now = tab.state();
    return now.gone || now.crashed || std::all_of(frames.begin(), frames.end(), has_world);
  });
}

// The renderer's round trip and two frames, in the page and in the frames that the input went to; one is enough where
// it changed nothing.
struct FramesWaited {
  double motion = 0;  // ms until the animations are over that show or hide something
  std::string url{};  // where the page is; "" when it didn't answer
  std::string title{};
  std::string loading{};  // what says that it still loads
  std::vector<std::string> loading_frames{};
  bool asked = false;  // the page had asked for a frame, in which it may have set timers
  bool idle = false;   // the page has asked for callbacks when it is idle
};
FramesWaited wait_frames(const CallContext& ctx, Tab& tab, const ActionMark& mark,
                         ActionInput input = ActionInput::plain, bool timers_fired = false) {
  FramesWaited result;
  wait_worlds(ctx, tab, mark.frames);
  // What a timer does, it may do again and again: whether that moves something shows in two frames.
  const auto after_input = page_expression(page::Frames{.n = timers_fired ? 3 : 2,
                                                        .least = timers_fired ? 2 : 1,
                                                        .adaptive = true,
                                                        .quick = input == ActionInput::watched,
                                                        .clicked = input == ActionInput::guarded_click});
  std::vector<std::string> frames{""};
  frames.insert(frames.end(), mark.frames.begin(), mark.frames.end());
  for (int round = 0; round < 2 && !frames.empty(); ++round) {
    std::vector<FrameWait> waits;
    for (const auto& frame : frames) {
      auto command = page_command(tab, after_input, frame);
      if (command.params.is_null()) continue;  // between two documents: a navigation is under way
      auto reply = tab.send("Runtime.evaluate", command.params, command.session);
      waits.push_back({frame, command.params.value("uniqueContextId", ""), std::move(reply)});
    }
    tab.wait(ctx.within(limits::kActionSettle), [&] {
      return page_left(tab.state(), mark) ||
             std::all_of(waits.begin(), waits.end(), [&](const FrameWait& wait) { return wait.over(tab); });
    });
    frames.clear();
    for (auto& wait : waits) {
      const auto reply = wait.reply.take();
      if (!reply) continue;
      if (const auto waited = page_result<page::Frames>(*reply)) {
        result.motion = std::max(result.motion, waited->motion);
        result.asked = result.asked || waited->asked;
        if (!waited->loading.empty()) result.loading_frames.push_back(wait.frame);
        if (result.loading.empty()) result.loading = waited->loading;
        if (wait.frame.empty()) {
          result.url = waited->url;
          result.title = waited->title;
          result.idle = waited->idle;
        }
      }
      if (!names_missing_script(*reply)) continue;
      forget_page_script(tab, wait.frame);  // nothing was waited for
      frames.push_back(wait.frame);
    }
  }
  return result;
}

// A watch that was asked whether its timers have fired. The reply is taken by note().
struct AskedTimers {
  TimerWatch& watch;
  PendingReply reply;
  std::optional<bool> fired{};  // once the reply is taken

  void note() {
    const auto come = reply.take();
    fired = !come || watch.note_fired(*come);
  }
};

std::vector<AskedTimers> ask_for_timers(const TimerWatches& timers, Millis most,
                                        TimerWatch::Which which = TimerWatch::Which::own) {
  std::vector<AskedTimers> asked;
  for (const auto& watch : timers) {
    if (watch->watching()) asked.push_back({*watch, watch->until_fired(most, which)});
  }
  return asked;
}

// Once more where there was none before the frames that the page has asked for: it may have set its timers in these.
void ask_again(std::vector<AskedTimers>& asked, Millis most) {
  for (auto& one : asked) {
    if (!one.reply.has_come()) continue;
    one.note();
    if (!one.watch.none()) continue;
    one.reply = one.watch.until_fired(most);
    one.fired.reset();
  }
}

// True: something fired.
bool wait_fired(const CallContext& ctx, Tab& tab, const ActionMark& mark, std::vector<AskedTimers>& asked) {
  tab.wait(ctx, [&] {
    return page_left(tab.state(), mark) || std::all_of(asked.begin(), asked.end(), [](const AskedTimers& one) {
             return one.fired || one.reply.has_come();
           });
  });
  bool any = false;
  for (auto& one : asked) {
    if (!one.fired) one.note();
    any = any || *one.fired;
  }
  return any;
}

// Until the animations are over, in the main frame. The ms of what is left.
double wait_still(const CallContext& ctx, Tab& tab, const ActionMark& mark, Millis limit) {
  if (page_left(tab.state(), mark) || limit <= Millis(0)) return 0;
  const auto told = try_page_call(ctx, tab, page::Still{.timeout = static_cast<page::Integer>(limit.count())});
  return told ? told->left : 0;
}

// Until the page has done what it does when it is idle, in the main frame. True: it goes on.
bool wait_idle(const CallContext& ctx, Tab& tab, const ActionMark& mark, Millis limit) {
  if (page_left(tab.state(), mark) || limit <= Millis(0)) return false;
  const auto told = try_page_call(ctx, tab, page::Idled{.timeout = static_cast<page::Integer>(limit.count())});
  return told && told->left;
}

// Until the fetches that the action started are over and nothing new came for kActionQuiet.
void wait_quiet(const CallContext& ctx, Tab& tab, const ActionMark& mark, Deadline limit) {
  NetworkActivity network;
  const auto left = [&] { return page_left(tab.state(), mark); };
  const auto look = [&] { network = tab.network_since(mark.requests); };
  std::optional<Deadline> messages;  // until when further messages are waited for
  for (;;) {
    const auto bounded = ctx.by(limit);
    const bool idle = tab.wait(bounded, [&] {
      look();
      return network.busy == 0 || left();
    });
    if (!idle || !network.last) return;
    if (network.owed) {
      const auto patience = bounded.by(Deadline::at(*network.owed + limits::kSocketAnswer));
      const bool answered = tab.wait(patience, [&] {
        look();
        return !network.owed || left();
      });
      if (!answered) tab.give_up_sockets();
    }
    if (network.heard && !messages) messages = Deadline::at(*network.heard + limits::kLateEffects);
    const auto heard = network.heard;
    const auto quiet = bounded.by(Deadline::at(*network.last + limits::kActionQuiet));
    const bool disturbed = tab.wait(quiet, [&] {
      look();
      return network.busy > 0 || network.owed || (network.heard > heard && !messages->expired()) || left();
    });
    if (!disturbed || bounded.deadline.expired() || left()) return;
  }
}

// Until what the page has sent its workers is answered [nav.workers], and what it sends them then, and until nothing
// more has come for kActionQuiet. True: something has come.
bool wait_workers(const CallContext& ctx, Tab& tab, const ActionMark& mark, TimerWatch& watch) {
  bool any = false;
  auto limit = Deadline::after(limits::kSocketAnswer);
  const auto left = [&] { return page_left(tab.state(), mark); };
  for (bool quiet = false; !left();) {
    auto answered = watch.until_answered();
    if (!tab.wait(ctx.by(limit), [&] { return answered.has_come() || left(); })) {
      watch.give_up_workers();
      break;
    }
    const auto reply = answered.take();
    const auto told = reply ? TimerWatch::answered_of(*reply) : TimerWatch::Answered::none_owed;
    if (told == TimerWatch::Answered::none_owed || (quiet && told == TimerWatch::Answered::before)) break;
    if (!std::exchange(any, true)) limit = Deadline::after(limits::kLateEffects);
    const auto more = watch.until_heard();
    quiet = !tab.wait(ctx.by(limit).within(limits::kActionQuiet), [&] { return more.has_come() || left(); });
  }
  return any;
}

bool has_asked(const Tab& tab, const TabState& now, const ActionMark& mark) {
  return now.requests > mark.requests || tab.network_since(mark.requests).last.has_value();
}

// Until the renderer has answered once: then every navigation that the page has asked for is known. Also ends when one
// is pending, before which it won't answer.
void wait_round_trip(const CallContext& ctx, Tab& tab) {
  const auto reply = tab.send("Runtime.evaluate", {{"expression", "0"}});
  tab.wait(ctx, [&] { return reply.has_come() || tab.state().interrupted(); });
}

}  // namespace

std::string end_action(const CallContext& ctx, Tab& tab, const ActionMark& mark) {
  const CallContext shield = ctx.shielded(limits::kCleanup);
  std::string url;
  try {
    wait_round_trip(shield.within(kRoundTrip), tab);
    const auto now = tab.state();
    if (now.dialog && now.dialog_seq != mark.dialog_seq && now.dialog->type == "beforeunload") {
      tab.handle_dialog(shield, false, "");
      return url;
    }
    if (now.gone || now.crashed) return url;
    if (now.navigation_pending) {
      url = now.pending_url;
    } else if (now.commit_seq != mark.commit_seq && now.loading) {
      url = now.url;
    }
    if (!url.empty()) stop_loading(shield, tab);
  } catch (const std::exception& error) {
    spdlog::debug("{}: clean-up after an abort: {}", tab.label(), error.what());
  }
  return url;
}

bool wait_timers(const CallContext& ctx, Tab& tab, const ActionMark& mark, const TimerWatches& timers, Millis most,
                 Deadline limit) {
  auto asked = ask_for_timers(timers, most);
  if (!wait_fired(ctx.by(limit), tab, mark, asked) || page_left(tab.state(), mark)) return false;
  wait_frames(ctx, tab, mark, ActionInput::plain, true);
  return true;
}

bool wait_change(const CallContext& ctx, Tab& tab, const ActionMark& mark, Deadline limit) {
  const auto left = limit.remaining();
  if (left <= Millis(0) || page_left(tab.state(), mark) || !tab.network_since(mark.requests).last_fetch) return false;
  const auto told = try_page_call(ctx, tab, page::Drawn{.timeout = static_cast<page::Integer>(left.count())});
  if (!told) return false;
  if (told->changed) wait_frames(ctx, tab, mark);
  return true;
}

ActionOutcome settle_action(const CallContext& ctx, Tab& tab, const ActionMark& mark, const TimerWatches& timers,
                            ActionInput input) {
  const auto limit = Deadline::after(limits::kActionSettle);
  const auto most = input == ActionInput::hovered ? limits::kHoverPause : limits::kTimersWaitedFor;
  const auto late = Deadline::after(std::max(limits::kLateEffects, most + limits::kActionQuiet));
  // Asked before the wait for frames, so that it costs nothing where there is no timer.
  using Which = TimerWatch::Which;
  const auto ask = [&](Which which = Which::own) { return ask_for_timers(timers, most, which); };
  const bool in_frame = input == ActionInput::resized;
  auto asked = in_frame ? std::vector<AskedTimers>() : ask();
  auto waited = wait_frames(ctx, tab, mark, input);
  if (in_frame)
    asked = ask();
  else if (waited.asked && !page_left(tab.state(), mark))
    ask_again(asked, most);
  ActionOutcome outcome;
  const auto wait_again = [&](bool timers_fired = false) {
    if (!page_left(tab.state(), mark)) waited = wait_frames(ctx, tab, mark, ActionInput::plain, timers_fired);
  };
  // Until `until`, what the input, or a response to it, has begun: timers, animations, callbacks of an idle page. What
  // the end of one begins is waited for too, where it may be told from what the page does anyway.
  const auto wait_effects = [&](Deadline until, Which which) {
    for (bool more = true; more && !page_left(tab.state(), mark);) {
      if (wait_fired(ctx.by(until), tab, mark, asked)) wait_again(true);
      outcome.motion = waited.motion;
      more = false;
      if (waited.motion > 0 && !until.expired()) {
        outcome.motion = wait_still(ctx, tab, mark, until.remaining());
        wait_again();
        more = which == Which::late_too;
      }
      if (waited.idle && !until.expired()) {
        outcome.idle = wait_idle(ctx, tab, mark, until.remaining());
        which = Which::late_too;
        asked = ask(which);
        wait_again();
        more = true;
      } else if (more) {
        asked = ask(which);
      }
      more = more && !until.expired();
    }
  };
  wait_effects(late, Which::own);
  if (const auto now = tab.state(); !page_left(now, mark) && has_asked(tab, now, mark)) {
    wait_quiet(ctx, tab, mark, limit);
    const auto network = tab.network_since(mark.requests);
    const auto answered = network.last && network.busy == 0 ? Deadline::at(*network.last + limits::kLateEffects) : late;
    asked = answered.expired() ? std::vector<AskedTimers>() : ask(Which::late_too);
    wait_again();
    wait_effects(answered, Which::late_too);
  }
  for (const auto& watch : timers) {
    if (!watch->has_workers() || !wait_workers(ctx.by(limit), tab, mark, *watch)) continue;
    asked = ask(Which::late_too);
    wait_again();
    wait_effects(Deadline::after(limits::kLateEffects), Which::late_too);
  }
  bool has_loaded = false;
  for (const auto& frame : waited.loading_frames) {
    const auto left = late.remaining();
    if (left <= Millis(0) || page_left(tab.state(), mark)) break;
    has_loaded = wait_loaded(ctx, tab, left, false, frame).waited || has_loaded;
  }
  if (has_loaded) wait_again();
  outcome.late = late;
  const auto now = tab.state();
  outcome.dialog = now.dialog.has_value();
  if (outcome.dialog) {
    outcome.navigation.url = now.url;
    outcome.navigation.title = now.title;
    return outcome;
  }
  outcome.navigated = caused_navigation(now, mark);
  if (outcome.navigated) {
    outcome.navigation = follow(ctx, tab, {});
    // It never began: a link that opens in another tab is announced as a navigation of this one.
    outcome.navigated = outcome.navigation.outcome != NavigationOutcome::superseded ||
                        !outcome.navigation.detail.empty() || tab.state().commit_seq != mark.commit_seq;
    if (!outcome.navigated) outcome.navigation = read_state(ctx, tab);
  } else {
    // What the page said with its last frame stands, where nothing more is due.
    auto told = state_as_told(tab, waited.url, waited.title);
    outcome.navigation = told ? std::move(*told) : read_state(ctx, tab);
  }
  if (!outcome.navigated) note_ended(now, mark, outcome);
  if (!outcome.navigated) outcome.navigation.loading = std::move(waited.loading);
  outcome.dialog = tab.state().dialog.has_value();
  return outcome;
}

}  // namespace bridle
