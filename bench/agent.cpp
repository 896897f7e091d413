#include <spdlog/fmt/fmt.h>

#include <stdexcept>

#include "base/temp_folder.h"
#include "bench/lab.h"
#include "tests/support/model_script.h"

// Runs by a scripted model, which answers at once: what is left is bridle's own.
namespace bridle::bench {
namespace {

using bridle::testing::calls_tool;
using bridle::testing::ModelScript;
using bridle::testing::ModelTurn;
using bridle::testing::says_done;

constexpr int kSteps = 10;
constexpr double kStepGoal = 10;
constexpr double kStopP50 = 20;
constexpr double kStopP99 = 100;
constexpr double kTokensGoal = 0.5;

// A bridle whose runs ask the site's model, with a client of it.
struct Runner {
  explicit Runner(Lab& lab, std::vector<std::string> more = {})
      : folder("bridle-bench-"), server(lab.settings().bridle, options(lab, more)), client(server.port()) {}
  std::vector<std::string> options(Lab& lab, std::vector<std::string>& more) {
    for (const auto& one :
         {std::string("--caps"), std::string("agent"), std::string("--model-url"), lab.site().url("/v1"),
          std::string("--model"), std::string("scripted"), std::string("--output-dir"), folder.path()})
      more.push_back(one);
    return more;
  }
  // The run's structured result, and how long the call took.
  Answer run(const std::string& url = {}) {
    Json arguments{{"task", "bench"}};
    if (!url.empty()) arguments["url"] = url;
    auto answer = client.call("browser_agent", arguments);
    answer.result = answer.result.at("structuredContent");
    if (answer.result.at("status") != "completed") throw std::runtime_error(answer.result.at("text"));
    return answer;
  }
  TempFolder folder;
  BridleProcess server;
  McpClient client;
};

void measure_steps(Lab& lab) {
  const std::string name = "run: own time a step, beside its tools'";
  lab.section({name}, [&] {
    Runner runner(lab);
    std::vector<ModelTurn> turns;
    for (int i = 0; i < kSteps - 1; ++i)
      turns.push_back(calls_tool("browser_evaluate", {{"function", fmt::format("() => {}", i)}}, "Next goal: count"));
    turns.push_back(says_done(true, "counted"));
    const ModelScript script(lab.site(), turns, ModelScript::Api::openai, /*each=*/true);
    lab.measure({.name = name, .goal = Goal::at_most(kStepGoal)}, lab.rounds(40), [&] {
      const auto answer = runner.run();
      double tools = 0;
      for (const Json& step : answer.result.at("history")) {
        for (const Json& action : step.at("actions")) tools += action.at("ms").get<double>();
      }
      return (answer.ms - tools) / kSteps;
    });
  });
}

void measure_stops(Lab& lab) {
  const std::string name = "run: stop to the model's socket closed";
  lab.section({name}, [&] {
    Runner runner(lab);
    const ModelScript script(lab.site(), {{.fault = ModelTurn::Fault::stall_before}});
    Row row{.name = name + ", p50", .goal = Goal::at_most(kStopP50)};
    const int rounds = lab.settings().quick ? 10 : 100;
    for (int round = 0; round < rounds; ++round) {
      check_interrupted();
      const auto hangups = lab.site().hangups(script.path());
      auto call = runner.client.start("browser_agent", {{"task", "bench"}});
      if (!lab.site().wait_for_open_connections(script.path(), 1, Millis(10'000)))
        throw std::runtime_error("the model was not asked");
      const auto ended = call.cancel();
      const auto closed = lab.site().wait_for_hangup(script.path(), Millis(10'000), hangups + 1);
      if (!closed) throw std::runtime_error("the model's socket stays open");
      const std::chrono::duration<double, std::milli> span = Clock::time_point(*closed) - ended.cancelled_at;
      row.bridle.push_back(std::max(0.0, span.count()));
    }
    lab.add(row);
    row.name = name + ", p99";
    row.percent = 99;
    row.goal = Goal::at_most(kStopP99);
    lab.add(std::move(row));
  });
}

// All that the model is asked in a run of ten steps, against the same run with the whole page after each action.
void measure_tokens(Lab& lab) {
  const std::string name = "run: tokens of ten steps (bare: the whole page each step)";
  lab.section({name}, [&] {
    std::string page = "<!doctype html><title>List</title><p id=out role=status>none</p><ul>";
    for (int i = 0; i < 150; ++i)
      page += fmt::format("<li>Item number {} <button id=b{}>Take {}</button></li>", i, i, i);
    page += "</ul><script>onclick = (e) => { if (e.target.id) out.textContent = e.target.textContent; };</script>";
    lab.site().set_page("/bench/list", page);
    std::vector<ModelTurn> turns;
    for (int i = 0; i < kSteps - 1; ++i)
      turns.push_back(
          calls_tool("browser_click", {{"target", fmt::format("#b{}", i)}}, "Next goal: take the next one"));
    turns.push_back(says_done(true, "taken"));
    const auto tokens = [&](Runner& runner) {
      lab.site().reset_log();
      const ModelScript script(lab.site(), turns, ModelScript::Api::openai, /*each=*/true);
      runner.run(lab.site().url("/bench/list"));
      double characters = 0;
      for (const auto& asked : lab.site().requests(script.path())) {
        // The list of tools is the same each time, and no matter of the page.
        const Json body = Json::parse(asked.body);
        characters += static_cast<double>(body.at("messages").dump().size());
      }
      return characters / 4;
    };
    Runner whole(lab, {"--snapshot-mode", "full"});
    Runner deltas(lab);
    lab.compare(
        {.name = name, .goal = Goal::ratio_at_most(kTokensGoal)}, 3, [&] { return tokens(whole); },
        [&] { return tokens(deltas); });
  });
}

}  // namespace

void measure_runs(Lab& lab) {
  measure_steps(lab);
  measure_stops(lab);
  measure_tokens(lab);
}

}  // namespace bridle::bench
