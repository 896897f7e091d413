#include "tools/devtools/highlight.h"

#include <optional>
#include <string>

#include "tools/contract/schema.h"
#include "tools/devtools/inspected_node.h"
#include "tools/scope/page_tool.h"

namespace bridle {
namespace {

constexpr const char* kKept = "highlight";  // the tab keeps the session that draws it

Json colour(long long red, long long green, long long blue, double alpha) {
  return {{"r", red}, {"g", green}, {"b", blue}, {"a", alpha}};
}

// In DevTools' own colours, or all in the one that was given.
Json highlight_config(const std::optional<page::Colour>& given) {
  if (given) {
    const auto all = colour(given->red, given->green, given->blue, given->alpha);
    return {{"showInfo", true}, {"contentColor", all}, {"paddingColor", all}, {"borderColor", all}};
  }
  return {{"showInfo", true},
          {"contentColor", colour(111, 168, 220, 0.5)},
          {"paddingColor", colour(147, 196, 125, 0.5)},
          {"borderColor", colour(255, 229, 153, 0.6)},
          {"marginColor", colour(246, 178, 107, 0.5)}};
}

void highlight_tool(PageCall& call, const Arguments& args) {
  auto& tab = call.tab();
  if (!args.has("target")) {
    call.response.result(tab.kept().erase(kKept) > 0 ? "the highlight is hidden" : "nothing was highlighted");
    return;
  }
  auto node = inspect_target(call, args.text("target"));
  std::optional<page::Colour> given;
  if (const auto style = args.text("style"); !style.empty())
    given = page_call(call.ctx(), tab, "", page::ColourOfStyle{.style = style}).colour;
  node.session->call(call.ctx(), tab, "DOM.enable");
  node.session->call(call.ctx(), tab, "Overlay.enable");
  node.session->call(call.ctx(), tab, "Overlay.highlightNode",
                     {{"backendNodeId", node.backend_id}, {"highlightConfig", highlight_config(given)}});
  tab.kept()[kKept] = std::shared_ptr<SideSession>(std::move(node.session));
  call.response.result("highlighted " + node.about.describe +
                       ": screenshots show it, the page can't see it. Without a target this hides it again.");
}

}  // namespace

std::vector<ToolSpec> highlight_tools(const BrowserSettings&) {
  return {{.name = "browser_highlight",
           .set = "devtools",
           .title = "Highlight",
           .description = "Mark an element on the screen, for people and screenshots; without target: hide it.",
           .input_schema = schema::object({schema::optional_target(), {"style", schema::text()}, schema::tab()}),
           .read_only = true,
           .idempotent = true,
           .queues = true,
           .handler = page_tool("browser_highlight", {}, highlight_tool)}};
}

void add_highlight_aliases(Toolbox& toolbox) {
  toolbox.add(ToolAlias{.name = "browser_hide_highlight",
                        .tool = "browser_highlight",
                        .renamed = {{"element", ""}, {"target", ""}, {"ref", ""}, {"selector", ""}}});
}

}  // namespace bridle
