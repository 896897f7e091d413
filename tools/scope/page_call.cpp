#include "tools/scope/page_call.h"

#include <spdlog/spdlog.h>

#include <algorithm>

#include "base/log.h"
#include "browser/page/guarded_click.h"
#include "browser/page/world.h"
#include "config/origin_rules.h"
#include "tools/files/download_resources.h"

namespace bridle {
namespace {

constexpr int kDeltaBudget = 2400;  // characters of the delta that an action's result carries
constexpr Millis kDeltaLimit{1500};
constexpr Millis kOriginLimit{250};  // from a commit until the document's world is told

}  // namespace

std::string describe_dialog(const JavaScriptDialog& dialog) {
  std::string words = (dialog.type == "alert" ? "an " : "a ") + dialog.type + " dialog";
  if (!dialog.message.empty()) words += " with the message \"" + loggable(dialog.message, 500) + "\"";
  return words;
}

PageCall::PageCall(ToolContext& ctx, const std::string& tab_id, const std::string& tool, const PageToolOptions& options)
    : ctx_(ctx), scope_(static_cast<BrowserScope*>(ctx.scope.get())->holder(tab_id)) {
  tab_ = scope_->tab(ctx.call, tab_id);
  if (ctx.observer != nullptr) ctx.observer->on_tab(tab_->label());
  check_dialog(options.through_dialog);
  if (options.queues) {
    try {
      turn_ = tab_->queue().acquire(ctx.call, tool);
    } catch (const TabQueue::Full& full) {
      throw ToolError(fmt::format(
          "Tab {} is busy with {} and {} calls wait already. Wait for some of them, or stop them with browser_stop.",
          tab_->id(), full.busy_with(), limits::kTabQueue));
    }
    if (!turn_) throw ToolError("Tab " + tab_->id() + " was busy for the whole time of this call.");
    check_dialog(options.through_dialog);
  }
  if (ctx.observer != nullptr) ctx.observer->on_running();
  guard(tool, options);
}

void PageCall::check_dialog(bool through) {
  if (through) return;
  const auto dialog = tab_->state().dialog;
  if (dialog)
    throw ToolError("dialog open: " + describe_dialog(*dialog) +
                    " blocks the page. Answer it with browser_handle_dialog first.");
}

void PageCall::guard(const std::string& tool, const PageToolOptions& options) {
  tab_->throw_if_gone(options.on_crashed);
  if (options.settles) {
    if (tab_->begin_use()) {
      // This call didn't start the navigation, so an abort only ends the wait for it.
      tab_->wait_until_usable(ctx_.call.within(limits::kGuardWait));
      tab_->throw_if_gone(options.on_crashed);
      check_dialog(options.through_dialog);
      // Chromium answers most commands of a page only after its commit. Say so now, instead of hanging.
      const auto now = tab_->state();
      const auto pending = now.started_seq != 0 ? now.pending_url : std::string();
      if (!pending.empty()) {
        throw ToolError(fmt::format(
            "{}: tab {} is still loading {}, which has not committed within {} s, and until then the page cannot be "
            "read or acted on. Wait with browser_wait_for {{\"url\": ...}}, or navigate elsewhere.",
            tool, tab_->id(), pending, limits::kGuardWait.count() / 1000));
      }
    }
  }
  if (options.mutates) check_origin(tool);
}

void PageCall::check_origin(const std::string& tool) {
  const auto told = scope_->told_origin(tab_->id());
  const auto now = tab_->settled_origin_key(ctx().within(kOriginLimit));
  if (told.empty() || now.empty() || told == now) return;
  scope_->tell_origin(tab_->id(), now);
  const auto words = [](const std::string& key) {
    return key.starts_with("opaque ") ? std::string("an opaque origin (sandboxed, data: or about:blank)") : key;
  };
  throw ToolError(fmt::format(
      "{} was refused: the page in tab {} is now at {}, but you were last told {}. Nothing was done. Look at the page "
      "(browser_snapshot), and call again if it is what you want.",
      tool, tab_->id(), words(now), words(told)));
}

void PageCall::add_page(const NavigationResult& page) {
  response.page_line("- Page URL: " + page.url);
  response.page_line("- Page Title: " + loggable(page.title, 300));
  if (page.status != 0 && (page.status < 200 || page.status > 299)) {
    response.page_line("- HTTP status: " + std::to_string(page.status));
  }
  if (!page.pending_url.empty()) {
    response.page_line("- Pending: a navigation to " + page.pending_url +
                       " has not committed yet; the page is still the one above");
  }
  if (page.busy) response.page_line("- Busy: the page's main thread does not answer");
  if (!page.note.empty()) response.page_line("- Note: " + page.note);
}

void PageCall::add_events() {
  response.structured["tab"] = tab_->id();
  const auto dialog = tab_->state().dialog;
  const auto chooser = tab_->file_chooser();
  const int newest = tab_->last_console_index();
  const auto origin = tab_->origin_key();
  if (dialog) {
    response.modal("- " + describe_dialog(*dialog) +
                   " is open and blocks the page: answer it with browser_handle_dialog");
  }
  if (chooser) {
    response.modal(std::string("- a file chooser for ") + (chooser->multiple ? "several files" : "one file") +
                   " is open: give it files with browser_file_upload {\"paths\": [...]}, or none to cancel");
  }
  if (settings().downloads) {
    for (const auto& download : settings().downloads->take_news(tab_->id())) {
      response.event("- download \"" + loggable(download.name, 120) + "\": " + describe(download));
      if (download.state == DownloadStore::State::done) response.link(download_link(download));
    }
  }
  for (const auto& [why, count] : tab_->take_blocked_requests()) {
    response.event(fmt::format("- blocked {} request{}: {}", count, count == 1 ? "" : "s", why));
  }
  const int told = scope_->take_console_mark(tab_->id(), newest);
  const auto errors = tab_->console_errors_after(told);
  for (const auto& line : scope_->take_notes(tab_->id())) response.event("- " + line);
  for (const auto& popup : scope_->take_popups(tab_->id())) {
    const auto opened = popup->state();
    const auto& url = opened.pending_url.empty() ? opened.url : opened.pending_url;
    const auto from = network_origin(url);
    response.event("- the page opened a new tab: " + popup->id() + (from.empty() ? "" : " (" + from + ")") +
                   (scope_->is_isolated() ? "; isolated as this one is: name it with tab"
                                          : "; the current tab is still " + scope_->current_id()));
  }
  constexpr std::size_t kErrorsShown = 3;
  if (!errors.empty()) {
    response.event(fmt::format("- {} new console error{}{}", errors.size(), errors.size() == 1 ? "" : "s",
                               errors.size() > kErrorsShown ? fmt::format(", the first {}:", kErrorsShown) : ":"));
    for (std::size_t i = 0; i < std::min(errors.size(), kErrorsShown); ++i)
      response.event("  - \"" + loggable(errors[i].text, 300) + "\"");
  }
  if (!origin.empty()) scope_->tell_origin(tab_->id(), origin);
}

ReadyElement PageCall::ready(const std::string& target, const char* kind, bool guard) {
  auto element = ready_element(ctx(), *tab_, scope_->refs(), target, kind, settings().action_timeout, guard);
  report_match_count(element);
  return element;
}

ReadyElement PageCall::click(const std::string& target, MouseClick click,
                             const std::function<std::string(const ReadyElement&)>& words) {
  GuardedClick options{.target = target, .click = std::move(click), .timeout = settings().action_timeout};
  options.about_to = [&](const ReadyElement& element) {
    begin_action(element.frame);
    effects.record(words(element));
  };
  options.missed = [&] { effects.drop_last(); };
  auto element = guarded_click(ctx(), *tab_, scope_->refs(), std::move(options));
  report_match_count(element);
  return element;
}

void PageCall::report_match_count(const ReadyElement& element) {
  if (element.matches > 1) {
    response.result(
        fmt::format("{} matched {} elements; the first visible one was taken.", element.target, element.matches));
  }
}

void PageCall::begin_action(const std::string& frame) {
  if (!action_) action_ = mark_action(*tab_);
  if (frame.empty() || frame == tab_->main_frame()) return;
  auto& frames = action_->frames;
  if (std::find(frames.begin(), frames.end(), frame) == frames.end()) frames.push_back(frame);
}

void PageCall::end_action() {
  if (!action_) return;
  if (const auto url = bridle::end_action(ctx(), *tab_, *action_); !url.empty())
    effects.record("navigation to " + loggable(url, 500) + " stopped");
}

void PageCall::finish_action(bool quick) {
  const auto outcome = settle_action(ctx(), *tab_, action_.value(), quick);
  if (!outcome.dialog && outcome.navigated && !outcome.navigation.ok()) {
    const auto& page = outcome.navigation;
    response.page_line("- Note: the navigation that this started ended with " + std::string(to_string(page.outcome)) +
                       (page.detail.empty() ? "" : " (" + page.detail + ")"));
  }
  add_page(outcome.navigation);
  if (!outcome.dialog && outcome.navigation.pending_url.empty()) add_delta();
}

void PageCall::add_delta() {
  try {
    SnapshotOptions options;
    options.delta = true;
    options.budget_chars = kDeltaBudget;
    const auto snapshot = take_snapshot(ctx().within(kDeltaLimit), *tab_, scope_->refs(), options);
    if (snapshot.changed && !snapshot.yaml.empty()) response.snapshot(snapshot.yaml);
  } catch (const Aborted&) {
    throw;
  } catch (const std::exception& error) {
    // The action itself succeeded; a page that is busy or on its way shows itself at the next call.
    spdlog::debug("no delta: {}", error.what());
  }
}

}  // namespace bridle
