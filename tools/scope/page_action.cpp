// An action's course in a page call: what it begins, how it settles, what it has changed [nav.after-action].
#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "base/text/log.h"
#include "base/text/secrets.h"
#include "browser/page/auth_prompt.h"
#include "browser/page/told_state.h"
#include "tools/scope/page_call.h"
#include "tools/scope/scope_tools.h"

namespace bridle {
namespace {

constexpr int kDeltaBudget = 4000;  // characters of the delta that an action's result carries: a month of days
constexpr int kLooksForEnd = 3;
constexpr Millis kHeld{1000};        // by a request that has no answer for so long
constexpr Millis kDeltaLimit{3000};  // a page that is busy building what the action asked for takes a second or two

// What a page asks of a person by dialogs of the browser's own, and what has become of it [nav.after-action.asks].
constexpr std::pair<const char*, const char*> kAskedFor[] = {
    {"passkey", "for a passkey, which can't be given here: the page was told that none was"},
    {"credential", "for a digital credential, which can't be given here: the page was told that none was"},
    {"account",
     "which account of another site to sign in with (FedCM), which can't be chosen here: the page was told that none "
     "was"},
    {"notifications",
     "for leave to send notifications, which nobody gives here: the page was told that it is still to be asked for; "
     "browser_emulate's permissions, or --grant-permissions, give it"},
    {"colour", "for a colour to be picked from the screen, which nobody does here: the page was told that none was"},
    {"print", "to be printed, which nothing does here: browser_pdf_save of the set pdf keeps it as a PDF"}};

// Where the document that an action has led to goes on to another one by itself: that one.
std::optional<NavigationResult> follow_further(const CallContext& ctx, Tab& tab) {
  const auto before = tab.state();
  const auto has_gone_on = [&] {
    const auto now = tab.state();
    return now.blocked() || now.navigation_pending || now.commit_seq != before.commit_seq;
  };
  tab.wait(ctx.within(limits::kLateEffects), has_gone_on);
  if (!has_gone_on() || tab.state().blocked()) return std::nullopt;
  return follow(ctx, tab, {});
}

}  // namespace

void PageCall::begin_downloads(bool navigation) {
  if (began_downloads_) return;
  began_downloads_ = true;
  if (navigation) {
    scope_->grants().begin_navigation(tab_->id(), tab_->state().commit_seq);
  } else {
    scope_->grants().begin_action(tab_->id());
  }
}

void PageCall::end_downloads(bool still_loading) {
  if (!std::exchange(began_downloads_, false)) return;
  scope_->grants().end_action(tab_->id());
  scope_->grants().end_navigation(tab_->id(), still_loading);
}

void PageCall::begin_action(const std::string& frame, TimerWatch::Before next) {
  check_may_act(frame);
  if (!action_) free_input();
  begin_downloads(false);
  if (!action_) action_ = mark_action(*tab_);
  watch_timers(frame, next);
  if (frame.empty() || frame == tab_->main_frame()) return;
  auto& frames = action_->frames;
  if (std::find(frames.begin(), frames.end(), frame) == frames.end()) frames.push_back(frame);
}

bool PageCall::free_input() {
  const auto& launch = settings().launch;
  if (!launch.headless || !launch.cdp_endpoint.empty()) return false;  // a person may answer
  const auto url = close_auth_prompt(ctx(), *tab_);
  if (url.empty()) return false;
  constexpr auto kStopped =
      "- what the page was still loading was stopped: the browser asked for a name and a password, it seems for {}, "
      "and took no input meanwhile (browser_emulate's credentials answer it)";
  response.event(fmt::format(kStopped, shown_url(url)));
  return true;
}

std::string PageCall::refuse_challenges() {
  const auto& launch = settings().launch;
  if (!launch.headless || !launch.cdp_endpoint.empty()) return {};
  const auto waits = tab_->unanswered_request(Clock::now() - kHeld);
  if (!waits || !tab_->refuse_challenges()) return {};
  return fmt::format(
      " {} has no answer: if that asks for a name and a password (HTTP authentication), it gets none from now on; "
      "browser_emulate's credentials answer it.",
      shown_url(waits->url));
}

void PageCall::watch_timers(const std::string& frame, TimerWatch::Before next) {
  const auto name = frame == tab_->main_frame() ? std::string() : frame;
  const bool known =
      std::any_of(timers_.begin(), timers_.end(), [&](const auto& watch) { return watch->frame() == name; });
  if (!known) timers_.push_back(std::make_unique<TimerWatch>(ctx(), *tab_, name, next));
}

void PageCall::end_action() {
  if (!action_) return;
  timers_.clear();
  if (const auto url = bridle::end_action(ctx(), *tab_, *action_); !url.empty())
    effects.record("navigation to " + loggable(url, 500) + " stopped");
}

void PageCall::wait_for_timers(Millis most) {
  wait_timers(ctx(), *tab_, *action_, timers_, most, Deadline::after(limits::kLateEffects));
}

void PageCall::let_timers_pass() {
  if (!wait_timers(ctx(), *tab_, *action_, timers_, limits::kTimersWaitedFor, Deadline::after(limits::kLateEffects)))
    return;
  // What was asked for its timers counts no more that are set: watched anew, the rest of the action's count as well.
  for (auto& watch : timers_) {
    const auto frame = watch->frame();
    watch.reset();
    watch = std::make_unique<TimerWatch>(ctx(), *tab_, frame, TimerWatch::Before::input);
  }
}

void PageCall::finish_action(ActionInput input) {
  auto outcome = settle_action(ctx(), *tab_, action_.value(), timers_, input);
  auto& page = outcome.navigation;
  if (auto network = tab_->network_since(action_->requests);
      !outcome.dialog && !outcome.navigated && network.busy > 0) {
    if (free_input())
      outcome = settle_action(ctx(), *tab_, *action_, timers_, input);
    else
      page.fetching = std::move(network.fetching);
  }
  if (!outcome.dialog && outcome.navigated && !outcome.navigation.ok()) {
    if (page.outcome == NavigationOutcome::other_program) {
      const bool is_ours = settings().launch.cdp_endpoint.empty();
      response.page_line("- Note: " + shown_url(page.detail) + " is for another program, " +
                         (is_ours ? "and none is started" : "which this browser may start, or ask about over the tab"));
    } else {
      response.page_line("- Note: the navigation that this started ended with " + std::string(to_string(page.outcome)) +
                         (page.detail.empty() ? "" : " (" + page.detail + ")"));
    }
  }
  if (!outcome.dialog && page.pending_url.empty()) {
    // Something has gone and nothing has come: a timer, or what was fetched, may bring what takes its place.
    auto told = add_delta();
    if (told == Delta::shrunk && (wait_timers(ctx(), *tab_, *action_, timers_, limits::kLateEffects, outcome.late) ||
                                  wait_change(ctx(), *tab_, *action_, outcome.late))) {
      told = add_delta(true);
    }
    // A page that only says that it goes on to another one, as after a login, is no end.
    if (told == Delta::under_way && outcome.navigated) {
      if (auto next = follow_further(ctx(), *tab_); next && next->ok()) {
        page = std::move(*next);
        told = add_delta();
      }
    }
    // By the page's own words what was asked for is under way, as what a worker does: its end is waited for a moment.
    bool waited = false;
    for (int look = 0; told == Delta::under_way && look < kLooksForEnd && wait_until_changed(ctx(), *tab_); ++look) {
      told = add_delta(true);
      waited = true;
    }
    // What it has come to since it was asked is in what has been read.
    if (waited || !page.loading.empty()) tell_anew(ctx(), *tab_, page);
  }
  add_page(page);
  // Of a document that has gone, or is about to, nothing is to come.
  if (!outcome.dialog && !outcome.navigated && add_pending(outcome.motion, outcome.idle)) add_delta(true);
  if (outcome.dialog) leave_timers_to_dialog();
  timers_.clear();
}

void PageCall::begin_navigation(bool in_document) {
  if (!in_document || tab_->state().interrupted()) return;
  action_ = mark_action(*tab_);
  watch_timers({}, TimerWatch::Before::input);
}

NavigationResult PageCall::settle_navigation(NavigationResult page) {
  if (action_ && page.outcome == NavigationOutcome::same_document && !tab_->state().interrupted()) {
    auto outcome = settle_action(ctx(), *tab_, *action_, timers_, ActionInput::plain);
    if (outcome.navigated && outcome.navigation.outcome != NavigationOutcome::same_document) {
      page = std::move(outcome.navigation);
    } else if (!outcome.dialog) {
      page.url = std::move(outcome.navigation.url);
      page.title = std::move(outcome.navigation.title);
    }
  }
  timers_.clear();
  action_.reset();
  return page;
}

void PageCall::finish_action_elsewhere(ActionMark mark) {
  action_ = std::move(mark);
  finish_action();
}

void PageCall::leave_timers_to_dialog() {
  // The dialog's answer knows of the main frame alone: the others have their functions back.
  for (const auto& watch : timers_)
    if (watch->frame().empty()) watch->leave_to_dialog();
}

// What the page is still about to do, as far as it matters soon. True: it has acted since it was read, as a timer that
// was not waited for was over just then.
bool PageCall::add_pending(double motion, bool idle) {
  constexpr double kSoon = 3000;  // ms
  std::vector<std::string> delays;
  std::set<std::string> asked_for;
  bool acted = false;
  bool owed = false;
  for (const auto& watch : timers_) {
    auto rest = watch->finish(ctx());
    acted = acted || rest.fired;
    asked_for.merge(rest.asked_for);
    owed = owed || rest.owed;
    for (const double delay : rest.delays) {
      const auto words = fmt::format("{:.0f} ms", delay);
      if (delay <= kSoon && std::find(delays.begin(), delays.end(), words) == delays.end()) delays.push_back(words);
    }
  }
  constexpr std::size_t kDelaysShown = 3;
  if (delays.size() > kDelaysShown) delays.resize(kDelaysShown);
  if (!delays.empty()) {
    response.page_line(fmt::format("- Pending: the page acts again when its timer{} of {} {} over",
                                   delays.size() == 1 ? "" : "s", fmt::join(delays, ", "),
                                   delays.size() == 1 ? "is" : "are"));
  }
  if (owed) response.page_line("- Pending: a worker of the page has not answered yet");
  // Of what a script moves, or what is held at its start, the page script knows no end: it says 1 ms.
  if (motion > 1) {
    response.page_line(fmt::format("- Pending: an animation, {:.0f} ms more", motion));
  } else if (motion > 0) {
    response.page_line("- Pending: an animation goes on");
  }
  if (idle) response.page_line("- Pending: the page goes on with what it does when it is idle");
  for (const auto& [what, words] : kAskedFor)
    if (asked_for.count(what) > 0) response.event(std::string("- the page asked ") + words);
  return acted;
}

PageCall::Delta PageCall::add_delta(bool again) {
  const auto& mode = settings().snapshot_mode;
  if (in_batch() || mode == "none") return Delta::other;
  try {
    SnapshotOptions options;
    options.again = again;
    options.boxes = settings().snapshot_boxes;
    options.delta = mode == "delta";
    options.budget_chars = options.delta ? kDeltaBudget : static_cast<int>(settings().max_output / 10 * 8);
    options.page_chars = kPageBudget;
    options.whole_chars = kWholePage;
    for (const auto& watch : timers_) watch->look();
    const auto snapshot = take_snapshot(ctx().within(kDeltaLimit), *tab_, scope_->refs(), options);
    response.snapshot(snapshot.yaml);
    if (snapshot.shrunk) return Delta::shrunk;
    if (snapshot.thinned) return Delta::thinned;
    if (snapshot.under_way) return Delta::under_way;
  } catch (const Aborted&) {
    throw;
  } catch (const CdpTimeout&) {
    response.snapshot(
        fmt::format("- text: (the page did not answer for {:.0f} s, as its scripts keep it busy: "
                    "browser_snapshot shows it once they have ended)",
                    std::chrono::duration<double>(kDeltaLimit).count()));
  } catch (const std::exception& error) {
    // The action itself succeeded; a page that is busy or on its way shows itself at the next call.
    response.snapshot("- text: (the page could not be read: " + loggable(error.what(), 200) + ")");
  }
  return Delta::other;
}

}  // namespace bridle
