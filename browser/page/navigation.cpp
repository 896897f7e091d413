#include "browser/page/navigation.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/errors.h"
#include "browser/page/world.h"
#include "config/origin_rules.h"

namespace bridle {
namespace {

// The page's word on where it is. Document.prototype's getter: a page may shadow document.title.
constexpr const char* kWhereScript =
    "[location.href,Object.getOwnPropertyDescriptor(Document.prototype,'title').get.call(document),"
    "Document.prototype.getElementsByTagName.call(document,'*').length]";
// A renderer asked to navigate and nothing started in this time: it came to nothing (mailto:, a download link that was
// refused, ...). A bound, not a wait: everything real starts within a few ms.
constexpr Millis kRequestStarts{1000};
constexpr Millis kProbeLimit{2000};
constexpr Millis kErrorPage{500};
constexpr Millis kStopTakes{15};
constexpr int kStopRounds = 16;
constexpr Millis kAbortCause{500};

// One navigation being waited for, from before its command is sent until the page is settled.
class Settle {
 public:
  Settle(const CallContext& ctx, Tab& tab, const NavigationOptions& options)
      : ctx_(ctx), tab_(tab), options_(options), begun_(Clock::now()), deadline_(Deadline::after(options.timeout)) {
    tab_.with([&](TabView& view) {
      dialog_seq_ = view.dialog.seq();
      was_crashed_ = view.crashed;
    });
  }

  // Sends the command and waits for its end. On an abort ends the navigation in the browser.
  NavigationResult run(CommitWatch::Kind kind, const char* method, const Json& params) {
    std::optional<CommitWatch> watch;
    tab_.with([&](TabView& view) {
      view.fresh = false;
      watch.emplace(kind, view.navigation);
    });
    ctx_.signal.throw_if_aborted();
    const auto asked = tab_.ask(method, params);
    return shielded_on_abort([&] {
      return settle(*watch, [&](CommitWatch& commit) {
        if (asked.reply() && !commit.replied()) commit.on_reply(parse_reply(*asked.reply()));
      });
    });
  }

  NavigationResult run_follow() {
    std::optional<CommitWatch> watch;
    const bool pending = tab_.with([&](TabView& view) {
      view.fresh = false;
      watch.emplace(CommitWatch::follow(view.navigation));
      return view.navigation.navigation_pending();
    });
    return shielded_on_abort([&] {
      if (pending) return settle(*watch, [](CommitWatch&) {});
      NavigationResult result;
      return load_and_check(std::move(result));
    });
  }

  NavigationResult check_only() {
    NavigationResult result;
    return load_and_check(std::move(result));
  }

 private:
  static NavigateReply parse_reply(const CdpReply& reply) {
    NavigateReply parsed;
    if (reply.kind == CdpReply::Kind::closed) {
      parsed.closed = true;
      parsed.why = reply.message;
      return parsed;
    }
    const Json json = parse_cdp(reply.message);
    if (reply.kind == CdpReply::Kind::error) {
      parsed.is_error = true;
      parsed.why = json.at("error").value("message", "");
      return parsed;
    }
    const auto& result = json.at("result");
    parsed.loader_id = result.value("loaderId", "");
    parsed.error_text = result.value("errorText", "");
    parsed.is_download = result.value("isDownload", false);
    return parsed;
  }

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
      if (tab_.with([&](TabView& view) { return view.dialog.open() && view.dialog.seq() != dialog_seq_; })) {
        tab_.handle_dialog(shield, false, "");
      }
      stop_loading(shield, tab_);
    } catch (const std::exception& error) {
      spdlog::debug("{}: clean-up after an abort: {}", tab_.label(), error.what());
    }
  }

  bool dialog_opened(const TabView& view) const { return view.dialog.open() && view.dialog.seq() != dialog_seq_; }

  // Waits for the commit that `watch` is after. `feed` hands it the reply, under the lock.
  std::optional<CommitDecision> wait_commit(CommitWatch& watch, const std::function<void(CommitWatch&)>& feed) {
    std::optional<CommitDecision> decision;
    const auto ready = [&](TabView& view) {
      feed(watch);
      if (view.gone) {
        decision = CommitDecision{NavigationOutcome::tab_gone, view.gone_why};
      } else if (view.crashed && !was_crashed_) {
        decision = CommitDecision{NavigationOutcome::crashed};
      } else if (dialog_opened(view) && view.dialog.open()->type == "beforeunload") {
        decision = CommitDecision{NavigationOutcome::dialog};
      } else {
        decision = watch.decide(view.navigation);
        if (!decision && dialog_opened(view)) decision = CommitDecision{NavigationOutcome::dialog};
        // The reply that would name a loader named none, or the page crashed once more: nothing is coming that could
        // revive the tab.
        const bool lost = decision && decision->outcome == NavigationOutcome::tab_gone;
        if (view.crashed && (lost || (!decision && watch.replied() && watch.loader_id().empty()))) {
          decision = CommitDecision{NavigationOutcome::crashed};
        }
      }
      return decision.has_value();
    };
    auto limit = ctx_;
    limit.deadline = ctx_.deadline.earlier(deadline_);
    tab_.wait(limit, ready);
    return decision;
  }

  NavigationResult settle(CommitWatch& watch, const std::function<void(CommitWatch&)>& feed) {
    NavigationResult result;
    auto decision = wait_commit(watch, feed);
    if (!decision) return not_committed(std::move(result));
    if (decision->outcome == NavigationOutcome::net_error && decision->detail == "net::ERR_ABORTED")
      explain_abort(watch, *decision);
    result.outcome = decision->outcome;
    result.detail = decision->detail;
    collect_redirects(result);
    if (result.ok()) return load_and_check(std::move(result));
    if (result.outcome == NavigationOutcome::net_error) await_error_page(watch);
    if (page_may_answer()) check(result);
    return finish(std::move(result));
  }

  // The error page commits a little after the reply: waited for, so that the page named is the one there.
  void await_error_page(const CommitWatch& watch) {
    tab_.wait(ctx_.within(kErrorPage), [&](TabView& view) {
      const auto& commit = view.navigation.commit();
      return view.gone || view.crashed || (commit.loader_id == watch.loader_id() && commit.is_error_page()) ||
             (!view.navigation.navigation_pending() && watch.loader_id().empty());
    });
  }

  // An aborted navigation's reply comes a moment before what aborted it is known: the tab closes, crashes, or another
  // navigation takes over.
  void explain_abort(CommitWatch& watch, CommitDecision& decision) {
    tab_.wait(ctx_.within(kAbortCause), [&](TabView& view) {
      const auto& started = view.navigation.started();
      return view.gone || view.crashed || view.navigation.commit().seq > watch.since() ||
             (started && started->seq > watch.since() && started->loader_id != watch.loader_id());
    });
    tab_.with([&](TabView& view) {
      if (view.gone) {
        decision = CommitDecision{NavigationOutcome::tab_gone, view.gone_why};
      } else if (view.crashed) {
        decision = CommitDecision{NavigationOutcome::crashed};
      } else if (const auto again = watch.decide(view.navigation)) {
        decision = *again;
      }
    });
  }

  bool page_may_answer() {
    return tab_.with([](TabView& view) { return !interrupted(view); });
  }

  NavigationResult not_committed(NavigationResult result) {
    result.outcome = NavigationOutcome::timeout;
    tab_.with([&](TabView& view) { result.pending_url = view.navigation.pending_url(); });
    return finish(std::move(result));
  }

  // DOMContentLoaded, load as far as asked, a renderer round trip; follows what the page starts meanwhile.
  NavigationResult load_and_check(NavigationResult result) {
    for (int hops = 0; hops < kHopsMax; ++hops) {
      wait_load(result);
      const auto verdict = check(result);
      if (verdict == Check::settled) return finish(std::move(result));
      if (verdict == Check::again) continue;
      if (!follow_pending(result)) return finish(std::move(result));
    }
    result.note = "the page keeps navigating";
    return finish(std::move(result));
  }

  // Anything that makes waiting for the document's own progress pointless.
  static bool interrupted(const TabView& view) {
    return view.gone || view.crashed || view.dialog.open() || view.navigation.navigation_pending();
  }

  void wait_load(NavigationResult& result) {
    bool dom_ready = false;
    bool loaded = false;
    const auto look = [&](const TabView& view) {
      const auto& loader = view.navigation.committed_loader();
      // A document that was there before we attached has no events to its name.
      const bool unknown = view.navigation.commit().seq == 0;
      dom_ready = unknown || loader.dom_content_loaded || view.navigation.commit().is_error_page();
      loaded = unknown || loader.loaded || view.navigation.commit().is_error_page();
    };
    if (options_.until == WaitUntil::commit) return;
    tab_.wait(ctx_.within(limits::kDomContentWait), [&](TabView& view) {
      look(view);
      return dom_ready || interrupted(view);
    });
    if (dom_ready) prepare_page(tab_);
    if (options_.until != WaitUntil::dom_content_loaded && dom_ready) {
      const Millis patience = options_.until == WaitUntil::network_idle ? deadline_.remaining() : limits::kLoadWait;
      tab_.wait(ctx_.within(patience), [&](TabView& view) {
        look(view);
        const bool enough =
            options_.until == WaitUntil::network_idle ? view.navigation.committed_loader().network_idle : loaded;
        return enough || interrupted(view);
      });
    }
    if (dom_ready) result.reached = WaitUntil::dom_content_loaded;
    if (loaded) result.reached = WaitUntil::load;
    if (options_.until == WaitUntil::network_idle &&
        tab_.with([](TabView& view) { return view.navigation.committed_loader().network_idle; })) {
      result.reached = WaitUntil::network_idle;
    }
  }

  enum class Check { settled, again, pending };

  // The renderer round trip: after its reply every navigation that the page had asked for is known.
  Check check(NavigationResult& result) {
    auto asked = tab_.ask("Runtime.evaluate", {{"expression", kWhereScript}, {"returnByValue", true}});
    const auto commit_before = tab_.with([](TabView& view) { return view.navigation.commit().seq; });
    tab_.wait(ctx_.within(kProbeLimit), [&](TabView& view) { return asked.reply() || interrupted(view); });
    std::optional<CdpReply> reply;
    const auto verdict = tab_.with([&](TabView& view) {
      if (view.gone || view.crashed || view.dialog.open()) return Check::settled;
      if (view.navigation.navigation_pending()) return Check::pending;
      if (view.navigation.commit().seq != commit_before) return Check::again;
      reply = asked.take();
      result.busy = !reply;
      return reply && reply->kind != CdpReply::Kind::result ? Check::again : Check::settled;
    });
    if (verdict == Check::settled && reply) read_where(*reply, result);
    return verdict;
  }

  void read_where(const CdpReply& reply, NavigationResult& result) {
    const Json json = parse_cdp(reply.message);
    const auto& answer = json.at("result").at("result");
    const auto value = answer.find("value");
    if (value == answer.end() || !value->is_array() || value->size() != 3) return;
    result.url = (*value)[0].get<std::string>();
    if ((*value)[1].is_string()) result.title = (*value)[1].get<std::string>();
    if ((*value)[2].is_number_integer()) result.elements = (*value)[2].get<long>();
    tab_.with([&](TabView& view) { view.title = result.title; });
  }

  // False when the wait for it ended without another document: the result stands, with what is pending.
  bool follow_pending(NavigationResult& result) {
    std::optional<CommitWatch> watch;
    tab_.with([&](TabView& view) { watch.emplace(CommitWatch::follow(view.navigation)); });
    expire_request();
    const auto decision = wait_commit(*watch, [](CommitWatch&) {});
    if (!decision) {
      tab_.with([&](TabView& view) { result.pending_url = view.navigation.pending_url(); });
      return false;
    }
    switch (decision->outcome) {
      case NavigationOutcome::committed:
        followed_ = true;
        if (!result.url.empty()) result.redirects.push_back(result.url);
        result.outcome = NavigationOutcome::committed;
        collect_redirects(result);
        return true;
      case NavigationOutcome::same_document:
      case NavigationOutcome::superseded:
        return true;  // look again
      case NavigationOutcome::download:
        result.note = "a navigation that the page started became a download";
        return true;
      case NavigationOutcome::no_content:
        result.note = "a navigation that the page started was answered with no content";
        return true;
      case NavigationOutcome::blocked:
        result.note = "a navigation to " + decision->detail + ", which the page started, was blocked";
        return true;
      case NavigationOutcome::dialog:
        return false;
      default:
        if (decision->detail == "net::ERR_ABORTED") return true;
        result.outcome = decision->outcome;
        result.detail = decision->detail;
        return false;
    }
  }

  // A request that doesn't start is forgotten after kRequestStarts, so that it holds up nobody.
  void expire_request() {
    const bool started = tab_.wait(ctx_.within(kRequestStarts), [](TabView& view) {
      return view.gone || view.crashed || view.dialog.open() || view.navigation.started() ||
             !view.navigation.navigation_pending();
    });
    if (!started) tab_.with([](TabView& view) { view.navigation.forget_request(); });
  }

  void collect_redirects(NavigationResult& result) {
    tab_.with([&](TabView& view) {
      const auto& redirects = view.navigation.committed_loader().redirects;
      if (result.ok()) result.redirects.insert(result.redirects.end(), redirects.begin(), redirects.end());
      // Where this hop ended, should the page now lead on to the next.
      if (result.ok()) result.url = view.navigation.url();
    });
  }

  NavigationResult finish(NavigationResult result) {
    tab_.with([&](TabView& view) {
      if (view.gone && result.ok()) {
        result.outcome = NavigationOutcome::tab_gone;
        result.detail = view.gone_why;
      } else if (view.crashed && result.ok()) {
        result.outcome = NavigationOutcome::crashed;
      } else if (view.dialog.open() && result.ok() && dialog_opened(view)) {
        result.note = "a dialog is open";
      }
      if (result.url.empty()) result.url = view.navigation.url();
      if (result.title.empty()) result.title = view.title;
      result.status = result.ok() ? view.navigation.committed_loader().status : 0;
      if (result.ok() && result.reached == WaitUntil::dom_content_loaded)
        result.still_loading = view.network.in_flight();
    });
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
  bool was_crashed_ = false;  // this navigation is to revive the tab
  bool followed_ = false;
};

}  // namespace

NavigationResult navigate(const CallContext& ctx, Tab& tab, const std::string& url, const NavigationOptions& options) {
  return Settle(ctx, tab, options).run(CommitWatch::Kind::navigate, "Page.navigate", {{"url", url}});
}

NavigationResult reload(const CallContext& ctx, Tab& tab, const NavigationOptions& options) {
  // A crashed page has no renderer to reload: it is navigated to where it was.
  const auto crashed_url = tab.with([](TabView& view) { return view.crashed ? view.navigation.url() : std::string(); });
  if (!crashed_url.empty()) return navigate(ctx, tab, crashed_url, options);
  return Settle(ctx, tab, options).run(CommitWatch::Kind::history, "Page.reload", Json::object());
}

NavigationResult go_history(const CallContext& ctx, Tab& tab, int delta, const NavigationOptions& options) {
  // Answered while a navigation is pending.
  const Json history =
      tab.session().connection().call(ctx, tab.session().id(), "Page.getNavigationHistory", Json::object());
  const int index = history.value("currentIndex", 0) + delta;
  const auto& entries = history.at("entries");
  if (index < 0 || index >= static_cast<int>(entries.size())) {
    throw ToolError(
        delta < 0 ? "There is no page to go back to: this is the first one of the tab's history. Use browser_navigate."
                  : "There is no page to go forward to: this is the last one of the tab's history.");
  }
  const auto& entry = entries.at(static_cast<std::size_t>(index));
  return Settle(ctx, tab, options)
      .run(CommitWatch::Kind::history, "Page.navigateToHistoryEntry", {{"entryId", entry.at("id")}});
}

NavigationResult follow(const CallContext& ctx, Tab& tab, const NavigationOptions& options) {
  return Settle(ctx, tab, options).run_follow();
}

NavigationResult look(const CallContext& ctx, Tab& tab) { return Settle(ctx, tab, {}).check_only(); }

void stop_loading(const CallContext& shield, Tab& tab) {
  bool still = false;
  for (int round = 1; !still && !shield.deadline.expired(); ++round) {
    // A request that hasn't started by now never will.
    if (round == kStopRounds) tab.with([](TabView& view) { view.navigation.forget_request(); });
    tab.session().connection().call(shield, tab.session().id(), "Page.stopLoading", {}, limits::kCleanup);
    still = tab.wait(shield.within(kStopTakes), [](TabView& view) {
      return view.gone || view.crashed || (!view.navigation.navigation_pending() && !view.navigation.loading());
    });
  }
}

}  // namespace bridle
