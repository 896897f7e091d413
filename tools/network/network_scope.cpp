#include "tools/network/network_scope.h"

#include "tools/scope/page_tool.h"

namespace bridle {

ToolResult in_network_scope(ToolContext& ctx, const Arguments& args,
                            const std::function<void(BrowserScope& scope, Response& response)>& body) {
  return with_browser_errors([&] {
    ctx.call.signal.throw_if_aborted();
    auto& own = static_cast<BrowserScope&>(*ctx.scope);
    const auto tab = args.text("tab");
    const auto scope = own.holder(tab);
    // A tab that isn't there is an error that lists those that are.
    if (!tab.empty() && !own.knows_tab(tab)) scope->tab(ctx.call, tab);
    Response response;
    body(*scope, response);
    return response.build(own.settings().max_output);
  });
}

}  // namespace bridle
