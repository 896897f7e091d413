#include "tools/core/navigation.h"

#include <spdlog/fmt/fmt.h>

#include "base/text/log.h"
#include "base/text/secrets.h"
#include "browser/page/navigation.h"
#include "config/network/origin_rules.h"
#include "tools/contract/schema.h"
#include "tools/files/downloads/download_resources.h"
#include "tools/scope/page_tool.h"

namespace bridle {
namespace {

schema::Property timeout(const BrowserSettings& settings, const char* description = nullptr) {
  return {"timeout", schema::bounded(description, 1, limits::kNavigationTimeoutMax.count()), false,
          settings.navigation_timeout.count()};
}

schema::Property wait_until() {
  return {"waitUntil", schema::choice({"commit", "domcontentloaded", "load", "networkidle"}), false, "load"};
}

Json navigation_output() { return schema::output({"url", "outcome"}); }

NavigationOptions options_from(const Arguments& args) {
  NavigationOptions options;
  options.timeout = Millis(args.integer("timeout"));
  const auto until = args.text("waitUntil");
  options.until = until == "commit"             ? WaitUntil::commit
                  : until == "domcontentloaded" ? WaitUntil::dom_content_loaded
                  : until == "networkidle"      ? WaitUntil::network_idle
                                                : WaitUntil::load;
  options.expect_origin = args.text("expectOrigin");
  if (!options.expect_origin.empty()) {
    const auto origin = network_origin(options.expect_origin);
    if (origin.empty()) throw ToolError("expectOrigin must be an origin such as https://example.com.");
    options.expect_origin = origin;
  }
  return options;
}

std::string seconds(Millis span) { return fmt::format("{:g}s", static_cast<double>(span.count()) / 1000.0); }

const char* reached_name(WaitUntil reached) {
  switch (reached) {
    case WaitUntil::commit:
      return "commit";
    case WaitUntil::dom_content_loaded:
      return "domcontentloaded";
    case WaitUntil::load:
      return "load";
    case WaitUntil::network_idle:
      return "networkidle";
  }
  return "commit";
}

std::string verdict(const NavigationResult& page, WaitUntil until) {
  std::string words = page.outcome == NavigationOutcome::same_document
                          ? fmt::format("same document in {} ms", page.elapsed.count())
                          : fmt::format("{} in {} ms", reached_name(page.reached), page.elapsed.count());
  if (!page.redirects.empty()) words += "; redirected from " + shown_url(page.redirects.front());
  if (page.reached == WaitUntil::commit && until != WaitUntil::commit && page.ok() &&
      page.outcome != NavigationOutcome::same_document) {
    words += page.broke_off.empty() ? "; the document is still arriving: its end had not come"
                                    : fmt::format("; the document broke off ({})", page.broke_off);
  }
  if (page.still_loading > 0) {
    words += fmt::format("; still loading: {} request{}", page.still_loading, page.still_loading == 1 ? "" : "s");
  }
  return words;
}

// A failed load's network error. Behind bridle's own proxy Chromium only learns that the proxy had no connection to
// give, so the proxy is asked why.
std::string net_error_words(const NavigationResult& page, const std::string& asked, PageCall& call) {
  // Of a chain of redirects it is the last URL that failed.
  const auto failed = call.tab().state().unreachable_url;
  const auto& where = failed.empty() ? asked : failed;
  if (page.detail == "net::ERR_NAME_NOT_RESOLVED") {
    const auto why = call.settings().policy.own_port_reason(where);
    return why.empty() ? page.detail : fmt::format("{} ({})", page.detail, why);
  }
  if (page.detail == "net::ERR_INVALID_AUTH_CREDENTIALS")
    return page.detail + " (the server asks for a name and a password: browser_emulate takes them as credentials)";
  const auto browser = call.scope().host().current();
  const bool of_proxy = page.detail == "net::ERR_EMPTY_RESPONSE" || page.detail == "net::ERR_TUNNEL_CONNECTION_FAILED";
  if (!of_proxy || !browser || browser->proxy() == nullptr) return page.detail;
  const auto [error, why] = browser->proxy()->failure_of(where);
  if (error.empty()) return page.detail;
  return error == "net::" + why ? error : fmt::format("{} ({})", error, why);
}

// What to say of a navigation that didn't come to a page.
std::string failure_words(const std::string& tool, const std::string& url, const NavigationResult& page,
                          const NavigationOptions& options, PageCall& call) {
  const auto asked = shown_url(url);
  const auto origin = network_origin(url);
  const auto& asked_origin = origin.empty() ? asked : origin;
  switch (page.outcome) {
    case NavigationOutcome::timeout:
      return fmt::format(
          "{}: navigation did not commit to {} within {} (timeout). The page is still {}; the tab keeps loading{}. "
          "Wait with "
          "browser_wait_for, or navigate again with a longer timeout.",
          tool, asked_origin, seconds(options.timeout), shown_url(page.url),
          page.pending_url.empty() ? "" : " " + page.pending_url);
    case NavigationOutcome::origin_mismatch:
      return fmt::format("{}: expected {}, but the page committed at {}.", tool, options.expect_origin, page.detail);
    case NavigationOutcome::net_error: {
      const auto failed = call.tab().state().unreachable_url;
      const bool is_other =
          !failed.empty() && !network_origin(url).empty() && network_origin(failed) != network_origin(url);
      return fmt::format("{}: {} at {}{}.", tool, net_error_words(page, url, call),
                         is_other ? shown_url(failed) + ", to which it was redirected from " : "", asked);
    }
    case NavigationOutcome::no_content:
      return fmt::format("{}: {} answered {} (no content), so the page is unchanged: {}", tool, asked, page.detail,
                         shown_url(page.url));
    case NavigationOutcome::superseded:
      return fmt::format("{}: the navigation to {} was superseded by another one{}.", tool, asked,
                         page.detail.empty() ? "" : ", to " + page.detail);
    case NavigationOutcome::tab_gone:
      return fmt::format("{}: the tab {} is gone: {}.", tool, call.tab().id(), page.detail);
    case NavigationOutcome::crashed:
      return fmt::format("{}: the page crashed. browser_navigate or browser_reload revives the tab.", tool);
    case NavigationOutcome::blocked:
      return fmt::format("{}: {} was blocked{}: {}. The page is unchanged: {}", tool, asked,
                         page.detail == url ? "" : ", because it leads to " + page.detail,
                         call.settings().policy.origins.reason(page.detail), shown_url(page.url));
    case NavigationOutcome::other_program:
      return fmt::format("{}: {} leads to {}, which is for another program. The page is unchanged: {}", tool, asked,
                         shown_url(page.detail), shown_url(page.url));
    case NavigationOutcome::dialog:
      return fmt::format("{}: a dialog holds the navigation to {}. Answer it with browser_handle_dialog.", tool, asked);
    default:
      return fmt::format("{}: {} did not load ({}).", tool, asked, to_string(page.outcome));
  }
}

constexpr Millis kDownloadTold{200};  // its two events come from two parts of the browser

// The browser tells the tab first that its navigation became a download.
bool may_still_download(const NavigationResult& page) {
  return page.outcome == NavigationOutcome::timeout || page.outcome == NavigationOutcome::download;
}

// Before a navigation, to know the download that it became.
struct DownloadMark {
  std::uint64_t begun = 0;
  std::uint64_t seq = 0;
};

DownloadMark mark_downloads(PageCall& call) {
  return {call.settings().downloads ? call.settings().downloads->mark() : 0, call.tab().state().download_seq};
}

// Ends what an aborted call began to download.
void end_download(PageCall& call, const DownloadMark& before) {
  const auto& store = call.settings().downloads;
  if (!store || call.tab().state().download_seq == before.seq) return;
  const auto download = store->await_newest(call.ctx().shielded(kDownloadTold), call.tab().id(), before.begun);
  const auto browser = call.scope().host().current();
  if (download && !download->over() && browser) browser->downloads().cancel(download->guid);
}

// A short one has ended by the time its result is read: then the result names its file.
std::string download_words(PageCall& call, const std::string& asked, const DownloadMark& before) {
  const auto& store = call.settings().downloads;
  const std::string words = asked + " is a download, so the page is unchanged";
  if (!call.settings().launch.cdp_endpoint.empty())
    return words + "; the browser keeps it where it keeps its downloads.";
  const auto download = store->await_newest(call.ctx().within(limits::kLoadWait), call.tab().id(), before.begun);
  if (!download) return words + ".";
  if (download->state == DownloadStore::State::done) call.response.link(download_link(*download));
  const auto named = words + ". \"" + loggable(download->name, 120) + "\" is " + describe(*download) + ".";
  return named + (download->over() ? "" : " Later results of this tab tell how it goes on.");
}

constexpr Millis kSnapshotWait{5000};  // for a page of any size, on a machine that is busy

// What the page shows, which is new to the caller.
void add_snapshot(PageCall& call) {
  if (call.settings().snapshot_mode == "none") return;
  SnapshotOptions snapshot;
  snapshot.boxes = call.settings().snapshot_boxes;
  snapshot.budget_chars = PageCall::kPageBudget;
  snapshot.whole_chars = PageCall::kWholePage;
  try {
    call.response.snapshot(
        take_snapshot(call.ctx().within(kSnapshotWait), call.tab(), call.scope().refs(), snapshot).yaml);
  } catch (const CdpTimeout&) {
    call.response.snapshot(
        fmt::format("- text: (the page was too busy to be read within {} s; browser_snapshot reads it)",
                    kSnapshotWait.count() / 1000));
  } catch (const std::runtime_error&) {
    // The page has moved on since; what the result says of it held when the navigation settled.
    call.response.snapshot("- text: (the page has moved on meanwhile; browser_snapshot shows what is there)");
  }
}

void report(PageCall& call, const std::string& tool, const std::string& asked, const NavigationResult& page,
            const NavigationOptions& options, const DownloadMark& before) {
  if (page.outcome == NavigationOutcome::download) {
    call.response.result(download_words(call, asked, before));
  } else if (!page.ok()) {
    call.response.error(failure_words(tool, asked, page, options, call));
  }
  if (page.ok() && page.still_loading > 0) call.free_input();
  call.add_page(page);
  if (page.ok()) call.response.page_line("- Settled: " + verdict(page, options.until));
  Json redirects = Json::array();
  for (const auto& url : page.redirects) redirects.push_back(shown_url(url));
  call.response.structured = {{"url", shown_url(page.url)},
                              {"title", page.title},
                              {"status", page.status},
                              {"outcome", to_string(page.outcome)},
                              {"redirects", std::move(redirects)},
                              {"settledMs", page.elapsed.count()}};
  const bool dialog = call.tab().state().dialog.has_value();
  const bool wants_commit_only = options.until == WaitUntil::commit && page.reached == WaitUntil::commit;
  if (call.in_batch() && page.ok() && network_origin(page.url) == network_origin(asked))
    call.scope().tell_origin(call.tab().id(), call.tab().document_origin());
  if (!page.ok() || dialog || page.busy || wants_commit_only || call.in_batch()) return;
  add_snapshot(call);
}

constexpr PageToolOptions kNavigates{.settles = false, .on_crashed = true, .through_dialog = true};

// Whether a URL names another place in the document that is there.
bool leads_within(const std::string& from, const std::string& to) {
  const auto hash = to.find('#');
  return hash != std::string::npos && to.substr(0, hash) == from.substr(0, from.find('#'));
}

// Refused URLs need no tab, and start no browser.
ToolResult navigate_tool(ToolContext& ctx, const Json& values, const BrowserSettings& settings) {
  const Arguments args(values);
  return with_browser_errors([&] {
    const auto url = settings.policy.check(args.text("url"));
    const auto options = options_from(args);
    const auto open_url = page_tool("browser_navigate", kNavigates, [&](PageCall& call, const Arguments&) {
      call.effects.if_cancelled("navigation to " + url + " stopped");
      const auto downloads = mark_downloads(call);
      call.ask_held();
      call.scope().consents().name(url);
      call.begin_downloads(true);
      try {
        call.begin_navigation(leads_within(call.tab().state().url, url));
        const auto page = call.settle_navigation(navigate(call.ctx(), call.tab(), url, options));
        call.end_downloads(may_still_download(page));
        report(call, "browser_navigate", url, page, options, downloads);
      } catch (const Aborted&) {
        end_download(call, downloads);
        throw;
      }
    });
    return open_url(ctx, values);
  });
}

// The body of browser_navigate_back, browser_navigate_forward and browser_reload.
using Run = std::function<NavigationResult(PageCall&, const NavigationOptions&)>;

// `in_document`: it may lead to another place in the document that is there.
ToolSpec plain_navigation(const BrowserSettings& settings, const char* name, const char* title, const char* description,
                          bool in_document, Run run) {
  return {.name = name,
          .title = title,
          .description = description,
          .input_schema = schema::object({timeout(settings), wait_until(), schema::tab()}),
          .output_schema = navigation_output(),
          .destructive = true,
          .queues = true,
          .may_take_long = true,
          .handler = page_tool(name, kNavigates,
                               [name, in_document, run = std::move(run)](PageCall& call, const Arguments& args) {
                                 const auto options = options_from(args);
                                 call.effects.if_cancelled(std::string(name) + " stopped");
                                 const auto downloads = mark_downloads(call);
                                 call.begin_downloads(true);
                                 call.begin_navigation(in_document);
                                 const auto page = call.settle_navigation(run(call, options));
                                 call.end_downloads(may_still_download(page));
                                 report(call, name, page.url, page, options, downloads);
                               })};
}

ToolSpec history_navigation(const BrowserSettings& settings, const char* name, const char* title,
                            const char* description, int steps) {
  return plain_navigation(settings, name, title, description, true,
                          [steps](PageCall& call, const NavigationOptions& options) {
                            return go_history(call.ctx(), call.tab(), steps, options);
                          });
}

}  // namespace

void tell_page(PageCall& call, const NavigationResult& page, const NavigationOptions& options) {
  report(call, "browser_tabs", page.url, page, options, {});
}

std::vector<ToolSpec> navigation_tools(const BrowserSettings& settings) {
  return {{.name = "browser_navigate",
           .title = "Navigate",
           .description = "Open a URL. Returns when settled, with where it really ended.",
           .input_schema = schema::object({{"url", schema::text("example.com means https"), true},
                                           timeout(settings, "Ms to the commit; default 5000"),
                                           wait_until(),
                                           {"expectOrigin", schema::text("Fail if it lands elsewhere")},
                                           schema::tab()}),
           .output_schema = navigation_output(),
           .destructive = true,
           .queues = true,
           .may_take_long = true,
           .handler = [&settings](ToolContext& ctx, const Json& args) { return navigate_tool(ctx, args, settings); }},
          history_navigation(settings, "browser_navigate_back", "Go back",
                             "Go to the previous page of the tab's history.", -1),
          history_navigation(settings, "browser_navigate_forward", "Go forward",
                             "Go to the next page of the tab's history.", 1),
          plain_navigation(settings, "browser_reload", "Reload", "Reload the page.", false,
                           [](PageCall& call, const NavigationOptions& options) {
                             return reload(call.ctx(), call.tab(), options);
                           })};
}

}  // namespace bridle
