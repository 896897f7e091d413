#include "tools/core/snapshot.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

#include "base/text/log.h"
#include "base/text/named_secrets.h"
#include "base/text/text.h"
#include "browser/page/snapshot.h"
#include "browser/page/world/world.h"
#include "tools/contract/schema.h"
#include "tools/scope/page_tool.h"

namespace bridle {
namespace {

constexpr int kCharsPerToken = 4;
constexpr Millis kSnapshotLimit{5000};
constexpr Millis kFindLimit{5000};

// URL and title as the page itself has them now.
void add_current_page(PageCall& call) {
  NavigationResult page;
  const auto info = page_call(call.ctx().within(kSnapshotLimit), call.tab(), "", page::PageInfo{});
  page.url = info.url;
  page.title = info.title;
  page.status = call.tab().state().status;
  call.tab().set_title(page.title);
  page.note = call.news_of_document();
  call.add_page(page);
}

// A snapshot that a result can carry: cut by worth, never by where its text happens to end [tool.snapshot.room].
Snapshot snapshot_that_fits(PageCall& call, SnapshotOptions options) {
  constexpr int kRounds = 3;
  constexpr std::size_t kBeside = 2000;  // characters of the result's other sections
  const auto max = call.settings().max_output;
  const auto room = max > 4 * kBeside ? max - kBeside : max / 2;
  const auto asked = static_cast<std::size_t>(options.budget_chars);
  const auto ctx = call.ctx().within(kSnapshotLimit);
  // What `depth` leaves out needs no room, so that the whole page's size tells nothing.
  if (asked > room)
    options.budget_chars = static_cast<int>(room);
  else if (asked == 0 && options.depth == 0)
    options.budget_chars = static_cast<int>(max / 10 * 8);
  auto snapshot = take_snapshot(ctx, call.tab(), call.scope().refs(), options);
  // Boxes, and signs that had to be escaped, aren't known before they are written.
  for (int round = 1; round < kRounds; ++round) {
    const auto size = characters(snapshot.yaml);
    if (size <= room) break;
    const auto budget = options.budget_chars > 0 ? static_cast<std::size_t>(options.budget_chars) : size;
    options.budget_chars = static_cast<int>(std::min(budget, room) * room / size * 9 / 10);
    options.again = true;
    snapshot = take_snapshot(ctx, call.tab(), call.scope().refs(), options);
  }
  if (asked > room && snapshot.cut) {
    call.response.result(
        fmt::format("A result carries {} characters of a snapshot, so the budget was lowered to that; --max-output "
                    "raises it, and filename saves the whole.",
                    room));
  }
  return snapshot;
}

void snapshot_tool(PageCall& call, const Arguments& args) {
  SnapshotOptions options;
  options.target = args.text("target");
  options.depth = static_cast<int>(args.integer("depth"));
  options.boxes = args.has("boxes") ? args.flag("boxes") : call.settings().snapshot_boxes;
  options.delta = args.text("mode") == "delta";
  options.budget_chars = static_cast<int>(args.integer("budget")) * kCharsPerToken;
  const auto filename = args.text("filename");
  const auto snapshot =
      filename.empty() ? snapshot_that_fits(call, options)
                       : take_snapshot(call.ctx().within(kSnapshotLimit), call.tab(), call.scope().refs(), options);
  const auto& yaml = snapshot.yaml;
  add_current_page(call);
  if (!filename.empty()) {
    const auto saved = call.scope().files()->write(call.ctx(), filename, without_named_secrets(yaml + "\n"));
    call.response.result(fmt::format(
        "Snapshot of {}. {}", counted(static_cast<std::size_t>(std::count(yaml.begin(), yaml.end(), '\n')) + 1, "line"),
        saved_words(saved)));
    return;
  }
  call.response.snapshot(yaml);
}

// `/re/i`, as JavaScript writes it, or what is between.
void take_regex(FindOptions& options, const std::string& regex) {
  options.regex = regex;
  const auto end = regex.rfind('/');
  if (regex.size() < 3 || regex.front() != '/' || end == 0) return;
  if (regex.find_first_not_of("dgimsuvy", end + 1) != std::string::npos) return;
  options.regex = regex.substr(1, end - 1);
  options.flags = regex.substr(end + 1);
}

void find_tool(PageCall& call, const Arguments& args) {
  FindOptions options;
  options.text = args.text("text");
  const auto regex = args.text("regex");
  if (options.text.empty() == regex.empty())
    throw ToolError("Give either text or regex: what to look for on the page.");
  if (!regex.empty()) take_regex(options, regex);
  const auto found = find_in_page(call.ctx().within(kFindLimit), call.tab(), call.scope().refs(), options);
  add_current_page(call);
  const auto wanted = loggable(regex.empty() ? "\"" + options.text + "\"" : regex, 200);
  if (found.count == 0) {
    call.response.result("Nothing on the page matches " + wanted + ".");
    return;
  }
  call.response.result(
      fmt::format("{} {} {}{}", found.count, found.count == 1 ? "match of" : "matches of", wanted,
                  found.shown < found.count ? fmt::format("; the first {} are shown", found.shown) : ""));
  call.response.snapshot(found.yaml);
}

}  // namespace

std::vector<ToolSpec> snapshot_tools(const BrowserSettings&) {
  return {{.name = "browser_snapshot",
           .title = "Snapshot",
           .description = "The page as text, with refs (e12) to act on.",
           .input_schema = schema::object(
               {schema::optional_target(),
                {"depth", schema::count("Levels", 1, 1000)},
                {"boxes", schema::boolean(nullptr)},
                {"mode", schema::choice({"full", "delta"}, "delta: what changed since the last"), false, "full"},
                {"budget", schema::count("Tokens at most", 50, 1'000'000)},
                schema::filename(),
                schema::tab()}),
           .read_only = true,
           .idempotent = true,
           .handler = page_tool("browser_snapshot", {.queues = false}, snapshot_tool)},
          {.name = "browser_find",
           .title = "Find",
           .description = "Search the page: matching lines with paths and refs.",
           .input_schema =
               schema::object({{"text", schema::text()}, {"regex", schema::text("/total: \\d+/i")}, schema::tab()}),
           .read_only = true,
           .idempotent = true,
           .handler = page_tool("browser_find", {.queues = false}, find_tool)}};
}

}  // namespace bridle
