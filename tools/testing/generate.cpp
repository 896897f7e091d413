// browser_generate_locator and browser_export_test.
#include <spdlog/fmt/fmt.h>

#include <string>
#include <vector>

#include "base/text/named_secrets.h"
#include "browser/page/input/locator.h"
#include "tools/contract/schema.h"
#include "tools/scope/page_tool.h"
#include "tools/testing/test_script.h"
#include "tools/testing/testing.h"

namespace bridle {
namespace {

constexpr const char* kScriptName = "recorded.spec.ts";
constexpr std::size_t kLeftOutTold = 10;  // of what was left out

void locator_tool(PageCall& call, const Arguments& args) {
  const auto element = call.ready(args.text("target"), "none");
  const auto found = locate(call.ctx(), call.tab(), element);
  call.response.result(found.playwright);
  call.response.result("CSS: " + found.css);
  if (!found.role.empty()) call.response.result("role: " + found.role);
  call.response.structured = {{"locator", found.playwright}, {"css", found.css}, {"role", found.role}};
}

ToolResult export_tool(ToolContext& ctx, const Json& values) {
  return with_browser_errors([&] {
    const Arguments args(values);
    auto& scope = dynamic_cast<BrowserScope&>(*ctx.scope);
    const auto* record = scope.record();
    if (record == nullptr || record->all().empty())
      throw ToolError(
          "There is nothing to export: what the session does is noted from when the set testing is on. Act first.");
    const auto script = test_script(record->all(), scope.settings().test_id);
    const auto name = args.text("filename").empty() ? std::string(kScriptName) : args.text("filename");
    const auto file = scope.files()->write(ctx.call, name, without_named_secrets(script.text));
    Response response;
    response.result(fmt::format("a Playwright test of {} actions", script.actions));
    response.result(saved_words(file));
    for (const auto& variable : script.variables)
      response.result("It takes the secret from the environment: " + variable);
    if (!script.left_out.empty()) response.result("Left out, each where a comment stands:");
    for (std::size_t i = 0; i < script.left_out.size() && i < kLeftOutTold; ++i)
      response.result("- " + script.left_out[i]);
    if (script.left_out.size() > kLeftOutTold)
      response.result(fmt::format("- and {} more", script.left_out.size() - kLeftOutTold));
    if (record->is_full()) response.result("The session has done more than is noted: the test ends before it does");
    response.structured = {{"path", file.path.string()}, {"actions", script.actions}};
    return response.build(scope.settings().max_output);
  });
}

}  // namespace

std::vector<ToolSpec> generating_tools(const BrowserSettings&) {
  return {{.name = "browser_generate_locator",
           .set = "testing",
           .title = "Locator",
           .description = "The Playwright locator, CSS selector and role that name an element alone.",
           .input_schema = schema::object({schema::target(), schema::tab()}),
           .read_only = true,
           .idempotent = true,
           .handler = page_tool("browser_generate_locator", {.queues = false}, locator_tool)},
          {.name = "browser_export_test",
           .set = "testing",
           .title = "Export test",
           .description = "Save what this session has done as a Playwright test.",
           .input_schema = schema::object({{"filename", schema::text(), false, kScriptName}}),
           .read_only = true,
           .handler = export_tool}};
}

}  // namespace bridle
