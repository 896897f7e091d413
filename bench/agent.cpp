#include <spdlog/fmt/fmt.h>

#include <algorithm>
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
using Fault = ModelTurn::Fault;

constexpr int kSteps = 10;
constexpr double kStepGoal = 10;
constexpr double kStopP50 = 20;
constexpr double kStopP99 = 100;
constexpr double kTokensGoal = 0.5;
constexpr Millis kBegins{10'000};

// A bridle whose runs ask the site's model, with a client of it.
struct Runner {
  explicit Runner(Lab& lab, std::vector<std::string> more = {})
      : folder("bridle-bench-"),
        server(lab.settings().bridle, options(lab, more)),
        client(server.port(), {{"elicitation", Json::object()}}) {}
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

// The same calls, made by a client one after another and by a run: what the run takes more is its own, the questions to
// the model included.
void measure_steps(Lab& lab) {
  const std::string name = "run: a step of it (bare: its tool called by a client)";
  lab.section({name}, [&] {
    Runner runner(lab);
    std::vector<ModelTurn> turns;
    const auto script_of = [](int i) { return Json{{"function", fmt::format("() => {}", i)}}; };
    for (int i = 0; i < kSteps - 1; ++i)
      turns.push_back(calls_tool("browser_evaluate", script_of(i), "Next goal: count"));
    turns.push_back(says_done(true, "counted"));
    const ModelScript script(lab.site(), turns, ModelScript::Api::openai, /*each=*/true);
    lab.compare(
        {.name = name, .goal = Goal::above_bare_at_most(kStepGoal)}, lab.rounds(40),
        [&] {
          double ms = runner.client.call("browser_snapshot").ms;
          for (int i = 0; i < kSteps - 1; ++i) ms += runner.client.call("browser_evaluate", script_of(i)).ms;
          return ms / kSteps;
        },
        [&] { return runner.run().ms / kSteps; });
  });
}

// What a run is at when it is stopped.
struct Phase {
  std::string name;
  std::vector<ModelTurn> turns;
  enum class Begins { model_asked, model_failed, tool, question } begins;
};

// Waits until the run is at it.
void await(Lab& lab, const Phase& phase, const ModelScript& script, McpClient::Running& run, const std::string& key) {
  const auto& site = lab.site();
  bool begun = true;
  switch (phase.begins) {
    case Phase::Begins::model_asked:
      begun = site.wait_for_open_connections(script.path(), 1, kBegins);
      break;
    case Phase::Begins::model_failed:
      begun =
          site.wait_for_request(script.path(), kBegins) && site.wait_for_open_connections(script.path(), 0, kBegins);
      break;
    case Phase::Begins::tool:
      lab.beacons().wait_request(key);
      break;
    case Phase::Begins::question:
      run.wait_for("elicitation/create");
      break;
  }
  if (!begun) throw std::runtime_error("the run did not get to: " + phase.name);
}

// From browser_stop's first byte to its answer, which comes when the run has ended, clean-up and all.
void measure_stop(Lab& lab, Runner& runner, const std::string& phase_name,
                  const std::function<Phase(const std::string& key)>& make) {
  const auto name = "run: stop to ended, " + phase_name;
  Row row{.name = name + ", p50", .goal = Goal::at_most(kStopP50)};
  const int rounds = lab.rounds(100);
  for (int round = 0; round < rounds; ++round) {
    check_interrupted();
    lab.site().reset_log();
    const auto key = lab.new_key();
    const auto phase = make(key);
    const ModelScript script(lab.site(), phase.turns);
    auto run = runner.client.start("browser_agent", {{"task", "bench"}});
    await(lab, phase, script, run, key);
    const auto stopped = runner.client.call("browser_stop");
    if (stopped.result.at("structuredContent").at("timedOut") == true) throw std::runtime_error("the run did not end");
    run.finish();
    row.bridle.push_back(stopped.ms);
  }
  lab.add(row);
  row.name = name + ", p99";
  row.percent = 99;
  row.goal = Goal::at_most(kStopP99);
  lab.add(std::move(row));
}

// From the first byte of notifications/cancelled to the hang-up that the model's server sees.
void measure_hangup(Lab& lab, Runner& runner, bool speaks) {
  const std::string name =
      std::string("run: stop to the model's socket closed, while it ") + (speaks ? "speaks" : "thinks");
  Row row{.name = name + ", p50", .goal = Goal::at_most(kStopP50)};
  const int rounds = lab.rounds(100);
  for (int round = 0; round < rounds; ++round) {
    check_interrupted();
    const auto key = lab.new_key();
    auto& beacons = lab.beacons();
    lab.site().set_handler(
        "/v1/chat/completions", [&beacons, key, speaks](const site::Request&, site::Response& response) {
          if (speaks) {
            response.set_header("Content-Type", "text/event-stream");
            response.begin();
            response.write("data: {\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":\"I\"}}]}\n\n");
          }
          beacons.hold(response, key);
        });
    auto call = runner.client.start("browser_agent", {{"task", "bench"}});
    beacons.wait_request(key);
    const auto ended = call.cancel();
    const std::chrono::duration<double, std::milli> span = beacons.wait_hangup(key) - ended.cancelled_at;
    row.bridle.push_back(std::max(0.0, span.count()));
  }
  lab.add(row);
  row.name = name + ", p99";
  row.percent = 99;
  row.goal = Goal::at_most(kStopP99);
  lab.add(std::move(row));
}

void measure_stops(Lab& lab) {
  lab.section({"run: stop to the model's socket closed"}, [&] {
    Runner runner(lab);
    measure_hangup(lab, runner, false);
    measure_hangup(lab, runner, true);
  });
  lab.section({"run: stop to ended"}, [&] {
    Runner runner(lab);
    using Begins = Phase::Begins;
    const auto phase = [&](const std::string& name, Begins begins, std::vector<ModelTurn> turns) {
      measure_stop(lab, runner, name, [&](const std::string&) { return Phase{name, turns, begins}; });
    };
    phase("the model thinks", Begins::model_asked, {{.fault = Fault::stall_before}});
    phase("the model speaks", Begins::model_asked, {{.text = "I", .fault = Fault::stall_within}});
    phase("between two tries", Begins::model_failed, {{.fault = Fault::status, .status = 503, .retry_after = "30"}});
    phase("a question", Begins::question, {calls_tool("ask_user", {{"question", "Go on?"}})});
    runner.client.call("browser_navigate", {{"url", lab.site().url("/plain")}});
    const std::string tool = "a tool that fetches";
    measure_stop(lab, runner, tool, [&](const std::string& key) {
      const auto source = fmt::format("() => fetch('{}', {{signal}})", Beacons::hang(key));
      return Phase{tool, {calls_tool("browser_evaluate", {{"function", source}})}, Begins::tool};
    });
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
      const auto questions = lab.site().requests(script.path());
      if (questions.size() != kSteps) throw std::runtime_error("the model was not asked ten times");
      double characters = 0;
      for (const auto& asked : questions) {
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
