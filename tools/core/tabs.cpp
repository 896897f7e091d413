#include "tools/core/tabs.h"

#include <spdlog/fmt/fmt.h>

#include <optional>

#include "base/text/log.h"
#include "browser/page/told_state.h"
#include "tools/contract/schema.h"
#include "tools/core/navigation.h"
#include "tools/scope/page_tool.h"

namespace bridle {
namespace {

BrowserScope& scope_of(ToolContext& ctx) { return *static_cast<BrowserScope*>(ctx.scope.get()); }

// `scope`: the caller's, or the isolated one that a caller without a session named.
ToolResult list_result(ToolContext& ctx, BrowserScope& scope, Response& response) {
  refresh_titles(ctx.call, scope.listed_tabs());
  Json tabs = scope.tabs();
  for (const auto& tab : tabs) {
    response.open_tabs(fmt::format("- {}: {}{}[{}] ({}){}{}", tab["index"].get<int>(), tab["id"].get<std::string>(),
                                   tab["current"].get<bool>() ? " (current) " : " ",
                                   loggable(tab["title"].get<std::string>(), 120), tab["url"].get<std::string>(),
                                   tab.contains("isolated") ? " isolated" : "",
                                   tab["crashed"].get<bool>() ? " crashed" : ""));
  }
  const auto others = scope.foreign_tabs(ctx.call);
  for (const auto& other : others) {
    response.open_tabs(fmt::format("- not yours: {} [{}] ({}); browser_tabs select with this tab id takes it over",
                                   other.id, loggable(other.title, 120), loggable(other.url, 300)));
  }
  if (tabs.empty()) response.open_tabs("- none; browser_navigate opens one");
  for (const auto& line : scope.take_notes(scope.current_id())) response.event("- " + line);
  // What the person opened and closed stands in this list. What has changed on pages comes with the next call there.
  if (ctx.scope->hold().news() != 0) response.event(std::string("- ") + kPersonActed);
  response.structured["tabs"] = std::move(tabs);
  auto result = response.build(scope.settings().max_output);
  result.unlisted = scope.is_isolated();
  return result;
}

// The scope whose tabs the caller may see: its own or, if that is shared with others, only the one that the caller has
// named.
BrowserScope& listed(BrowserScope& own, BrowserScope& named) { return own.is_shared() ? named : own; }

struct Chosen {
  std::shared_ptr<BrowserScope> scope{};  // whose it is
  std::shared_ptr<Tab> tab{};
};

Chosen chosen_tab(ToolContext& ctx, const Arguments& args, const char* action) {
  auto& own = scope_of(ctx);
  if (args.has("index")) {
    auto tab = own.tab_at(args.integer("index"));
    return {own.holder(tab->id()), tab};
  }
  const auto id = args.text("tab");
  if (std::string_view(action) == "select") {
    if (auto attached = own.attach_foreign(ctx.call, id)) return {own.holder(""), attached};
  }
  if (!id.empty()) {
    auto holder = own.holder(id);
    auto tab = holder->tab(ctx.call, id);
    return {std::move(holder), std::move(tab)};
  }
  if (std::string_view(action) == "select")
    throw ToolError("index is missing: browser_tabs list shows the tabs and their indexes.");
  if (own.tabs().empty()) throw ToolError("No tab is open, so there is none to close.");
  return {own.holder(""), own.tab(ctx.call, "")};
}

constexpr PageToolOptions kTellsOfNew{.queues = false, .settles = false, .on_crashed = true, .through_dialog = true};

// A tab that no result has told of is closed when its call ends early [cancel.browser.new-tab], an isolated one with
// its context.
ToolResult new_tab(ToolContext& ctx, const Arguments& args) {
  auto& own = scope_of(ctx);
  const auto given = args.text("url");
  const auto url = given.empty() ? "" : own.settings().policy.check(given);
  const bool isolated = args.flag("isolated");
  const auto scope = isolated ? own.make_isolated() : own.holder("");
  const auto tab = scope->open_tab(ctx.call);
  if (ctx.observer != nullptr) ctx.observer->on_tab(tab->label());
  Response response;
  std::optional<PageCall> there;  // on what it shows
  try {
    if (!url.empty()) {
      NavigationOptions options;
      options.timeout = scope->settings().navigation_timeout;
      scope->consents().name(url);
      scope->grants().begin_navigation(tab->id(), tab->state().commit_seq);
      const auto page = navigate(ctx.call, *tab, url, options);
      scope->grants().end_navigation(
          tab->id(), page.outcome == NavigationOutcome::timeout || page.outcome == NavigationOutcome::download);
      if (!page.ok() && page.outcome != NavigationOutcome::download) {
        response.error(fmt::format("browser_tabs: {} did not load in the new tab {} ({}{}). The tab stays open.", url,
                                   tab->id(), to_string(page.outcome), page.detail.empty() ? "" : ": " + page.detail));
      }
      scope->tell_origin(tab->id(), tab->document_origin());
      if (page.ok() && !isolated && ctx.batch == nullptr) {
        there.emplace(ctx, tab->id(), "browser_tabs", kTellsOfNew);
        tell_page(*there, page, options);
        there->add_events();
      }
    }
    ctx.call.signal.throw_if_aborted();
  } catch (const Aborted&) {
    if (!isolated) scope->close_tab(ctx.call.shielded(limits::kCleanup), tab);
    throw;
  }
  if (isolated) {
    own.keep_isolated(scope);
    response.result(fmt::format(
        "opened {} in a context of its own. It is never the current tab: name it with tab in each call. It is closed "
        "{} after its last use.",
        tab->id(), in_words(own.settings().isolated->idle_limit())));
  } else {
    scope->select(tab->id());
    RecordedAction action{.tool = "browser_tabs",
                          .args = {{"action", "new"}, {"url", url}},
                          .targets = {},
                          .tab = tab->id(),
                          .popup = false};
    if (ctx.noted != nullptr && !response.is_error()) ctx.noted->push_back(to_json(action));
    if (auto* record = own.record(); record != nullptr && !response.is_error()) record->add(std::move(action));
  }
  Response& told = there ? there->response : response;
  told.structured["tab"] = tab->id();
  return list_result(ctx, listed(own, *scope), told);
}

ToolResult tabs_tool(ToolContext& ctx, const Json& values) {
  const Arguments args(values);
  return with_browser_errors([&]() -> ToolResult {
    auto& own = scope_of(ctx);
    const auto action = args.text("action");
    if (action != "new" && args.flag("isolated")) throw ToolError("isolated is for the action new alone.");
    Response response;
    if (action == "new") return new_tab(ctx, args);
    if (action == "select") {
      const auto [scope, tab] = chosen_tab(ctx, args, "select");
      if (scope->is_isolated())
        throw ToolError("An isolated tab is never the current one: name it with tab in each call instead.");
      scope->select(tab->id());
      response.structured["tab"] = tab->id();
    } else if (action == "close") {
      const auto [scope, tab] = chosen_tab(ctx, args, "close");
      if (ctx.observer != nullptr) ctx.observer->on_tab(tab->label());
      if (scope->let_go(ctx.call, tab)) {
        response.result("let go of " + tab->id() + ": it was there before you, so it stays open");
        return list_result(ctx, own, response);
      }
      scope->close_tab(ctx.call, tab);
      RecordedAction closing{.tool = "browser_tabs",
                             .args = {{"action", "close"}},
                             .targets = {},
                             .tab = tab->id(),
                             .popup = !tab->info().opener_id.empty()};
      if (ctx.noted != nullptr && !scope->is_isolated()) ctx.noted->push_back(to_json(closing));
      if (auto* record = scope->record()) record->add(std::move(closing));
      if (scope->is_isolated() && scope->tabs().empty()) own.close_isolated(*scope);
      response.result("closed " + tab->id());
    } else if (const auto id = args.text("tab"); own.is_shared() && !id.empty()) {
      const auto scope = own.holder(id);
      scope->tab(ctx.call, id);  // an unknown one is an error
      return list_result(ctx, *scope, response);
    }
    return list_result(ctx, own, response);
  });
}

void handle_dialog_tool(PageCall& call, const Arguments& args) {
  const bool accept = args.flag("accept");
  const auto dialog = call.tab().state().dialog;
  if (!dialog) throw ToolError("No dialog is open in tab " + call.tab().id() + ".");
  call.begin_action({}, TimerWatch::Before::dialog_answer);
  call.effects.record(std::string(accept ? "accepted" : "dismissed") + " the " + dialog->type + " dialog");
  call.tab().handle_dialog(call.ctx(), accept, args.text("promptText"));
  call.response.result(std::string(accept ? "accepted" : "dismissed") + " " + describe_dialog(*dialog));
  call.finish_action();
}

void resize_tool(PageCall& call, const Arguments& args) {
  const auto width = static_cast<int>(args.integer("width"));
  const auto height = static_cast<int>(args.integer("height"));
  call.begin_action();
  call.tab().resize(call.ctx(), {width, height});
  call.response.result(fmt::format("the viewport is {}x{} CSS pixels now", width, height));
  call.finish_action(ActionInput::resized);
}

ToolResult close_tool(ToolContext& ctx, const Json&) {
  return with_browser_errors([&] {
    const bool ended = scope_of(ctx).close_all(ctx.call);
    return plain_result(
        ended ? "closed all tabs of this session and the browser: its profile folder is free. The next call "
                "starts it again"
              : "closed all tabs of this session; the next call opens a new one");
  });
}

}  // namespace

std::vector<ToolSpec> tab_tools(const BrowserSettings& settings) {
  return {{.name = "browser_tabs",
           .title = "Tabs",
           // 2026-07-28 asks for a handle's lifetime where the handle is made [wire.handles].
           .description = fmt::format("List, open, close or select tabs. isolated: own cookies and storage; always "
                                      "name it by tab; ends {} after its last use.",
                                      in_words(settings.isolated_idle)),
           .input_schema = schema::object({{"action", schema::choice({"list", "new", "close", "select"}), true},
                                           {"index", schema::bounded("For close and select", 0, 10'000)},
                                           {"url", schema::text("For new")},
                                           {"isolated", schema::boolean()},
                                           schema::tab()}),
           .output_schema = schema::output({"tabs"}),
           .destructive = true,
           .reading_actions = {"list"},
           .handler = tabs_tool},
          {.name = "browser_handle_dialog",
           .title = "Dialog",
           .description = "Accept or dismiss the open dialog.",
           .input_schema =
               schema::object({{"accept", schema::boolean(), true}, {"promptText", schema::text()}, schema::tab()}),
           .destructive = true,
           .handler = page_tool("browser_handle_dialog", {.queues = false, .settles = false, .through_dialog = true},
                                handle_dialog_tool)},
          {.name = "browser_resize",
           .title = "Resize",
           .description = "Set the viewport's size in CSS pixels.",
           .input_schema = schema::object({{"width", schema::bounded(nullptr, 1, 16'384), true},
                                           {"height", schema::bounded(nullptr, 1, 16'384), true},
                                           schema::tab()}),
           .idempotent = true,
           .queues = true,
           .handler = page_tool("browser_resize", {}, resize_tool)},
          {.name = "browser_close",
           .title = "Close",
           .description = "Close your tabs, with their cookies and storage.",
           .input_schema = schema::object({}),
           .destructive = true,
           .idempotent = true,
           .handler = close_tool}};
}

}  // namespace bridle
