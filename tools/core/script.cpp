#include "tools/core/script.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cctype>

#include "base/text/named_secrets.h"
#include "base/text/text.h"
#include "browser/page/script.h"
#include "browser/page/target.h"
#include "tools/contract/schema.h"
#include "tools/scope/page_tool.h"

namespace bridle {
namespace {

// null, undefined, NaN, -Infinity, 10n.
bool is_bare_word(const std::string& text) {
  return text.size() <= 40 &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) != 0 || c == '-'; });
}

void evaluate_tool(PageCall& call, const Arguments& args) {
  if (trimmed(args.text("function"), " \t\r\n;").empty())
    throw ToolError("function is empty: give () => ..., (element) => ... with a target, or an expression.");
  const auto target = args.text("target");
  const auto frame =
      target.empty() ? std::string() : locate_target(call.ctx(), call.tab(), call.scope().refs(), target).id;
  const Millis limit(args.integer("timeout"));
  call.check_may_act();
  call.begin_downloads(false);
  call.effects.record("started a script");
  call.effects.if_cancelled("it was told to stop (what it awaits may go on)");
  try {
    auto result = run_script(call.ctx(), call.tab(), args.text("function"), target, frame, limit);
    // [tool.results-in-files]
    if (const auto filename = args.text("filename"); !filename.empty()) {
      const auto saved = call.scope().files()->write(call.ctx(), filename, without_named_secrets(result.text));
      call.response.result(fmt::format("the result, {}", counted(result.text.size(), "byte")));
      call.response.result(saved_words(saved));
      call.response.structured["path"] = saved.path.string();
      return;
    }
    if (!result.value.is_null() || is_bare_word(result.text))
      call.response.value(std::move(result.text));
    else
      call.response.page_text(std::move(result.text));
    call.response.structured["value"] = std::move(result.value);
  } catch (const CdpTimeout&) {
    throw ToolError("browser_evaluate: the script did not end within " + std::to_string(limit.count()) +
                    " ms, so it was ended (timeout). Give it more with timeout, or let it do less.");
  }
}

}  // namespace

std::vector<ToolSpec> script_tools(const BrowserSettings&) {
  return {{.name = "browser_evaluate",
           .title = "Evaluate",
           .description = "Run JavaScript in the page. `signal` is its AbortSignal.",
           .input_schema = schema::object(
               {{"function", schema::text("() => ..., (element) => ... with a target, or an expression"), true},
                schema::optional_target(),
                {"timeout", schema::bounded("Ms; default 30000", 1, limits::kWaitMax.count()), false,
                 limits::kCdpSlowCommand.count()},
                schema::filename(),
                schema::tab()}),
           .output_schema = schema::output({}),
           .destructive = true,
           .queues = true,
           .may_take_long = true,
           .handler = page_tool("browser_evaluate", kActs, evaluate_tool)}};
}

}  // namespace bridle
