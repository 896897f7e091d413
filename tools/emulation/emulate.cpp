#include "tools/emulation/emulate.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "browser/chromium/browser.h"
#include "tools/emulation/emulation_arguments.h"
#include "tools/emulation/emulation_words.h"
#include "tools/scope/page_tool.h"

namespace bridle {
namespace {

using EmulationPointer = std::shared_ptr<const Emulation>;

// What others of a tab's family take to follow: one of them may have a dialog open, or a page that is busy.
constexpr Millis kFamilyFollows{1000};

const Emulation& emulation_or_none(const EmulationPointer& emulation) {
  static const Emulation kNothing;
  return emulation ? *emulation : kNothing;
}

// The timezone and locale as scripts of the page see them. Asked in bridle's own world, where no page can answer.
Json ask_world(PageCall& call, const std::string& expression) {
  const auto frame = call.tab().frame("");
  Json params{{"expression", expression}, {"returnByValue", true}};
  if (frame && !frame->bridle_world.empty()) params["uniqueContextId"] = frame->bridle_world;
  return call.tab().call(call.ctx(), "Runtime.evaluate", params).at("result").value("value", Json::object());
}

// How the browser calls a timezone and a locale; "" of one that it doesn't know, and of an empty one.
Json known_clock(PageCall& call, const std::string& timezone, const std::string& locale) {
  return ask_world(call,
                   "((timeZone, locale) => { const known = { timezone: '', locale: '' };"
                   "try { if (timeZone) known.timezone = new Intl.DateTimeFormat('en', { timeZone })"
                   ".resolvedOptions().timeZone; } catch {}"
                   "try { if (locale && Intl.DateTimeFormat.supportedLocalesOf(locale).length) known.locale ="
                   " new Intl.DateTimeFormat(locale).resolvedOptions().locale; } catch {}"
                   "return known; })(" +
                       dump(timezone) + "," + dump(locale) + ")");
}

Json clock_of_page(PageCall& call) {
  return ask_world(call,
                   "(() => { const { timeZone, locale } = new Intl.DateTimeFormat().resolvedOptions();"
                   "return { timezone: timeZone, locale }; })()");
}

// A change of what a tab and its family emulate: all of it, or what was there before [tool.emulate.whole].
class EmulationChange {
 public:
  EmulationChange(PageCall& call, Browser& browser) : call_(call), browser_(browser) {}
  EmulationChange(const EmulationChange&) = delete;
  EmulationChange& operator=(const EmulationChange&) = delete;
  ~EmulationChange() {
    if (!done_) undo();
  }

  void set_permissions(const Browser::Permissions& permissions) {
    const auto& context = call_.tab().info().context_id;
    permissions_before_ = browser_.permissions(context);
    permissions_changed_ = true;
    browser_.set_permissions(call_.ctx(), context, permissions);
  }

  void emulate(const EmulationPointer& next) {
    note(call_.tab());
    call_.tab().emulate(call_.ctx(), next);
    std::vector<PendingReply> sent;
    // A page may open a further one meanwhile.
    for (bool changed = true; changed;) {
      changed = false;
      for (const auto& tab : browser_.family_of(call_.tab())) {
        if (tab->emulation() == next) continue;
        changed = true;
        note(*tab);
        for (auto& reply : tab->change_emulation(next)) sent.push_back(std::move(reply));
      }
    }
    const auto patience = call_.ctx().within(kFamilyFollows);
    for (const auto& reply : sent) {
      if (!reply.wait(patience)) break;
    }
  }

  // Whether the page has the timezone and the locale: another tab of its process may have set them first, and let go
  // of them by now.
  void verify_clock(const Json& wanted) {
    constexpr int kTries = 3;
    for (int i = 0; i < kTries; ++i) {
      const auto actual = clock_of_page(call_);
      const auto same = [&](const char* name) { return wanted[name] == "" || wanted[name] == actual.value(name, ""); };
      if (same("timezone") && same("locale")) return;
      call_.tab().keep_clock();
    }
    throw ToolError(
        "The page shares its process with another tab that emulates another timezone or locale, so nothing was "
        "changed. Reset it there first, or open the page in an isolated tab.");
  }

  void done() { done_ = true; }

 private:
  void note(Tab& tab) { before_.emplace_back(tab.shared_from_this(), tab.emulation()); }

  // Posts alone: an aborted call waits for no page.
  void undo() noexcept {
    try {
      for (auto it = before_.rbegin(); it != before_.rend(); ++it) it->first->change_emulation(it->second);
      if (permissions_changed_) browser_.post_permissions(call_.tab().info().context_id, permissions_before_);
    } catch (const std::exception&) {
      // The browser or the context is gone, and with it what was changed.
    }
  }

  PageCall& call_;
  Browser& browser_;
  std::vector<std::pair<std::shared_ptr<Tab>, EmulationPointer>> before_{};
  bool permissions_changed_ = false;
  Browser::Permissions permissions_before_{};
  bool done_ = false;
};

TabQueue::Turn turn_to_change(PageCall& call) {
  try {
    return call.scope().emulation_turns().acquire(call.ctx(), "browser_emulate");
  } catch (const TabQueue::Full&) {
    throw ToolError("Too many calls wait to change what tabs emulate. Try again.");
  }
}

// What the browser doesn't know is said before anything changes.
Json checked_clock(PageCall& call, const Emulation& before, const Emulation& next) {
  const auto timezone = next.timezone == before.timezone ? "" : next.timezone;
  const auto locale = next.locale == before.locale ? "" : next.locale;
  Json known{{"timezone", ""}, {"locale", ""}};
  if (timezone.empty() && locale.empty()) return known;
  known = known_clock(call, timezone, locale);
  if (!timezone.empty() && known.value("timezone", "").empty())
    throw ToolError("The browser knows no timezone \"" + timezone.substr(0, 80) +
                    "\": give an IANA name such as Europe/Berlin.");
  if (!locale.empty() && known.value("locale", "").empty())
    throw ToolError("The browser knows no locale \"" + locale.substr(0, 80) + "\": give a BCP 47 tag such as de-DE.");
  return known;
}

void tell_emulation(PageCall& call, const Emulation& emulation, const Browser::Permissions& permissions) {
  const auto lines = emulation_lines(emulation, permissions);
  std::string words =
      lines.empty() ? "Nothing is emulated in this tab." : "In force in this tab and the tabs that it opens:";
  for (const auto& line : lines) words += "\n" + line;
  call.response.result(words);
  call.response.structured["emulation"] = emulation_values(emulation, permissions);
}

void emulate_tool(PageCall& call, const Arguments& args) {
  const auto browser = call.scope().host().current();
  if (!browser) throw ToolError("The browser has ended. The next call starts a new one.");
  const auto& context = call.tab().info().context_id;
  const auto wanted = [&](const char* name) { return args.has(name); };
  static constexpr const char* kAll[] = {
      "device",   "viewport",    "scale",       "mobile",      "touch",         "userAgent",    "locale",
      "timezone", "geolocation", "permissions", "colorScheme", "reducedMotion", "forcedColors", "contrast",
      "media",    "cpu",         "network",     "headers",     "credentials",   "javaScript",   "bypassCSP"};
  if (std::none_of(std::begin(kAll), std::end(kAll), wanted))
    return tell_emulation(call, emulation_or_none(call.tab().emulation()), browser->permissions(context));
  call.check_may_act();
  const auto turn = turn_to_change(call);
  const auto before = call.tab().emulation();
  const EmulationPointer start = call.tab().info().foreign ? nullptr : browser->start_emulation();
  auto next = emulation_of({.now = emulation_or_none(before),
                            .start = emulation_or_none(start),
                            .chromium_major = browser->major_version(),
                            .page_url = call.tab().state().url},
                           args);
  Browser::Permissions permissions;
  if (args.has("permissions")) permissions = permissions_of(args);
  const auto clock = checked_clock(call, emulation_or_none(before), next);
  const bool stale = is_stale_for_scripts(emulation_or_none(before), next);
  const bool logged_in = emulation_or_none(before).credentials && !next.credentials;
  auto shared = next == Emulation{} ? nullptr : std::make_shared<const Emulation>(next);
  call.effects.if_cancelled("a change of what the tab emulates was called off, and all is as before");
  EmulationChange change(call, *browser);
  if (args.has("permissions")) change.set_permissions(permissions);
  change.emulate(shared);
  change.verify_clock(clock);
  change.done();
  call.effects.if_cancelled("");
  call.effects.record("changed what the tab emulates");
  tell_emulation(call, next, browser->permissions(context));
  if (stale && call.tab().state().url.starts_with("http"))
    call.response.result("The page was loaded before that: browser_reload shows it anew.");
  if (logged_in)
    call.response.result("The browser keeps a login that a site has taken, until browser_close or the session's end.");
}

}  // namespace

std::vector<ToolSpec> emulation_tools(const BrowserSettings&) {
  return {{.name = "browser_emulate",
           .set = "emulation",
           .title = "Emulate",
           .description = "Emulate a device and its surroundings in the tab and the tabs that it opens. null resets "
                          "one; {} tells what is in force.",
           .input_schema = emulation_schema(),
           .idempotent = true,
           .queues = true,
           .handler = page_tool("browser_emulate", {}, emulate_tool)}};
}

void add_emulation_aliases(Toolbox& toolbox) {
  toolbox.add(ToolAlias{.name = "browser_emulate_media", .tool = "browser_emulate"});
}

}  // namespace bridle
