#include "server/agent/run.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/errors.h"
#include "base/text/log.h"
#include "base/text/text.h"
#include "server/agent/prompt.h"
#include "tools/contract/response.h"

namespace bridle::agent {
namespace {

constexpr int kUselessAnswers = 3;              // in a row
constexpr std::size_t kConversation = 400'000;  // characters; beyond, the pages of old steps are left out
constexpr std::size_t kKeptWhole = 6;           // results at the end that are never shortened
constexpr std::size_t kThought = 2'000;         // characters of each that are kept
constexpr std::size_t kPictures = 2;            // calls whose pictures the model is shown again
constexpr const char* kDone = "done";

double ms_since(Clock::time_point began) {
  return std::chrono::duration<double, std::milli>(Clock::now() - began).count();
}

// `shown`: the reader is shown its pictures, too.
std::string text_of(const ToolResult& result, bool shown) {
  std::string text;
  for (const auto& content : result.content) {
    const char* picture = shown ? "(a picture)" : "(a picture, which you can't be shown)";
    const bool words = content.kind == Content::Kind::text;
    const auto what = words ? content.text : content.kind == Content::Kind::image ? picture : "";
    if (what.empty()) continue;
    if (!text.empty()) text += '\n';
    text += what;
  }
  return text;
}

std::vector<Picture> pictures_of(const ToolResult& result) {
  std::vector<Picture> pictures;
  for (const auto& content : result.content) {
    if (content.kind == Content::Kind::image)
      pictures.push_back({.data = content.data, .mime_type = content.mime_type});
  }
  return pictures;
}

// What stands behind `label` in the model's words, up to the next of the three.
std::string thought(const std::string& text, std::string_view label) {
  static constexpr std::array<std::string_view, 3> kLabels{"evaluation:", "memory:", "next goal:"};
  const std::string low = lower(text);
  auto at = low.find(label);
  if (at == std::string::npos) return {};
  at += label.size();
  auto end = text.size();
  for (const auto other : kLabels) {
    const auto found = low.find(other, at);
    if (found != std::string::npos) end = std::min(end, found);
  }
  return std::string(trimmed(std::string_view(text).substr(at, std::min(end - at, kThought)), " \t\r\n*#-"));
}

const ToolOffer kDoneOffer{
    .name = kDone,
    .description = "End the run: the task is finished, or can't be finished.",
    .input_schema = {{"type", "object"},
                     {"properties",
                      {{"success", {{"type", "boolean"}, {"description", "False if any part is missing or uncertain"}}},
                       {"text", {{"type", "string"}, {"description", "The answer, or what is missing"}}}}},
                     {"required", {"success", "text"}}}};

// These make no sense within a run, which has its own way to stop; nor does a picture for a model that takes none.
bool is_offered(const ToolSpec& spec, bool pictures) {
  static constexpr std::array<std::string_view, 3> kOwn{"browser_stop", "browser_status", "browser_toolset"};
  if (spec.name == "browser_take_screenshot") return pictures;
  return std::find(kOwn.begin(), kOwn.end(), spec.name) == kOwn.end();
}

}  // namespace

Json to_json(const Step& step) {
  Json actions = Json::array();
  for (const auto& action : step.actions) {
    Json row{{"tool", action.tool},
             {"arguments", action.arguments},
             {"result", action.result},
             {"ms", static_cast<long>(action.ms)}};
    if (action.is_error) row["isError"] = true;
    actions.push_back(std::move(row));
  }
  return {{"step", step.number},
          {"evaluation", step.evaluation},
          {"memory", step.memory},
          {"goal", step.goal},
          {"actions", std::move(actions)},
          {"usage", {{"input", step.usage.input}, {"output", step.usage.output}, {"cached", step.usage.cached}}},
          {"ms", static_cast<long>(step.ms)}};
}

Json to_json(const RunResult& result) {
  Json history = Json::array();
  for (const auto& step : result.history) history.push_back(to_json(step));
  return {{"id", result.id},
          {"status", to_string(result.status)},
          {"success", result.success},
          {"text", result.text},
          {"steps", result.steps},
          {"usage", {{"input", result.usage.input}, {"output", result.usage.output}, {"cached", result.usage.cached}}},
          {"history", std::move(history)}};
}

Run::Run(RunTask task, Model& model, NestedCalls& tools, Listener listener)
    : task_(std::move(task)), model_(model), tools_(tools), listener_(std::move(listener)) {
  result_.id = task_.id;
}

RunResult Run::execute(const CallContext& ctx) {
  const auto end = [&](RunStatus status, bool success, std::string text) {
    state_.become(status);
    result_.status = state_.status();
    result_.success = success;
    result_.text = std::move(text);
  };
  try {
    state_.become(RunStatus::running);
    due_ = Deadline::after(task_.limits.max_time);
    auto ending = work(ctx);
    // An abort decides, also one that came with the last word.
    ctx.signal.throw_if_aborted();
    end(ending.status, ending.success, std::move(ending.text));
  } catch (const Aborted& abort) {
    end(abort.reason() == AbortReason::shutdown ? RunStatus::disposed : RunStatus::stopped, false,
        "Stopped: " + std::string(to_string(abort.reason())));
    throw;
  } catch (const ModelError& error) {
    end(RunStatus::error, false, error.what());
  } catch (const std::exception& error) {
    spdlog::error("run {} failed unexpectedly: {}", task_.id, loggable(error.what()));
    end(RunStatus::error, false, "Something unexpected went wrong; bridle's log has the details.");
  }
  return result_;
}

Run::Ending Run::work(const CallContext& ctx) {
  conversation_.system = agent_prompt();
  std::string first = "Your task: " + task_.task;
  if (task_.allowed_origins) {
    first += fmt::format("\nYou may act on {} alone. Elsewhere you may look.",
                         fmt::join(task_.allowed_origins->listed, ", "));
  }
  // Their names alone [agent.secrets].
  if (!task_.secrets.empty()) first += fmt::format("\nSecrets that you may type: {}.", fmt::join(task_.secrets, ", "));
  say(first + "\n\nWhat the browser shows now:\n" + begin_on_page(ctx));
  for (int number = 1; number <= task_.limits.max_steps; ++number) {
    auto ending = step(ctx, number);
    if (ending) return std::move(*ending);
    const int left = task_.limits.max_steps - number;
    if (left == 5 || left == 2) say(fmt::format("{} steps are left. Finish, or call done with what you have.", left));
  }
  return {RunStatus::error, false, fmt::format("Step count exceeded maximum limit ({}).", task_.limits.max_steps)};
}

// The page that the run begins on, as the model sees it first: whole, within its budget.
std::string Run::begin_on_page(const CallContext& ctx) {
  const auto page = task_.url.empty() ? call_named(ctx, "browser_snapshot", Json::object())
                                      : call_named(ctx, "browser_navigate", {{"url", task_.url}});
  return text_of(page, false);
}

ToolResult Run::call_named(const CallContext& ctx, const std::string& name, Json arguments) {
  const auto tool = tools_.find(name, &arguments);
  if (tool == nullptr) return error_result("There is no tool " + name + ".");
  return call_tool(ctx, tool, std::move(arguments));
}

ToolResult Run::call_tool(const CallContext& ctx, const NestedCalls::Tool& tool, Json arguments) {
  auto result = tools_.call(ctx.by(due_), tool, std::move(arguments), act_on());
  due_ = due_.later(result.held);
  return result;
}

void Run::offer_tools() {
  conversation_.tools.clear();
  conversation_.tools.push_back(kDoneOffer);
  for (const auto& spec : tools_.listed()) {
    if (is_offered(*spec, model_.takes_pictures()))
      conversation_.tools.push_back(
          {.name = spec->name, .description = spec->description, .input_schema = spec->input_schema});
  }
}

ModelAnswer Run::ask(const CallContext& ctx) {
  keep_short();
  keep_few_pictures();
  offer_tools();  // those of pages come and go
  auto answer = model_.ask(ctx.by(due_), conversation_);
  ctx.signal.throw_if_aborted();  // an answer that comes after an abort is dropped
  result_.usage += answer.usage;
  return answer;
}

std::optional<Run::Ending> Run::step(const CallContext& ctx, int number) {
  const auto began = Clock::now();
  if (ctx.by(due_).deadline.expired())
    return Ending{RunStatus::error, false,
                  fmt::format("The run took longer than {} s.", task_.limits.max_time.count() / 1000)};
  const auto answer = ask(ctx);
  Step step{.number = number,
            .evaluation = thought(answer.text, "evaluation:"),
            .memory = thought(answer.text, "memory:"),
            .goal = thought(answer.text, "next goal:"),
            .usage = answer.usage};
  conversation_.messages.push_back({.role = Message::Role::model, .text = answer.text, .calls = answer.calls});
  Message results{.role = Message::Role::results};
  result_.steps = number;
  const auto keep = [&] {
    step.ms = ms_since(began);
    if (listener_.on_step) listener_.on_step(step);
    result_.history.push_back(std::move(step));
  };
  std::optional<Ending> ending;
  try {
    ending = act(ctx, answer, step, results);
  } catch (const Aborted&) {
    keep();
    throw;
  }
  keep();
  if (ending) return ending;
  if (!results.results.empty()) conversation_.messages.push_back(std::move(results));
  if (useless_ >= kUselessAnswers) {
    return Ending{RunStatus::error, false,
                  fmt::format("The model's answers could not be acted on, {} times in a row.", kUselessAnswers)};
  }
  if (most_repeated_ >= Circles::kEnds) {
    return Ending{
        RunStatus::error, false,
        fmt::format("The run went round in circles: the same action changed nothing {} times.", Circles::kEnds)};
  }
  if (most_repeated_ >= Circles::kPointedOut) {
    say(fmt::format("You have done the same thing {} times, with the same outcome. Do something else, or call done.",
                    most_repeated_));
  }
  if (task_.limits.max_tokens > 0 && result_.usage.total() > task_.limits.max_tokens) {
    return Ending{
        RunStatus::error, false,
        fmt::format("The run used {} tokens; it may use {}.", result_.usage.total(), task_.limits.max_tokens)};
  }
  return std::nullopt;
}

// What the model's answer asks for, in its order.
std::optional<Run::Ending> Run::act(const CallContext& ctx, const ModelAnswer& answer, Step& step, Message& results) {
  most_repeated_ = 0;
  if (answer.calls.empty()) {
    ++useless_;
    say("That was no tool call. Call a tool, or done.");
    return std::nullopt;
  }
  bool useful = false;
  for (const auto& call : answer.calls) {
    ctx.signal.throw_if_aborted();
    if (call.broken.empty() && call.name == kDone) {
      std::string problem;
      auto ending = finish_by(call, problem);
      if (ending) return ending;
      results.results.push_back({.id = call.id, .text = std::move(problem), .is_error = true});
      continue;
    }
    auto made = run_call(ctx, call, step);
    results.results.push_back(std::move(made.result));
    useful = useful || made.useful;
  }
  useless_ = useful ? 0 : useless_ + 1;
  return std::nullopt;
}

std::optional<Run::Ending> Run::finish_by(const ModelCall& call, std::string& problem) const {
  const auto success = call.arguments.find("success");
  const auto text = call.arguments.find("text");
  if (success == call.arguments.end() || !success->is_boolean() || text == call.arguments.end() || !text->is_string()) {
    problem = "done needs success (true or false) and text (a string).";
    return std::nullopt;
  }
  return Ending{RunStatus::completed, success->get<bool>(), text->get<std::string>()};
}

// The tool that the model means, with `arguments` as the tool has them; null, and `problem`, where it may not be
// called.
NestedCalls::Tool Run::find_offered(const ModelCall& call, Json& arguments, std::string& problem) const {
  if (!call.broken.empty()) {
    problem = call.name + " was not called: " + call.broken;
    return nullptr;
  }
  auto tool = tools_.find(call.name, &arguments);
  if (tool == nullptr) {
    problem = "There is no tool " + loggable(call.name, 60) + ". Use those you were given.";
  } else if (!is_offered(*tool, model_.takes_pictures())) {
    problem = tool->name + " is not for a run. Use the tools you were given.";
    tool = nullptr;
  }
  return tool;
}

Run::Made Run::run_call(const CallContext& ctx, const ModelCall& call, Step& step) {
  const auto began = Clock::now();
  Action action{.tool = call.name, .arguments = call.arguments};
  if (listener_.on_action) listener_.on_action(step, action, false);
  Made made{.result = {.id = call.id}, .useful = false};
  Json arguments = call.arguments;
  if (const auto tool = find_offered(call, arguments, action.result); tool == nullptr) {
    action.is_error = true;
  } else {
    try {
      auto result = call_tool(ctx, tool, std::move(arguments));
      action.result = text_of(result, model_.takes_pictures());
      action.is_error = result.is_error;
      action.noted = std::move(result.noted);
      made.useful = !result.refused;
      if (model_.takes_pictures()) made.result.pictures = pictures_of(result);
    } catch (const Aborted&) {
      action.ms = ms_since(began);
      action.result = "stopped";
      action.is_error = true;
      step.actions.push_back(std::move(action));
      throw;
    }
  }
  action.ms = ms_since(began);
  if (listener_.on_action) listener_.on_action(step, action, true);
  most_repeated_ = std::max(most_repeated_, circles_.note(action.tool, dump(action.arguments), action.result));
  made.result.text = action.result;
  made.result.is_error = action.is_error;
  step.actions.push_back(std::move(action));
  return made;
}

// A picture costs as much as a page each time: the newest ones are enough.
void Run::keep_few_pictures() {
  std::size_t seen = 0;
  for (auto message = conversation_.messages.rbegin(); message != conversation_.messages.rend(); ++message) {
    for (auto result = message->results.rbegin(); result != message->results.rend(); ++result) {
      if (result->pictures.empty()) continue;
      if (++seen > kPictures) result->pictures.clear();
    }
  }
}

// Where the conversation gets long, what old results showed of the page goes: the model can ask for the page again.
void Run::keep_short() {
  std::size_t size = 0;
  std::size_t count = 0;
  for (const auto& message : conversation_.messages) {
    size += message.text.size();
    for (const auto& result : message.results) size += result.text.size();
    count += message.results.empty() ? 0 : 1;
  }
  if (size <= kConversation) return;
  std::size_t seen = 0;
  for (auto& message : conversation_.messages) {
    if (message.results.empty()) continue;
    if (++seen + kKeptWhole > count) break;
    for (auto& result : message.results) {
      const auto at = result.text.find(kSnapshotTitle);
      if (at != std::string::npos) result.text = result.text.substr(0, at) + "(what the page showed then is left out)";
    }
  }
}

// As the person: a message of its own, so that it is never taken for what a page says.
void Run::say(std::string text) {
  conversation_.messages.push_back({.role = Message::Role::user, .text = std::move(text)});
}

}  // namespace bridle::agent
