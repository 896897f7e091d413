#include "tools/core/control.h"

#include <spdlog/fmt/fmt.h>

#include "base/text/log.h"
#include "browser/page/told_state.h"
#include "tools/contract/arguments.h"
#include "tools/contract/response.h"
#include "tools/contract/schema.h"
#include "tools/scope/browser_scope.h"

namespace bridle {
namespace {

std::string id_text(const Json& id) { return dump(id); }

ToolResult status_tool(ToolContext& ctx, const Json&) {
  Json status = ctx.requests->status(false);
  Response response;
  std::string running;
  for (const auto& row : status["requests"]) {
    running +=
        fmt::format("\n- {} {} {} since {} ms{}", id_text(row["id"]), row.value("tool", ""), row.value("state", ""),
                    row.value("sinceMs", 0L), row.value("overdue", false) ? ", overdue" : "");
  }
  response.result("requests in flight:" + (running.empty() ? " none" : running));
  if (ctx.scope) {
    if (const auto* scope = dynamic_cast<const BrowserScope*>(ctx.scope.get()))
      refresh_titles(ctx.call, scope->listed_tabs());
    status["tabs"] = ctx.scope->tabs();
    if (const auto* scope = dynamic_cast<const BrowserScope*>(ctx.scope.get())) {
      response.result("files of this session: " + scope->files()->path().string());
      for (const auto& download : scope->downloads()) {
        response.event("- " + download.tab + " downloads \"" + loggable(download.name, 120) +
                       "\": " + describe(download));
      }
    }
    for (const auto& tab : status["tabs"]) {
      response.open_tabs(fmt::format("- {}: {} {}{}", tab["index"].get<int>(), tab["id"].get<std::string>(),
                                     tab["url"].get<std::string>(), tab["current"].get<bool>() ? " (current)" : ""));
    }
  }
  response.structured = std::move(status);
  return response.build(limits::kMaxOutput);
}

ToolResult stop_tool(ToolContext& ctx, const Json& values) {
  const Arguments args(values);
  Json stopped = ctx.requests->stop(ctx.call, args.at("request"), args.text("session"));
  Response response;
  response.result(!stopped.value("wasCancelled", false) ? "nothing to stop: no such request is running"
                  : stopped.value("timedOut", false)    ? "told to stop, but not all have ended within 3 s"
                                                        : "stopped");
  response.structured = std::move(stopped);
  return response.build(limits::kMaxOutput);
}

}  // namespace

std::vector<ToolSpec> control_tools(const BrowserSettings&) {
  return {{.name = "browser_status",
           .title = "Status",
           .description = "What runs now: requests, tabs, counters.",
           .input_schema = schema::object({}),
           .output_schema = schema::output({}),
           .read_only = true,
           .idempotent = true,
           .open_world = false,
           .handler = status_tool},
          {.name = "browser_stop",
           .title = "Stop",
           .description = "Stop one of your running requests, or all.",
           .input_schema = schema::object({{"request", {{"description", "Its id in browser_status"}}},
                                           {"session", schema::text("Another session")}}),
           .output_schema = schema::output({"wasCancelled"}),
           .idempotent = true,
           .open_world = false,
           .goes_on = true,
           .handler = stop_tool}};
}

}  // namespace bridle
