#include "server/agent/agent_tool.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <list>
#include <memory>
#include <stdexcept>
#include <utility>

#include "base/concurrency/sync.h"
#include "base/errors.h"
#include "base/text/log.h"
#include "base/text/text.h"
#include "server/agent/anthropic_model.h"
#include "server/agent/history.h"
#include "server/agent/openai_model.h"
#include "server/agent/sampling_model.h"
#include "tools/contract/arguments.h"
#include "tools/contract/response.h"
#include "tools/contract/schema.h"

namespace bridle::agent {
namespace {

constexpr const char* kTemplate = "bridle://runs/{id}";
constexpr std::size_t kResultShown = 2'000;  // characters of each action's result in structuredContent
constexpr int kMostSteps = 500;

// Who has a run under way: one each [agent.run.one]. One that was stopped has none any more, though it may still clean
// up: what the next one does waits for the tab, as any call does.
class Runs {
  struct Entry {
    const ToolScope* scope;
    AbortSignal signal;
  };

 public:
  class Place {
   public:
    Place(Runs& runs, std::list<Entry>::iterator entry) : runs_(runs), entry_(entry) {}
    ~Place() {
      const MutexLock lock(runs_.mutex_);
      runs_.entries_.erase(entry_);
    }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

   private:
    Runs& runs_;
    const std::list<Entry>::iterator entry_;
  };
  // Null: that caller has one already.
  std::unique_ptr<Place> enter(const ToolScope* scope, const AbortSignal& signal) {
    const MutexLock lock(mutex_);
    const bool busy = std::any_of(entries_.begin(), entries_.end(),
                                  [&](const Entry& entry) { return entry.scope == scope && !entry.signal.aborted(); });
    if (busy) return nullptr;
    return std::make_unique<Place>(*this, entries_.insert(entries_.end(), {scope, signal}));
  }

 private:
  Mutex mutex_;
  std::list<Entry> entries_ GUARDED_BY(mutex_);
};

std::unique_ptr<Model> make_model(const AgentSettings& settings, const ToolContext& ctx) {
  if (!settings.model.url.empty()) {
    if (settings.api == AgentSettings::Api::anthropic) return std::make_unique<AnthropicModel>(settings.model);
    return std::make_unique<OpenAiModel>(settings.model);
  }
  if (ctx.user != nullptr && SamplingModel::can_ask(*ctx.user))
    return std::make_unique<SamplingModel>(*ctx.user, settings.model.pictures);
  throw ToolError(
      "There is no model to work on the task: start bridle with --model-url http://HOST/v1 and --model NAME (and "
      "BRIDLE_MODEL_KEY in its environment), or use a client that declares sampling with tools.");
}

// The first line of a result that tells something.
std::string effect_of(std::string_view result) {
  while (!result.empty()) {
    const auto line = take_until(result, '\n');
    if (!line.empty() && !line.starts_with("###") && !line.starts_with("```")) return loggable(line, 120);
  }
  return {};
}

// "step 2 of 40: click the button; browser_click {...}: ..."
std::string progress_words(const Step& step, int most, const Action& action, bool ended) {
  std::string words = fmt::format("step {} of {}", step.number, most);
  if (!step.goal.empty()) words += ": " + loggable(step.goal, 120);
  words += fmt::format("; {} {}", action.tool, loggable(dump(action.arguments), 160));
  if (!ended) return words;
  words += fmt::format(" {} in {:.0f} ms", action.is_error ? "failed" : "done", action.ms);
  if (const auto effect = effect_of(action.result); !effect.empty()) words += ": " + effect;
  return words;
}

// The same, short enough for a result: the whole is in the history.
Json shortened(Json result) {
  for (Json& step : result["history"]) {
    for (Json& action : step["actions"]) {
      auto& text = action["result"].get_ref<std::string&>();
      const auto end = first_bytes(text, kResultShown).size();
      if (end == text.size()) continue;
      text = text.substr(0, end) + fmt::format(" ... ({} more characters in the run's history)", text.size() - end);
    }
  }
  return result;
}

std::string outcome_words(const RunResult& result) {
  const auto tokens =
      result.usage.total() > 0 ? fmt::format(", {} tokens in and {} out", result.usage.input, result.usage.output) : "";
  const std::string how = result.status != RunStatus::completed ? "ended in an error"
                          : result.success                      ? "completed with success"
                                                                : "completed without success";
  return fmt::format("The run {} after {} step{}{}:", how, result.steps, result.steps == 1 ? "" : "s", tokens);
}

ToolResult run_task(ToolContext& ctx, const Arguments& args, const AgentSettings& settings, Runs& runs) {
  if (ctx.nested == nullptr) throw ToolError("A run can't be made from within another call.");
  const auto place = runs.enter(ctx.scope.get(), ctx.call.signal);
  if (!place) throw ToolError("A run of this session is under way already: wait for it, or end it with browser_stop.");
  // A run takes long, and asks: both need a task where the client knows tasks.
  if (ctx.observer != nullptr) ctx.observer->become_task();
  const auto model = make_model(settings, ctx);
  RunTask task{.id = make_run_id(),
               .task = args.text("task"),
               .url = args.text("url"),
               .secrets = settings.secrets,
               .limits = settings.limits};
  if (auto origins = args.texts("allowed_origins"); !origins.empty()) {
    try {
      task.allowed_origins.emplace(std::move(origins));
    } catch (const std::invalid_argument& error) {
      throw ToolError(std::string("allowed_origins: ") + error.what());
    }
  }
  if (args.has("max_steps")) task.limits.max_steps = static_cast<int>(args.integer("max_steps"));
  History history(settings.runs_folder, task, model->name());
  const int most = task.limits.max_steps;
  const auto id = task.id;
  Run run(std::move(task), *model, *ctx.nested,
          {.on_action =
               [&](const Step& step, const Action& action, bool ended) {
                 if (ctx.call.progress != nullptr)
                   ctx.call.progress->report(step.number - (ended ? 0.0 : 0.5), most,
                                             progress_words(step, most, action, ended));
               },
           .on_step = [&](const Step& step) { history.add(step); }});
  if (ctx.observer != nullptr) ctx.observer->on_running();
  // So that whoever stops it knows which history to read.
  if (ctx.call.progress != nullptr) ctx.call.progress->report(0, most, "run " + id);
  try {
    run.execute(ctx.call);
  } catch (const Aborted&) {
    history.end(run.result());
    throw;
  }
  const auto& result = run.result();
  history.end(result);
  Response response;
  if (result.status == RunStatus::error) {
    response.error(outcome_words(result) + " " + result.text);
  } else {
    response.result(outcome_words(result));
    response.page_text(result.text);
  }
  response.link({.kind = Content::Kind::resource_link,
                 .mime_type = "application/jsonl",
                 .uri = "bridle://runs/" + id,
                 .name = "run " + id});
  response.structured = shortened(to_json(result));
  return response.build(1'000'000);
}

}  // namespace

void add_agent(Toolbox& toolbox, Catalogue& catalogue, const AgentSettings& settings) {
  const auto runs = std::make_shared<Runs>();
  toolbox.add({.name = "browser_agent",
               .set = "agent",
               .title = "Agent",
               .description = "Have a model work on a task in the browser until it is done, fails or is stopped.",
               .input_schema = schema::object({{"task", schema::text(), true},
                                               {"url", schema::text("Where to begin")},
                                               {"max_steps", schema::integer("Default 40", 1, kMostSteps)},
                                               {"allowed_origins", schema::list(schema::text(), "Where it may act")}}),
               .output_schema = schema::output({"id", "status", "success", "text", "steps"}),
               .destructive = true,
               .may_take_long = true,
               .bounds_itself = true,
               .nestable = false,
               .goes_on = true,  // its calls wait
               .handler = [&settings, runs](ToolContext& ctx, const Json& values) {
                 return run_task(ctx, Arguments(values), settings, *runs);
               }});
  catalogue.add(ResourceTemplate{
      .uri_template = kTemplate,
      .name = "run",
      .title = "History of a run",
      .description = "What a run of browser_agent did, one JSON object a line: the task, each step, the end.",
      .mime_type = "application/jsonl",
      .read = [&settings](ToolContext&, const std::string& uri, const UriVariables& variables) -> std::vector<Content> {
        const auto text = read_history(settings.runs_folder, variables.at("id"));
        if (!text) throw ResourceNotFound("There is no run of that id: `bridle runs` lists them.");
        return {{.kind = Content::Kind::resource, .text = *text, .mime_type = "application/jsonl", .uri = uri}};
      }});
}

}  // namespace bridle::agent
