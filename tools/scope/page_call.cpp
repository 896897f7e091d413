#include "tools/scope/page_call.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <utility>

#include "base/text/log.h"
#include "base/text/secrets.h"
#include "base/text/text.h"
#include "browser/page/target.h"
#include "browser/page/world/world.h"
#include "tools/files/client_roots.h"
#include "tools/files/downloads/download_resources.h"
#include "tools/scope/line_list.h"
#include "tools/scope/scope_tools.h"

namespace bridle {
namespace {

constexpr const char* kCannotAsk =
    "This client can't put the question to its user (it declares no elicitation), and bridle runs with --confirm. If "
    "the "
    "user wants it, open a page of that origin first (browser_navigate), which names it.";
constexpr Millis kPopupTold{700};  // for a new tab's document, and with it its title

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
  if (settings().page_tools) settings().page_tools->watch(ctx.call, *scope_, tab_);
  check_dialog(options.through_dialog);
  while (options.queues) {
    try {
      turn_ = tab_->queue().acquire(ctx.call, tool);
    } catch (const TabQueue::Full& full) {
      throw ToolError(fmt::format(
          "Tab {} is busy with {} and {} calls wait already. Wait for some of them, or stop them with browser_stop.",
          tab_->id(), full.busy_with(), limits::kTabQueue));
    }
    if (!turn_) throw ToolError("Tab " + tab_->id() + " was busy for the whole time of this call.");
    check_dialog(options.through_dialog);
    // While it waited for its turn somebody may have taken over.
    if (!ctx.acts || !ctx.scope->hold().state()) break;
    turn_ = {};
    ctx.wait_for_person();
  }
  if (ctx.observer != nullptr) ctx.observer->on_running();
  if (options.queues) tab_->come_to_front();
  tab_->extras().before_call();
  guard(tool, options);
  if (settings().film && options.queues && !tab_->state().blocked()) settings().film(*this);
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
  if (options.mutates) check_may_act();
  if (options.mutates) check_origin(tool);
  if (options.mutates) ask_held();
  if (options.mutates) tab_->note_action();
}

std::vector<std::filesystem::path> PageCall::client_roots() {
  auto& caller = *static_cast<BrowserScope*>(ctx_.scope.get());
  const bool names_roots = ctx_.user != nullptr && ctx_.user->can_ask("roots/list");
  if (const auto& folder = settings().working_folder; !names_roots && !folder.empty()) return {folder};
  return bridle::client_roots(ctx_, caller.is_shared() ? nullptr : &caller.roots());
}

bool PageCall::can_ask() const { return ctx_.user != nullptr && ctx_.user->can_ask("elicitation/create"); }

void PageCall::confirm(ConsentKind kind, const std::string& origin) {
  auto& consents = scope_->consents();
  const auto known = consents.look_up(kind, origin);
  if (known == OriginConsents::Answer::allowed) return;
  const auto what = describe({kind, origin});
  if (known == OriginConsents::Answer::unknown) {
    if (!can_ask()) throw ToolError("Refused: " + what + ". " + kCannotAsk);
    const Json form{{"type", "object"},
                    {"properties", {{"allow", {{"type", "boolean"}, {"title", "Allow"}}}}},
                    {"required", {"allow"}}};
    const auto answer = ctx_.user->ask(ctx(), std::string("confirm-") + to_string(kind) + "-" + origin,
                                       "Allow " + what + "? It was not named before in this session.", form);
    const bool filled = answer.action == "accept" && answer.content.is_object() && answer.content.contains("allow");
    const bool allowed = filled && answer.content["allow"] == true;
    // Who only closed the question may be asked again.
    if (allowed || answer.action != "cancel") consents.decide(kind, origin, allowed);
    if (allowed) return;
  }
  throw ToolError("Refused: the user did not allow " + what + ". Nothing was done.");
}

// What pages have tried since the last action, and the person was not asked about: a page can't be held until they have
// answered, so it may try again.
void PageCall::ask_held() {
  if (!scope_->consents().has_held()) return;
  const auto questions = scope_->consents().take_held();
  if (!can_ask()) return;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    try {
      confirm(questions[i].first, questions[i].second);
    } catch (const ToolError& error) {
      response.event("- " + std::string(error.what()));
    } catch (...) {
      // The call is made again with the answer.
      for (; i < questions.size(); ++i) scope_->consents().hold(questions[i].first, questions[i].second);
      throw;
    }
  }
}

void PageCall::add_page(const NavigationResult& page) {
  if (in_batch()) return;
  response.page_line("- Page URL: " + shown_url(page.url));
  response.page_line("- Page Title: " + loggable(page.title, 300));
  if (page.status != 0 && (page.status < 200 || page.status > 299)) {
    const auto words = page.status_text.empty() ? "" : " " + loggable(page.status_text, 60);
    response.page_line("- HTTP status: " + std::to_string(page.status) + words);
  }
  if (!page.pending_url.empty()) {
    response.page_line("- Pending: a navigation to " + shown_url(page.pending_url) +
                       " has not committed yet; the page is still the one above");
  }
  if (!page.loading.empty()) response.page_line("- Pending: the page says that it is still loading: " + page.loading);
  if (!page.fetching.empty()) response.page_line("- Pending: the page still waits for " + shown_url(page.fetching));
  constexpr double kRefreshTold = 10;  // seconds: what comes later is a page that keeps itself up to date
  const auto now = tab_->state();
  if (!now.refresh_url.empty() && page.pending_url.empty() && now.refresh_seconds <= kRefreshTold) {
    response.page_line(fmt::format("- Pending: the page goes on by itself to {} {:g} s after its load",
                                   shown_url(now.refresh_url), now.refresh_seconds));
  }
  if (page.busy) response.page_line("- Busy: the page's main thread does not answer");
  if (!page.note.empty()) response.page_line("- Note: " + page.note);
}

// [tool.sections] A page that reloads itself looks as before, though what was typed and where one was is gone.
std::string PageCall::news_of_document() const {
  const auto told = scope_->told_origin(tab_->id()).loader_id;
  const auto now = tab_->document_origin().loader_id;
  const bool is_new = !told.empty() && !now.empty() && told != now;
  return is_new ? "the page has been loaded anew since the last answer" : "";
}

// Its title comes with its document, which is waited for a moment; an abort ends that, and no more.
TabState PageCall::look_at_popup(Tab& popup) {
  try {
    const auto limited = ctx().within(kPopupTold);
    popup.wait_until_usable(limited);
    if (!popup.state().interrupted()) popup.set_title(page_call(limited, popup, "", page::PageInfo{}).title);
  } catch (const Aborted&) {
    // What the call did is told all the same.
  } catch (const std::runtime_error&) {
    // It has gone already.
  }
  return popup.state();
}

// A small file has all its bytes before the action has settled, and is "under way" only until it was moved.
void PageCall::await_downloads() {
  constexpr Millis kMoves{200};
  try {
    settings().downloads->await_whole(ctx().within(kMoves), tab_->id());
  } catch (const Aborted&) {
    // What the call did is told all the same.
  }
}

// [panel.take-over.told]
void PageCall::tell_of_person() {
  auto& hold = ctx_.scope->hold();
  const auto news = in_batch() ? 0 : hold.news();
  if (news == 0) return;
  response.event(fmt::format("- {}; the page is now at {}", kPersonActed, shown_url(tab_->state().url)));
  if (!tab_->state().blocked()) add_delta(true);
  hold.told(news);
}

void PageCall::add_events() {
  tell_of_person();
  response.structured["tab"] = tab_->id();
  const auto dialog = tab_->state().dialog;
  const auto chooser = tab_->file_chooser();
  const int newest = tab_->last_console_index();
  const auto origin = tab_->document_origin();
  if (dialog) {
    response.modal("- " + describe_dialog(*dialog) +
                   " is open and blocks the page: answer it with browser_handle_dialog");
  }
  if (tab_->take_cancelled_pickers() > 0) {
    response.event(
        "- the page asked for a file or a folder by showOpenFilePicker, showSaveFilePicker or showDirectoryPicker, "
        "which "
        "can't be answered here: the page was told that it was cancelled. browser_drop gives files to a page that "
        "takes "
        "them by drag and drop");
  }
  if (chooser) {
    response.modal(std::string("- a file chooser for ") + (chooser->multiple ? "several files" : "one file") +
                   " is open: give it files with browser_file_upload {\"paths\": [...]}, or none to cancel");
  }
  if (settings().downloads) {
    await_downloads();
    const auto news = settings().downloads->take_news(tab_->id(), scope_.get());
    for (const auto& download : news.downloads) {
      response.event("- download \"" + loggable(download.name, 120) + "\": " + describe(download));
      if (download.state == DownloadStore::State::done) response.link(download_link(download));
    }
    if (news.more > 0)
      response.event(fmt::format("- {} more refused", counted(static_cast<std::size_t>(news.more), "download")));
  }
  for (const auto& [why, count] : tab_->take_blocked_requests()) {
    response.event(fmt::format("- blocked {}: {}", counted(static_cast<std::size_t>(count), "request"), why));
  }
  if (scope_->consents().has_held()) {
    response.event(can_ask() ? "- the user is asked for that consent before your next action; repeat this one then"
                             : std::string("- ") + kCannotAsk);
    if (!can_ask()) scope_->consents().take_held();
  }
  const int told = scope_->take_console_mark(tab_->id(), newest);
  for (const auto& line : scope_->take_notes(tab_->id())) response.event("- " + line);
  for (const auto& popup : scope_->take_popups(tab_->id())) {
    const auto opened = look_at_popup(*popup);
    const auto where = opened.pending_url.empty() ? shown_url(opened.url) : "loading " + shown_url(opened.pending_url);
    const auto title = opened.title.empty() ? std::string() : " \"" + loggable(opened.title, 120) + "\"";
    response.event("- the page opened a new tab: " + popup->id() + title + " (" + loggable(where, 300) + ")" +
                   (scope_->is_isolated() ? "; isolated as this one is: name it with tab"
                                          : "; the current tab is still " + scope_->current_id()));
  }
  constexpr std::size_t kShown = 3;
  for (const auto* level : {"error", "warning"}) {
    const auto entries = tab_->console_after(told, level);
    if (entries.empty()) continue;
    auto kinds = console_repeats(entries, false);
    // What each page of a site complains of is told of the first, and what a page warns of at each step of the first
    // step. An error that comes again may be the action's.
    const auto is_warning = std::string_view(level) == "warning";
    const auto repeated = drop_told_of_others(entries, kinds, tab_->console_after(0, level), told, is_warning);
    const auto* as = is_warning ? "as told before" : "as on an earlier page";
    response.event(fmt::format("- {}{}{}", counted(entries.size(), std::string("new console ") + level),
                               repeated == 0   ? std::string()
                               : kinds.empty() ? fmt::format(", {}", as)
                                               : fmt::format(", {} of them {}", repeated, as),
                               kinds.size() > kShown ? fmt::format(", the first {}:", kShown)
                               : kinds.empty()       ? ""
                                                     : ":"));
    for (std::size_t i = 0; i < std::min(kinds.size(), kShown); ++i) {
      const auto& [first, times] = kinds[i];
      response.event("  - \"" + loggable(entries[first].text, 300) + "\"" + source_of(entries[first]) +
                     (times > 1 ? fmt::format(" ({} times)", times) : ""));
    }
  }
  // A step of a batch tells the caller nothing: the next one is refused if the page has gone elsewhere [nav.origin].
  if (!origin.key.empty() && !in_batch()) scope_->tell_origin(tab_->id(), origin);
}

ReadyElement PageCall::ready(const std::string& target, const char* kind, bool guard,
                             const std::optional<PointIn>& at) {
  auto element = ready_element(ctx(), *tab_, scope_->refs(), target, kind, settings().action_timeout, guard, at);
  report_match_count(element);
  record_target(element);
  return element;
}

ReadyElement PageCall::click(const std::string& target, MouseClick click,
                             const std::function<std::string(const ReadyElement&)>& words,
                             const std::optional<PointIn>& at) {
  GuardedClick options{.target = target, .at = at, .click = std::move(click)};
  options.lost = [&](const std::string& clicked) {
    response.result(fmt::format(
        "It was pressed, but {} got the click: the page changed what was under the mouse before the release.",
        clicked));
  };
  auto element = click_guarded(std::move(options), words);
  report_match_count(element);
  return element;
}

ReadyElement PageCall::click_pointed(const std::string& frame, const std::string& words) {
  return click_guarded({.target = kPointedTarget, .frame = frame}, [&](const ReadyElement&) { return words; });
}

ReadyElement PageCall::click_guarded(GuardedClick options,
                                     const std::function<std::string(const ReadyElement&)>& words) {
  options.timeout = settings().action_timeout;
  options.about_to = [&](const ReadyElement& element) {
    if (element.target != kPointedTarget) record_target(element);
    begin_action(element.frame);
    effects.record(words(element));
  };
  options.missed = [&] { effects.drop_last(); };
  return guarded_click(ctx(), *tab_, scope_->refs(), std::move(options));
}

void PageCall::report_match_count(const ReadyElement& element) {
  if (element.matches <= 1) return;
  auto words = fmt::format("{} matched {} elements; the first visible one was taken.", element.target, element.matches);
  if (words == told_matches_) return;  // an action may look for its element in several steps
  response.result(words);
  told_matches_ = std::move(words);
}

PageCall::~PageCall() { end_downloads(false); }

}  // namespace bridle
