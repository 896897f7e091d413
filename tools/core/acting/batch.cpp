#include "tools/core/acting/batch.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/text/log.h"
#include "browser/page/told_state.h"
#include "tools/contract/schema.h"
#include "tools/contract/schema_check.h"
#include "tools/scope/page_tool.h"

namespace bridle {
namespace {

constexpr std::size_t kSteps = 20;

struct Step {
  const ToolSpec* spec = nullptr;
  std::string name{};  // as it was called
  Json arguments{};    // checked
  Json expect{};       // null: nothing
};

// Questions can't be put within a batch: in 2026-07-28 the whole call is made again with the answer, and so the steps
// that are done already would be done twice.
class NoQuestions : public UserPrompt {
 public:
  explicit NoQuestions(const UserPrompt* user) : user_(user) {}
  Answer ask(const CallContext&, std::string_view, std::string_view, const Json&) override { refuse(); }
  Json ask_all(const CallContext&, const Json&, bool) override { refuse(); }
  bool can_ask(std::string_view method) const override { return user_ != nullptr && user_->can_ask(method); }

 private:
  [[noreturn]] static void refuse() {
    throw ToolError(
        "The user has to be asked first, and can't be within browser_batch: make this step a call of its own");
  }
  const UserPrompt* user_;
};

// Page tools alone: those that take a tab, but for the one that manages the tabs themselves.
bool is_page_tool(const ToolSpec& spec) {
  return spec.name != "browser_tabs" && !spec.needs_task && spec.needs_capabilities.is_null() &&
         spec.input_schema.at("properties").contains("tab");
}

// All of them, before the first is run. Throws ToolError that names the first that can't be.
std::vector<Step> read_steps(const Toolbox& toolbox, const ToolScope& scope, const Arguments& args) {
  std::vector<Step> steps;
  for (const auto& given : args.objects("steps")) {
    const auto problem = [&](const std::string& words) {
      throw ToolError(fmt::format("browser_batch: step {}: {} Nothing was done.", steps.size() + 1, words));
    };
    Step step{
        .spec = nullptr, .name = given.text("tool"), .arguments = given.at("arguments"), .expect = given.at("expect")};
    if (step.arguments.is_null()) step.arguments = Json::object();
    step.spec = toolbox.resolve(step.name, &step.arguments);
    if (step.spec == nullptr) problem("there is no tool \"" + loggable(step.name, 80) + "\".");
    if (!is_page_tool(*step.spec)) problem(step.name + " is no tool of a page: make it a call of its own.");
    if (!toolbox.lists(*step.spec, &scope)) problem(toolbox.how_to_list(*step.spec));
    if (args.has("tab") && !step.arguments.contains("tab")) step.arguments["tab"] = args.text("tab");
    auto checked = check_arguments(*step.spec, std::move(step.arguments));
    if (!checked.problem.empty()) problem(checked.problem);
    step.arguments = std::move(checked.values);
    if (step.expect.is_object() && step.expect.contains("value") && !step.arguments.contains("target"))
      problem("expect value is of the step's target, and it has none.");
    steps.push_back(std::move(step));
  }
  return steps;
}

// A tool that is called from here. What it says is added to `said`; "" or why it failed.
std::string run_tool(ToolContext& whole, const ToolSpec& spec, const Json& arguments, Response& said) {
  whole.acts = spec.acts(arguments);
  try {
    whole.wait_for_person();  // which is not of the time of the steps that follow
    ToolContext ctx = whole;
    ctx.batch = &said;
    const auto result = spec.handler(ctx, arguments);
    // Without content it has gone into `said`.
    if (result.content.empty()) return std::exchange(said.failure, {});
    const auto& text = result.content.front().text;
    return text.substr(std::min(text.size(), text.find('\n') + 1));
  } catch (const ToolError& error) {
    return error.what();
  }
}

std::string run_checked(ToolContext& ctx, const Toolbox& toolbox, const char* tool, Json arguments, Response& said) {
  const auto* spec = toolbox.find(tool);
  auto checked = check_arguments(*spec, std::move(arguments));
  return checked.problem.empty() ? run_tool(ctx, *spec, checked.values, said) : checked.problem;
}

// "" or what is not as it was expected.
std::string unmet(ToolContext& ctx, const Toolbox& toolbox, const Step& step) {
  Response unsaid;
  Json tab = step.arguments.contains("tab") ? Json{{"tab", step.arguments["tab"]}} : Json::object();
  Json wait = step.expect;
  wait.erase("value");
  if (!wait.empty()) {
    wait.update(tab);
    if (auto words = run_checked(ctx, toolbox, "browser_wait_for", std::move(wait), unsaid); !words.empty())
      return words;
  }
  if (!step.expect.contains("value")) return {};
  Json value{{"what", "value"}, {"target", step.arguments["target"]}, {"value", step.expect["value"]}};
  value.update(tab);
  return run_checked(ctx, toolbox, "browser_verify", std::move(value), unsaid);
}

struct Run {
  Response said{};
  std::size_t done = 0;
  std::string failure{};
};

void run_steps(ToolContext& ctx, const Toolbox& toolbox, const std::vector<Step>& steps, Run& run) {
  for (const auto& step : steps) {
    if (ctx.call.progress != nullptr)
      ctx.call.progress->report(static_cast<double>(run.done), static_cast<double>(steps.size()),
                                fmt::format("step {} of {}: {}", run.done + 1, steps.size(), step.name));
    ToolContext inner = ctx;
    inner.call.progress = nullptr;
    run.said.result(fmt::format("step {}, {}:", run.done + 1, step.name));
    auto words = run_tool(inner, *step.spec, step.arguments, run.said);
    if (words.empty() && step.expect.is_object()) {
      words = unmet(inner, toolbox, step);
      if (!words.empty()) words = "it was done, but what was expected isn't there: " + words;
    }
    if (!words.empty()) {
      run.failure = fmt::format("browser_batch: step {} of {}, {}: {}", run.done + 1, steps.size(), step.name, words);
      return;
    }
    ++run.done;
  }
}

// The page as it is after the last step, once.
ToolResult tell(ToolContext& ctx, const Json& values, const Run& run, std::size_t steps, std::size_t max_output) {
  auto response = run.said;
  const auto structured = Json{{"done", run.done}, {"steps", steps}};
  if (!run.failure.empty()) response.error(run.failure);
  const auto handler = page_tool("browser_batch", {.queues = false, .on_crashed = true, .through_dialog = true},
                                 [&](PageCall& call, const Arguments&) {
                                   call.response = response;
                                   call.response.structured = structured;
                                   NavigationResult page;
                                   refresh_titles(call.ctx(), {call.tab().shared_from_this()});
                                   const auto now = call.tab().state();
                                   page.url = now.url;
                                   page.title = now.title;
                                   page.status = now.status;
                                   call.add_page(page);
                                   if (!now.interrupted()) call.add_delta();
                                 });
  auto result = handler(ctx, values);
  if (result.structured.is_object()) return result;
  // The tab has gone, or can't be asked: what was done is told all the same.
  if (run.failure.empty()) response.error("browser_batch: the page can't be told of: " + result.content.front().text);
  response.structured = structured;
  return response.build(max_output);
}

ToolResult batch(ToolContext& ctx, const Json& values, const Toolbox& toolbox, const BrowserSettings& settings) {
  const Arguments args(values);
  NoQuestions no_questions(ctx.user);
  ToolContext inner = ctx;
  inner.user = &no_questions;
  Run run;
  std::vector<Step> steps;
  try {
    steps = read_steps(toolbox, *ctx.scope, args);
    run_steps(inner, toolbox, steps, run);
  } catch (const ToolError& error) {
    return error_result(error.what());
  } catch (const Aborted&) {
    // What the step that was cancelled had done, its own call has noted.
    auto& scope = static_cast<BrowserScope&>(*ctx.scope);
    if (run.done > 0) {
      const auto tab = args.has("tab") ? args.text("tab") : scope.current_id();
      scope.holder(tab)->note(tab,
                              fmt::format("cancelled: browser_batch after {} of {} steps", run.done, steps.size()));
    }
    throw;
  }
  Json named = Json::object();
  if (args.has("tab")) named["tab"] = args.text("tab");
  return tell(ctx, named, run, steps.size(), settings.max_output);
}

}  // namespace

void add_batch_tool(Toolbox& toolbox, const BrowserSettings& settings) {
  const Json expect = schema::object(
      {{"text", schema::text()}, {"textGone", schema::text()}, {"url", schema::text()}, {"value", schema::text()}});
  const Json arguments{{"type", "object"}};
  const Json step = schema::unlisted(
      schema::of_type("object", "{tool, arguments, expect: {text, textGone, url, value}}"),
      {{"properties", {{"tool", {{"type", "string"}}}, {"arguments", arguments}, {"expect", checked_schema(expect)}}},
       {"required", Json::array({"tool"})},
       {"additionalProperties", false}});
  toolbox.add({.name = "browser_batch",
               .title = "Batch",
               .description = "Run page tools in order. Stops at the first that fails or isn't as expected.",
               .input_schema = schema::object(
                   {{"steps", schema::unlisted(schema::list(step), {{"minItems", 1}, {"maxItems", kSteps}}), true},
                    schema::tab()}),
               .destructive = true,
               .queues = true,
               .may_take_long = true,
               .handler = [&toolbox, &settings](ToolContext& ctx, const Json& values) {
                 return batch(ctx, values, toolbox, settings);
               }});
}

}  // namespace bridle
