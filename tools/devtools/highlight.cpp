#include "tools/devtools/highlight.h"

#include <string>

#include "tools/contract/schema.h"
#include "tools/devtools/inspected_node.h"
#include "tools/scope/page_tool.h"

namespace bridle {
namespace {

constexpr const char* kKept = "highlight";  // the tab keeps the session that draws it

Json colour(int red, int green, int blue, double alpha) {
  return {{"r", red}, {"g", green}, {"b", blue}, {"a", alpha}};
}

Json highlight_config() {
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
  node.session->call(call.ctx(), tab, "DOM.enable");
  node.session->call(call.ctx(), tab, "Overlay.enable");
  node.session->call(call.ctx(), tab, "Overlay.highlightNode",
                     {{"backendNodeId", node.backend_id}, {"highlightConfig", highlight_config()}});
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
           .input_schema = schema::object({schema::optional_target(), schema::tab()}),
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
