#include "tools/network/network_state.h"

#include "tools/contract/schema.h"
#include "tools/network/network_scope.h"

namespace bridle {
namespace {

ToolResult network_state_tool(ToolContext& ctx, const Json& values) {
  const Arguments args(values);
  return in_network_scope(ctx, args, [&](BrowserScope& scope, Response& response) {
    const bool offline = args.text("state") == "offline";
    const bool was_offline = scope.routes()->offline();
    scope.routes()->set_offline(offline);
    try {
      scope.await_posted(ctx.call);
    } catch (...) {  // a cancelled call has changed nothing
      scope.routes()->set_offline(was_offline);
      throw;
    }
    response.result(offline ? "The tabs of this session are offline: what they request fails, but for what a route "
                              "answers."
                            : "The tabs of this session are online.");
    response.structured["state"] = args.text("state");
  });
}

}  // namespace

std::vector<ToolSpec> network_state_tools(const BrowserSettings&) {
  return {{.name = "browser_network_state_set",
           .set = "network",
           .title = "Network state",
           .description = "Take the tabs offline or online.",
           .input_schema = schema::object({{"state", schema::choice({"online", "offline"}), true}, schema::tab()}),
           .idempotent = true,
           .handler = network_state_tool}};
}

}  // namespace bridle
