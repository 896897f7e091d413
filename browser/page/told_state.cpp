#include "browser/page/told_state.h"

#include <algorithm>
#include <utility>

#include "browser/page/world/page_functions.h"
#include "browser/page/world/world.h"

namespace bridle {
namespace {

constexpr Millis kTitlesLimit{150};      // of pages that aren't busy
constexpr Millis kFirstTitleLimit{500};  // of one that has none yet, as a popup that has just come
constexpr Millis kToldAnswer{250};       // of a page that isn't busy, beyond what it was given to wait

}  // namespace

std::optional<NavigationResult> state_as_told(Tab& tab, const std::string& url, const std::string& title) {
  const auto now = tab.state();
  const bool no_events = now.commit_seq == 0 || now.is_error_page;
  const bool loaded = no_events || (now.dom_content_loaded && now.loaded);
  if (url.empty() || !(loaded || now.awaited) || now.interrupted()) return std::nullopt;
  tab.set_title(title);
  NavigationResult result;
  result.url = url;
  result.title = title;
  result.status = now.status;
  result.status_text = now.status_text;
  result.reached = loaded                   ? WaitUntil::load
                   : now.dom_content_loaded ? WaitUntil::dom_content_loaded
                                            : WaitUntil::commit;
  return result;
}

void refresh_titles(const CallContext& ctx, const std::vector<std::shared_ptr<Tab>>& tabs) {
  struct Asked {
    Tab& tab;
    PendingReply reply;
  };
  std::vector<Asked> asked;
  for (const auto& tab : tabs) {
    const auto command = page_command(*tab, page_expression(page::PageInfo{}), "");
    if (command.params.is_null() || tab->state().interrupted()) continue;
    asked.push_back({*tab, tab->send("Runtime.evaluate", command.params, command.session)});
  }
  const auto known = ctx.within(kTitlesLimit);
  const auto first = ctx.within(kFirstTitleLimit);
  for (auto& [tab, reply] : asked) {
    const auto commits = tab.state().commit_seq;
    tab.wait(tab.state().title.empty() ? first : known,
             [&tab = tab, &reply = reply] { return reply.has_come() || tab.state().interrupted(); });
    const auto come = reply.take();
    if (!come || tab.state().commit_seq != commits) continue;
    if (const auto info = page_result<page::PageInfo>(*come); info && info->ok) tab.set_title(info->title);
  }
}

StandIn wait_loaded(const CallContext& ctx, Tab& tab, Millis limit, bool fetching, const std::string& frame_id,
                    Millis blank) {
  const page::Loaded loaded{.timeout = static_cast<page::Integer>(limit.count()),
                            .fetching = fetching,
                            .scripts = fetching && tab.network_since(0).scripts > 0,
                            .blank = static_cast<page::Integer>(blank.count())};
  auto told = try_page_call(ctx.within(limit + kToldAnswer), tab, loaded, frame_id);
  if (!told) return {.waited = true};
  return {.words = std::move(told->words), .waited = told->waited_ms > 0, .idle = told->idle};
}

void wait_until_idle(const CallContext& ctx, Tab& tab, Millis limit) {
  const page::Idled idled{.timeout = static_cast<page::Integer>(limit.count())};
  if (try_page_call(ctx.within(limit + kToldAnswer), tab, idled) && !tab.state().interrupted())
    try_page_call(ctx.within(kToldAnswer), tab, page::Frames{.n = 2, .adaptive = true});
}

bool wait_fetched(const CallContext& ctx, Tab& tab, int requests, Deadline late) {
  const auto bounded = ctx.by(late);
  const auto is_fetching = [&] {
    const auto network = tab.network_since(requests);
    return network.fetches > 0 || network.owed;
  };
  const auto interrupted = [&] { return tab.state().interrupted(); };
  const auto before = tab.network_since(requests);
  auto came = before.last_fetch.value_or(Clock::time_point{});
  if (before.fetches == 0 && !before.owed && Deadline::at(came + limits::kActionQuiet).expired()) return false;
  if (!try_page_call(ctx.within(kToldAnswer), tab, page::WatchDrawing{})) return true;
  while (!interrupted() && !late.expired()) {
    if (!is_fetching()) {
      const auto quiet = bounded.by(Deadline::at(came + limits::kActionQuiet));
      if (!tab.wait(quiet, [&] { return interrupted() || is_fetching(); })) break;
    } else {
      tab.wait(bounded, [&] { return interrupted() || !is_fetching(); });
      came = Clock::now();
    }
  }
  if (interrupted()) return true;
  if (late.expired()) tab.give_up_sockets();
  const auto patience = std::min(late.remaining(), limits::kTimersWaitedFor);
  const auto ago = std::chrono::duration_cast<Millis>(Clock::now() - came);
  const page::Drawn drawn{.timeout = static_cast<page::Integer>(patience.count()),
                          .ago = static_cast<page::Integer>(ago.count())};
  if (!try_page_call(ctx.within(patience + kToldAnswer), tab, drawn) || interrupted()) return true;
  try_page_call(ctx.within(kToldAnswer), tab, page::Frames{.n = 2, .adaptive = true});
  return true;
}

StandIn wait_content(const CallContext& ctx, Tab& tab, int requests, Deadline late) {
  bool fetched = wait_fetched(ctx, tab, requests, late);
  const auto load = [&](Millis blank) {
    return wait_loaded(ctx, tab, late.remaining(), tab.requests_in_flight() > 0, {}, blank);
  };
  auto loaded = load(limits::kBlankPage);
  if (!fetched && wait_fetched(ctx, tab, requests, late)) {
    fetched = true;
    loaded = load(Millis(0));
  }
  loaded.waited = loaded.waited || fetched;
  return loaded;
}

double wait_until_still(const CallContext& ctx, Tab& tab) {
  const auto frames = [&] {
    return try_page_call(ctx.within(kToldAnswer), tab, page::Frames{.n = 2, .adaptive = true});
  };
  if (tab.state().interrupted()) return 0;
  if (const auto before = frames(); !before || before->motion <= 0) return 0;
  const page::Still still{.timeout = static_cast<page::Integer>(limits::kLateEffects.count())};
  const auto told = try_page_call(ctx.within(limits::kLateEffects + kToldAnswer), tab, still);
  if (!told) return 0;
  if (!tab.state().interrupted()) frames();
  return told->left;
}

void tell_requests(const Tab& tab, int requests, NavigationResult& result) {
  if (result.reached == WaitUntil::dom_content_loaded) result.still_loading = tab.requests_in_flight();
  if (result.reached != WaitUntil::load) return;
  auto network = tab.network_since(requests);
  result.still_loading = network.fetches;
  result.fetching = std::move(network.fetching);
}

bool wait_until_changed(const CallContext& ctx, Tab& tab) {
  const page::Drawn drawn{.timeout = static_cast<page::Integer>(limits::kTimersWaitedFor.count())};
  if (tab.state().interrupted()) return false;
  const auto told = try_page_call(ctx.within(limits::kTimersWaitedFor + kToldAnswer), tab, drawn);
  if (!told || !told->changed) return false;
  try_page_call(ctx.within(kToldAnswer), tab, page::Frames{.n = 2, .adaptive = true});
  return true;
}

void tell_anew(const CallContext& ctx, Tab& tab, NavigationResult& result) {
  if (tab.state().interrupted()) return;
  auto now = try_page_call(ctx.within(kToldAnswer), tab, page::Frames{.n = 1, .adaptive = true});
  if (!now) return;
  result.url = std::move(now->url);
  result.title = std::move(now->title);
  result.loading = std::move(now->loading);
}

}  // namespace bridle
