#include "browser/page/navigation.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/errors.h"
#include "browser/page/history.h"
#include "browser/page/hung_page.h"
#include "browser/page/stop_loading.h"
#include "browser/page/told_state.h"
#include "browser/page/world/world.h"
#include "config/network/origin_rules.h"

namespace bridle {
namespace {

// Where the page is, asked in our own world: in the page's, built-ins may lie. Document.prototype's getter: an element
// may shadow document.title.
constexpr const char* kWhereScript =
    "[location.href,Object.getOwnPropertyDescriptor(Document.prototype,'title').get.call(document)]";
// A renderer asked to navigate and nothing started in this time: it came to nothing (mailto:, a download link that was
// refused, ...). A bound, not a wait: everything real starts within a few ms.
constexpr Millis kRequestStarts{1000};
constexpr Millis kProbeLimit{2000};
constexpr Millis kErrorPage{1500};
constexpr Millis kAbortCause{500};

// One navigation being waited for, from before its command is sent until the page is settled.
class Settle {
 public:
  Settle(const CallContext& ctx, Tab& tab, const NavigationOptions& options)
      : ctx_(ctx), tab_(tab), options_(options), begun_(Clock::now()), deadline_(Deadline::after(options.timeout)) {
    const auto now = tab_.state();
    dialog_seq_ = now.dialog_seq;
    was_crashed_ = now.crashed;
    collected_seq_ = now.commit_seq;
    requests_ = now.requests;
  }

  // Sends the command and waits for its end. On an abort ends the navigation in the browser.
  NavigationResult run(CommitWatch::Kind kind, const char* method, const Json& params) {
    // One that asks whether to leave the page asks for this navigation too, which only its answer could go on.
    if (const auto now = tab_.state(); now.dialog && now.dialog->type == "beforeunload") {
      NavigationResult held;
      held.outcome = NavigationOutcome::dialog;
      return finish(std::move(held));
    }
    auto watch = tab_.watch_commit(kind);
    ctx_.signal.throw_if_aborted();
    auto reply = tab_.send(method, params);
    return shielded_on_abort([&] { return settle(watch, &reply); });
  }

  NavigationResult run_follow() {
    auto watch = tab_.watch_commit(CommitWatch::Kind::follow);
    const bool pending = tab_.state().navigation_pending;
    return shielded_on_abort([&] { return pending ? settle(watch, nullptr) : load_and_check({}, true); });
  }

  NavigationResult check_only() { return load_and_check({}, false); }

 private:
  template <typename Fn>
  NavigationResult shielded_on_abort(Fn&& fn) {
    try {
      return fn();
    } catch (const Aborted&) {
      clean_up();
      throw;
    }
  }

  // Commands that are answered while a navigation is pending; at most limits::kCleanup.
  void clean_up() {
    const CallContext shield = ctx_.shielded(limits::kCleanup);
    try {
      if (dialog_opened(tab_.state())) tab_.handle_dialog(shield, false, "");
      stop_loading(shield, tab_);
    } catch (const std::exception& error) {
      spdlog::debug("{}: clean-up after an abort: {}", tab_.label(), error.what());
    }
  }

  bool dialog_opened(const TabState& now) const { return now.dialog && now.dialog_seq != dialog_seq_; }

  // Waits for the commit that `watch` is after; `reply` is that of the command which began it, if one did.
  std::optional<CommitDecision> wait_commit(CommitWatch& watch, PendingReply* reply) {
    std::optional<CommitDecision> decision;
    tab_.wait(ctx_.by(deadline_), [&] {
      if (reply != nullptr) {
        if (const auto came = reply->take()) watch.on_reply(read_navigate_reply(*came));
      }
      decision = decide(watch);
      return decision.has_value();
    });
    return decision;
  }

  std::optional<CommitDecision> decide(CommitWatch& watch) const {
    const auto [now, decision] = tab_.decide(watch);
    if (now.gone) return CommitDecision{NavigationOutcome::tab_gone, now.gone_why};
    if (now.crashed && !was_crashed_) return CommitDecision{NavigationOutcome::crashed};
    const bool dialog = dialog_opened(now);
    if (dialog && (!decision || now.dialog->type == "beforeunload")) return CommitDecision{NavigationOutcome::dialog};
    // The reply that would name a loader named none, or the page crashed once more: nothing is coming that could revive
    // the tab.
    const bool lost = decision && decision->outcome == NavigationOutcome::tab_gone;
    const bool nothing_comes = !decision && watch.replied() && watch.loader_id().empty();
    if (now.crashed && (lost || nothing_comes)) return CommitDecision{NavigationOutcome::crashed};
    return decision;
  }

  NavigationResult settle(CommitWatch& watch, PendingReply* reply) {
    NavigationResult result;
    auto decision = wait_commit(watch, reply);
    if (!decision) return not_committed(std::move(result));
    if (decision->outcome == NavigationOutcome::net_error && decision->detail == kAborted)
      explain_abort(watch, *decision);
    result.outcome = decision->outcome;
    result.detail = decision->detail;
    collect_redirects(result, watch.loader_id());
    if (result.ok()) return load_and_check(std::move(result), true);
    // What was aborted brings no error page.
    if (result.outcome == NavigationOutcome::net_error && result.detail != kAborted) await_error_page(watch);
    if (!tab_.state().interrupted()) check(result);
    return finish(std::move(result));
  }

  // The error page commits a little after the reply. It is waited for, so that the page that the result names is the
  // one that is there [why.error-page-commits].
  void await_error_page(const CommitWatch& watch) {
    tab_.wait(ctx_.within(kErrorPage), [&] {
      const auto now = tab_.state();
      return now.gone || now.crashed || (now.loader_id == watch.loader_id() && now.is_error_page) ||
             (!now.navigation_pending && watch.loader_id().empty());
    });
  }

  // An aborted navigation's reply comes a moment before what aborted it is known: the tab closes, crashes, or another
  // navigation takes over.
  void explain_abort(CommitWatch& watch, CommitDecision& decision) {
    tab_.wait(ctx_.within(kAbortCause), [&] {
      const auto now = tab_.state();
      return now.gone || now.crashed || now.commit_seq > watch.since() ||
             (now.started_seq > watch.since() && now.started_loader_id != watch.loader_id());
    });
    const auto [now, again] = tab_.decide(watch);
    if (now.gone) {
      decision = {NavigationOutcome::tab_gone, now.gone_why};
    } else if (now.crashed) {
      decision = {NavigationOutcome::crashed};
    } else if (again) {
      decision = *again;
    }
  }

  NavigationResult not_committed(NavigationResult result) {
    result.outcome = NavigationOutcome::timeout;
    result.pending_url = tab_.state().pending_url;
    return finish(std::move(result));
  }

  // DOMContentLoaded, load as far as asked, a renderer round trip; follows what the page starts meanwhile.
  // `for_content`: what a page shows in place of its content is waited for too, once.
  NavigationResult load_and_check(NavigationResult result, bool for_content) {
    for (int hops = 0; hops < kHopsMax; ++hops) {
      wait_load(result);
      // The next document may have taken over unnoticed, where the page led on between two looks.
      if (note_hop(result)) continue;
      const auto verdict = check(result);
      if (verdict == Check::pending && !follow_pending(result)) return finish(std::move(result));
      if (verdict != Check::settled) continue;
      // While it is waited for content, the page may lead on.
      if (!std::exchange(for_content, false) || !await_content(result)) return finish(std::move(result));
    }
    result.note = "the page keeps navigating";
    return finish(std::move(result));
  }

  void wait_load(NavigationResult& result) {
    if (options_.until == WaitUntil::commit) return;
    bool dom_ready = false;
    bool loaded = false;
    bool network_idle = false;
    bool is_over = false;
    const auto read = [&] {
      const auto now = tab_.state();
      // A document that was there before we attached has no events to its name.
      const bool no_events = now.commit_seq == 0 || now.is_error_page;
      dom_ready = no_events || now.dom_content_loaded;
      loaded = no_events || now.loaded;
      network_idle = now.network_idle;
      is_over = dom_ready || !now.broke_off.empty();
      return now.interrupted();
    };
    tab_.wait(ctx_.within(limits::kDomContentWait), [&] { return read() || is_over; });
    if (dom_ready) prepare_page(tab_);
    const bool until_idle = options_.until == WaitUntil::network_idle;
    if (options_.until != WaitUntil::dom_content_loaded && dom_ready) {
      const Millis patience = until_idle ? deadline_.remaining() : limits::kLoadWait;
      tab_.wait(ctx_.within(patience), [&] { return read() || (until_idle ? network_idle : loaded); });
    }
    tab_.note_awaited();
    if (dom_ready) result.reached = WaitUntil::dom_content_loaded;
    if (loaded) result.reached = WaitUntil::load;
    if (until_idle && tab_.state().network_idle) result.reached = WaitUntil::network_idle;
  }

  // Until what the page's scripts fetch has come, and a stand-in for it is gone. True: there was something to wait for.
  bool await_content(NavigationResult& result) {
    if (options_.until != WaitUntil::load || result.reached == WaitUntil::commit || result.busy) return false;
    if (tab_.state().interrupted()) return false;
    const auto late = Deadline::after(limits::kLateEffects);
    const auto loaded = wait_content(ctx_, tab_, requests_, late);
    result.loading = loaded.words;
    const auto left = late.remaining();
    const bool idle = loaded.idle && left > Millis(0) && !tab_.state().interrupted();
    if (idle) wait_until_idle(ctx_, tab_, left);
    return loaded.waited || idle;
  }

  enum class Check { settled, again, pending };

  // The renderer round trip: after its reply every navigation that the page had asked for is known.
  Check check(NavigationResult& result) {
    Json params{{"expression", kWhereScript}, {"returnByValue", true}};
    if (const auto frame = tab_.frame(""); frame && !frame->bridle_world.empty())
      params["uniqueContextId"] = frame->bridle_world;
    auto reply = tab_.send("Runtime.evaluate", params);
    const auto commit_before = tab_.state().commit_seq;
    tab_.wait(ctx_.within(kProbeLimit), [&] { return reply.has_come() || tab_.state().interrupted(); });
    const auto answer = reply.take();
    const auto now = tab_.state();
    if (now.blocked()) return Check::settled;
    if (now.navigation_pending) return Check::pending;
    if (now.commit_seq != commit_before) return Check::again;
    result.busy = !answer;
    if (!answer) return Check::settled;
    if (answer->kind != CdpReply::Kind::result) return Check::again;
    read_where(*answer, result);
    return Check::settled;
  }

  void read_where(const CdpReply& reply, NavigationResult& result) {
    const Json json = result_of(reply.message);
    const auto& answer = json.at("result");
    const auto value = answer.find("value");
    if (value == answer.end() || !value->is_array() || value->size() != 2) return;
    if ((*value)[0].is_string()) result.url = (*value)[0].get<std::string>();
    if ((*value)[1].is_string()) result.title = (*value)[1].get<std::string>();
    tab_.set_title(result.title);
  }

  // False when the wait for it ended without another document: the result stands, with what is pending.
  bool follow_pending(NavigationResult& result) {
    auto watch = tab_.watch_commit(CommitWatch::Kind::follow);
    expire_request();
    const auto decision = wait_commit(watch, nullptr);
    if (!decision) {
      result.pending_url = tab_.state().pending_url;
      return false;
    }
    switch (decision->outcome) {
      case NavigationOutcome::committed:
        result.outcome = NavigationOutcome::committed;
        note_hop(result);
        return true;
      case NavigationOutcome::same_document:
      case NavigationOutcome::superseded:
        return true;  // check again
      case NavigationOutcome::download:
      case NavigationOutcome::no_content:
      case NavigationOutcome::blocked:
      case NavigationOutcome::other_program:
        result.note = words_for_page_kept(*decision);
        return true;
      case NavigationOutcome::dialog:
        return false;
      default:
        if (decision->detail == kAborted) return true;
        result.outcome = decision->outcome;
        result.detail = decision->detail;
        return false;
    }
  }

  // A request that doesn't start is forgotten after kRequestStarts, so that it holds up nobody.
  void expire_request() {
    const bool decided = tab_.wait(ctx_.within(kRequestStarts), [&] {
      const auto now = tab_.state();
      return now.blocked() || now.started_seq != 0 || !now.navigation_pending;
    });
    if (!decided) tab_.forget_requested_navigation();
  }

  // `first`: the loader of the navigation that this is about.
  void collect_redirects(NavigationResult& result, const std::string& first = {}) {
    if (!result.ok()) return;
    const auto now = tab_.state();
    const auto trail = tab_.trail_since(collected_seq_, first);
    result.redirects.insert(result.redirects.end(), trail.begin(), trail.end());
    // Remembers where this hop ended, because the page may now lead on to the next.
    result.url = now.url;
    collected_seq_ = now.commit_seq;
  }

  // True: another document has committed since; the one before was a hop.
  bool note_hop(NavigationResult& result) {
    if (tab_.state().commit_seq == collected_seq_) return false;
    if (!result.url.empty()) result.redirects.push_back(result.url);
    collect_redirects(result);
    return true;
  }

  NavigationResult finish(NavigationResult result) {
    const auto now = tab_.state();
    if (now.gone && result.ok()) {
      result.outcome = NavigationOutcome::tab_gone;
      result.detail = now.gone_why;
    } else if (now.crashed && result.ok()) {
      result.outcome = NavigationOutcome::crashed;
    } else if (result.ok() && dialog_opened(now)) {
      result.note = "a dialog is open";
    }
    if (result.url.empty()) result.url = now.url;
    if (result.title.empty()) result.title = now.title;
    if (!now.dom_content_loaded) result.broke_off = now.broke_off;
    result.status = result.ok() ? now.status : 0;
    result.status_text = result.ok() ? now.status_text : "";
    if (result.ok()) tell_requests(tab_, requests_, result);
    const auto origin = network_origin(result.url);
    if (result.ok() && !options_.expect_origin.empty() && origin != options_.expect_origin) {
      result.outcome = NavigationOutcome::origin_mismatch;
      result.detail = origin.empty() ? "an opaque origin" : origin;
    }
    result.elapsed = std::chrono::duration_cast<Millis>(Clock::now() - begun_);
    return result;
  }

  static constexpr int kHopsMax = 20;

  const CallContext ctx_;
  Tab& tab_;
  const NavigationOptions options_;
  const Clock::time_point begun_;
  const Deadline deadline_;
  std::uint64_t dialog_seq_ = 0;
  std::uint64_t collected_seq_ = 0;  // of the commit that the result tells of
  bool was_crashed_ = false;         // this navigation is to revive the tab
  int requests_ = 0;                 // those before it
};

// Has `go` leave the page. One that hangs is ended first, and that is told [nav.hung].
template <typename Go>
NavigationResult leave_page(const CallContext& ctx, Tab& tab, Go&& go) {
  const bool hung = end_hung_page(ctx, tab);
  NavigationResult result = go();
  if (hung) {
    const std::string note = "the page before did not answer any more, and its renderer was ended";
    result.note = result.note.empty() ? note : note + "; " + result.note;
  }
  return result;
}

}  // namespace

NavigationResult navigate(const CallContext& ctx, Tab& tab, const std::string& url, const NavigationOptions& options) {
  return leave_page(ctx, tab, [&] {
    return Settle(ctx, tab, options).run(CommitWatch::Kind::navigate, "Page.navigate", {{"url", url}});
  });
}

NavigationResult reload(const CallContext& ctx, Tab& tab, const NavigationOptions& options) {
  return leave_page(ctx, tab, [&] {
    // A crashed page has no renderer to reload: it is navigated to where it was.
    const auto now = tab.state();
    if (now.crashed && !now.url.empty()) return navigate(ctx, tab, now.url, options);
    return Settle(ctx, tab, options).run(CommitWatch::Kind::history, "Page.reload", Json::object());
  });
}

NavigationResult go_history(const CallContext& ctx, Tab& tab, int delta, const NavigationOptions& options) {
  return leave_page(ctx, tab, [&] {
    const Json entry = history_entry(ctx, tab, delta);
    return Settle(ctx, tab, options)
        .run(CommitWatch::Kind::history, "Page.navigateToHistoryEntry", {{"entryId", entry}});
  });
}

NavigationResult follow(const CallContext& ctx, Tab& tab, const NavigationOptions& options) {
  return Settle(ctx, tab, options).run_follow();
}

NavigationResult read_state(const CallContext& ctx, Tab& tab) { return Settle(ctx, tab, {}).check_only(); }

}  // namespace bridle
