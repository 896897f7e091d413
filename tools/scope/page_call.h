#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "browser/page/input/action.h"
#include "browser/page/input/element.h"
#include "browser/page/input/guarded_click.h"
#include "browser/page/input/input.h"
#include "browser/tab/tab.h"
#include "tools/contract/response.h"
#include "tools/contract/tool.h"
#include "tools/scope/browser_scope.h"
#include "tools/scope/call_effects.h"

namespace bridle {

struct PageToolOptions {
  bool mutates = false;         // refused when the page's origin changed since the caller was told [nav.origin]
  bool queues = true;           // one at a time on a tab; reads don't wait for each other's turn but for the page
  bool settles = true;          // the second guard: waits while the tab is on its way somewhere
  bool on_crashed = false;      // works on a crashed page (navigation revives it)
  bool through_dialog = false;  // works while a dialog is open
};
// Those of a tool that acts on the page.
inline constexpr PageToolOptions kActs{.mutates = true};
// Those of a tool that reads what bridle has kept of the page: that needs no page that answers.
inline constexpr PageToolOptions kReadsLog{
    .queues = false, .settles = false, .on_crashed = true, .through_dialog = true};

// One call of a page tool on one tab: got in one place, given back on every path [nav.guard].
// Lives on the request's thread.
class PageCall {
 public:
  // What a result shows of a page that is new to the caller, in characters: its budget, and up to where it is shown
  // whole.
  static constexpr int kPageBudget = 6000;
  static constexpr int kWholePage = kPageBudget * 3 / 2;

  // `tab_id` "": the current tab. Queue, dialog, settle, crash, origin: throws ToolError, Aborted, LaunchError.
  PageCall(ToolContext& ctx, const std::string& tab_id, const std::string& tool, const PageToolOptions& options);

  ~PageCall();
  PageCall(const PageCall&) = delete;
  PageCall& operator=(const PageCall&) = delete;

  const CallContext& ctx() const { return ctx_.call; }
  // Of a step of browser_batch, which tells of the page at its end: then add_page() and add_delta() add nothing.
  bool in_batch() const { return ctx_.batch != nullptr; }
  // An input of its action may have gone to the page.
  bool has_acted() const { return action_.has_value(); }
  BrowserScope& scope() { return *scope_; }
  Tab& tab() { return *tab_; }
  const BrowserSettings& settings() const { return scope_->settings(); }
  Response response;
  CallEffects effects;
  // The elements of this call, for the record of what the session does; none while nothing is recorded.
  const std::map<std::string, RecordedTarget>& recorded_targets() const { return recorded_targets_; }
  // Notes that it has been done.
  void record(const std::string& tool, const Json& args);

  // See client_roots(); the session's, of an isolated tab too.
  std::vector<std::filesystem::path> client_roots();
  // Before a page is given a file, and the like: asks the person where --confirm says so and the origin is one that the
  // caller never named. Throws ToolError when they deny it or can't be asked; it then says what to do. Before any
  // effect, because in 2026-07-28 the call is made again with the answer.
  void confirm(ConsentKind kind, const std::string& origin);
  // The same for what pages have tried since the last action: their downloads and forms were refused. Acting tools have
  // done so already. Throws nothing but Aborted, and what UserPrompt says of 2026-07-28.
  void ask_held();
  // Adds the page section: where a navigation or an action has led.
  void add_page(const NavigationResult& page);
  // For a call that has led nowhere itself: whether the tab has another document now than the last answer told of, as
  // after a reload by the page's own script, in words for `NavigationResult::note`; else "".
  std::string news_of_document() const;
  // Adds what every result may carry: dialog, popups, downloads, console errors, notes; and the tab's id.
  void add_events();
  // An element of a target, ready for `kind` within the action's timeout (see ready_element); says when the target
  // matched several.
  ReadyElement ready(const std::string& target, const char* kind, bool guard = false,
                     const std::optional<PointIn>& at = std::nullopt);
  // Clicks it with all checks, after begin_action. `words`: the effect, given the element.
  ReadyElement click(const std::string& target, MouseClick click,
                     const std::function<std::string(const ReadyElement&)>& words,
                     const std::optional<PointIn>& at = std::nullopt);
  // The same for what the page script points to (kPointedTarget) in a frame. Who else got the click is not told.
  ReadyElement click_pointed(const std::string& frame, const std::string& words);
  // From here on the page's downloads count as begun by this call; see DownloadGrants. begin_action() says so too. A
  // navigation may say whether it is still on its way; otherwise the end of the call is the end.
  void begin_downloads(bool navigation);
  void end_downloads(bool still_loading);
  void await_downloads();
  // Whether the call may act on the page that is there now, and on a frame of it ("": the main one): of a run that may
  // act on some origins alone, it is refused elsewhere [agent.run.origins]. The guard has asked before the call got the
  // tab, and begin_action() asks for each input; a tool that acts without one asks right before it does. Throws
  // ToolError.
  void check_may_act(const std::string& frame = {});
  // Ends a question of the browser's for a name and a password, for which the page gets no input, where nobody else can
  // answer it [nav.after-action.asks]. True: there was one, and the answer tells of it. begin_action() does it too.
  bool free_input();
  // The page's main thread doesn't answer: what is to be said where it waits for such a question, by a request that
  // nothing ends but a navigation. From now on those of the tab are refused. "" elsewhere.
  std::string refuse_challenges();
  // Before the first input of an action. From here to its end an abort also stops the navigation that it caused.
  // `frame` is the frame that the input goes to (ReadyElement::frame); a second call names a further one. `next`: what
  // is sent to it first. Throws as check_may_act() does, with nothing begun.
  void begin_action(const std::string& frame = {}, TimerWatch::Before next = TimerWatch::Before::input);
  // The action has opened a dialog: the timers that it sets in the main frame are waited for when that is answered.
  void leave_timers_to_dialog();
  // In the middle of an action: waits for the timers of at most `most` ms that it has set so far, and what they bring
  // about.
  void wait_for_timers(Millis most);
  // Between two inputs of an action: waits until the timers that it has set are over, and watches for those that are
  // set from then on.
  void let_timers_pass();
  // After an action: waits adaptively [nav.after-action] and reports where the page is, with a short delta.
  void finish_action(ActionInput input = ActionInput::plain);
  // Around a navigation that may stay within the document, where the page's scripts show what it leads to: what they
  // begin by it is waited for as what an action has them begin. Returns where the page is then.
  void begin_navigation(bool in_document);
  NavigationResult settle_navigation(NavigationResult page);
  // The same for an action in another tab, of which this one's mark was made before.
  void finish_action_elsewhere(ActionMark mark);
  // Ends, after an abort, what the action began; see end_action() in browser/page/input/action.h. Throws nothing.
  void end_action();
  // Adds what changed on the page since the caller's last snapshot, or why there is nothing to show. `again`: in place
  // of what it added before. `shrunk`: something has gone and nothing has come; `thinned`: far more elements
  // have gone than come; `under_way`: the page says that what was asked for is.
  enum class Delta { shrunk, thinned, under_way, other };
  Delta add_delta(bool again = false);
  // Adds what the page will do by itself soon, and ends the watches of timers. `motion`: ms that its animations still
  // take. True: it has acted since its delta was read.
  bool add_pending(double motion, bool idle = false);

 private:
  void watch_timers(const std::string& frame, TimerWatch::Before next);
  void guard(const std::string& tool, const PageToolOptions& options);
  void check_origin(const std::string& tool);
  bool can_ask() const;
  TabState look_at_popup(Tab& popup);
  ReadyElement click_guarded(GuardedClick options, const std::function<std::string(const ReadyElement&)>& words);
  void report_match_count(const ReadyElement& element);
  void record_target(const ReadyElement& element);
  void check_dialog(bool through);
  void tell_of_person();

  ToolContext& ctx_;
  const std::shared_ptr<BrowserScope> scope_;  // whose the tab is: the caller's, or an isolated one of its own
  std::shared_ptr<Tab> tab_;
  TabQueue::Turn turn_;
  std::optional<ActionMark> action_;  // while one is under way
  TimerWatches timers_;               // of the pages that it goes to
  std::map<std::string, RecordedTarget> recorded_targets_{};
  bool began_downloads_ = false;
  std::string told_matches_{};
};

// "alert dialog: "text"": what to say of an open dialog.
std::string describe_dialog(const JavaScriptDialog& dialog);

}  // namespace bridle
