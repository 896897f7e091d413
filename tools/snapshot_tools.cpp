#include "base/log.h"
#include "browser/page_world.h"
#include "browser/snapshot.h"
#include "tools/browser_tools.h"
#include "tools/page_call.h"
#include "tools/schema.h"

namespace bridle {
namespace {

constexpr int kCharsPerToken = 4;
constexpr Millis kSnapshotLimit{5000};

// URL and title as the page itself has them now.
void add_current_page(PageCall& call) {
  NavigationResult page;
  const Json info = page_call(call.ctx().within(kSnapshotLimit), call.tab(), "", "pageInfo", Json::object());
  page.url = info.value("url", "");
  page.title = info.value("title", "");
  page.status = call.tab().with([&](TabView& view) {
    view.title = page.title;
    return view.navigation.committed_loader().status;
  });
  call.add_page(page);
}

void snapshot_tool(PageCall& call, const Json& args) {
  SnapshotOptions options;
  options.target = target_arg(args, false);
  options.depth = args.value("depth", 0);
  options.boxes = args.value("boxes", false);
  options.delta = string_arg(args, "mode", "full") == "delta";
  options.budget_chars = args.value("budget", 0) * kCharsPerToken;
  const auto snapshot = take_snapshot(call.ctx().within(kSnapshotLimit), call.tab(), call.scope().refs(), options);
  add_current_page(call);
  call.response.snapshot(snapshot.yaml.empty() ? "- text: (the page is empty)" : snapshot.yaml);
}

}  // namespace

void add_snapshot_tools(Toolbox& toolbox) {
  toolbox.add(
      {.name = "browser_snapshot",
       .title = "Page snapshot",
       .description =
           "The page as text: roles, names, states, and refs (e12) to act on. Better than a screenshot for acting.",
       .input_schema =
           schema::object({schema::target(false),
                           {"depth", schema::integer("Levels to show", 1, 100)},
                           {"boxes", schema::boolean("With each element's box")},
                           {"mode", schema::choice({"full", "delta"}, "delta: only what changed since your last one")},
                           {"budget", schema::integer("At most this many tokens", 50, 1'000'000)},
                           schema::tab()}),
       .read_only = true,
       .idempotent = true,
       .handler = page_tool("browser_snapshot", {.queues = false}, snapshot_tool)});
}

}  // namespace bridle
