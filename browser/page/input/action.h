#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "browser/page/input/timer_watch.h"
#include "browser/page/navigation.h"

// What an input brings about: the adaptive wait after it [nav.after-action], and its end on an abort
// [cancel.browser].
namespace bridle {

// The state before an action, to tell afterwards what it caused.
struct ActionMark {
  std::uint64_t navigation_seq = 0;
  std::uint64_t commit_seq = 0;
  std::uint64_t same_document_seq = 0;
  std::uint64_t dialog_seq = 0;
  std::uint64_t download_seq = 0;
  int requests = 0;
  std::vector<std::string> frames{};  // that the input goes to, besides the main one: they are waited for too
};
// A bystander is a tab in which an action elsewhere may show: none begins there, as another call may have one under
// way.
enum class Marked { acted_in, bystander };
ActionMark mark_action(Tab& tab, Marked marked = Marked::acted_in);

struct ActionOutcome {
  bool navigated = false;            // committed another document, or is about to
  NavigationResult navigation{};     // when navigated; else url, title and what loads of the page
  bool dialog = false;               // a dialog is open now
  double motion = 0;                 // ms until the animations that it began are over, which nobody waited for
  bool idle = false;                 // the page goes on doing what it does when it is idle
  Deadline late = Deadline::none();  // until when late effects may be waited for
};
// What the page script knows of the action's input. `watched`: its watchAction has watched the main frame from before
// the first input, and the input can't begin a navigation by itself (typing, most keys): no frame is waited for if
// nothing changed and nothing is due [why.frame-only-when-due]. `guarded_click`: the click has requested its frames.
// `resized`: the page hears of it in its next frame, and what it sets timers for is asked behind that. `hovered`: what
// a page shows of what the mouse rests on is all that was asked for, and comes late.
enum class ActionInput { plain, watched, guarded_click, resized, hovered };
// The adaptive wait after an action [nav.after-action].
// `timers`: what watches the pages that the input went to. Timers of at most limits::kTimersWaitedFor (of a hover
// limits::kHoverPause), and animations that show or hide something, are waited for [nav.after-action.timers].
using TimerWatches = std::vector<std::unique_ptr<TimerWatch>>;
ActionOutcome settle_action(const CallContext& ctx, Tab& tab, const ActionMark& mark, const TimerWatches& timers,
                            ActionInput input = ActionInput::plain);
// Until `limit` at most (ActionOutcome::late): until the watched timers of at most `most` have fired and
// the page has shown what they brought about. False: there were none.
bool wait_timers(const CallContext& ctx, Tab& tab, const ActionMark& mark, const TimerWatches& timers, Millis most,
                 Deadline limit);
// The same until the page has changed, where the action has fetched something: a framework that took its timers before
// they were watched shows it a moment later. False: nothing was waited for. True says no more: the change may have come
// just before the wait.
bool wait_change(const CallContext& ctx, Tab& tab, const ActionMark& mark, Deadline limit);

// After an abort: ends the navigation that the action began and returns its URL, or "" if there was none. Shielded, at
// most limits::kCleanup; throws nothing.
std::string end_action(const CallContext& ctx, Tab& tab, const ActionMark& mark);

}  // namespace bridle
