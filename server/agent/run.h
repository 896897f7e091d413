#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/concurrency/call_context.h"
#include "base/limits.h"
#include "config/network/origin_rules.h"
#include "server/agent/circles.h"
#include "server/agent/model.h"
#include "server/agent/run_state.h"
#include "tools/contract/tool.h"

namespace bridle::agent {

struct RunLimits {
  int max_steps = 40;
  Millis max_time{15 * 60 * 1000};
  long max_tokens = 0;  // of input and output together; 0: as many as it takes
};

struct RunTask {
  std::string id{};
  std::string task{};
  std::string url{};                            // where it begins; "" on the current page
  std::optional<OriginList> allowed_origins{};  // where it may act; none: everywhere
  std::vector<std::string> secrets{};           // that it may type: their names, and where
  RunLimits limits{};
};

struct Action {
  std::string tool{};
  Json arguments = Json::object();
  std::string result{};
  bool is_error = false;
  double ms = 0;
  Json noted{};  // what it did, as an exported test tells it: for the history alone; null: nothing
};

// [agent.run.step]: what the model thought, and what it did.
struct Step {
  int number = 0;
  std::string evaluation{};  // of the last goal
  std::string memory{};
  std::string goal{};  // the next one
  std::vector<Action> actions{};
  Usage usage{};
  double ms = 0;  // all of it, the model's answer included
};

struct RunResult {
  std::string id{};
  RunStatus status = RunStatus::error;
  bool success = false;
  std::string text{};
  int steps = 0;
  Usage usage{};
  std::vector<Step> history{};
};
// {id, status, success, text, steps, usage: {input, output, cached}, history: [...]}.
Json to_json(const RunResult& result);
Json to_json(const Step& step);

// One task worked on by a model with bridle's tools, until it is done, fails honestly or is stopped. Every way to end
// is reached in bounded time [agent.run.limits]. Used by one thread; state() by any.
class Run {
 public:
  // Called by the run's thread, in order. `on_action`: before an action is begun and, with its result, after it.
  struct Listener {
    std::function<void(const Step& so_far, const Action& action, bool ended)> on_action{};
    std::function<void(const Step& step)> on_step{};
  };
  // All that is referred to outlives it.
  Run(RunTask task, Model& model, NestedCalls& tools, Listener listener);

  // Throws Aborted when ctx's signal fires, at once and in whatever it is at [agent.stop], after the state has become
  // `stopped` (`disposed` by the server's end); result() then holds what was reached. Whatever else happens is in the
  // result.
  RunResult execute(const CallContext& ctx);
  const RunState& state() const { return state_; }
  const RunResult& result() const { return result_; }

 private:
  struct Ending {
    RunStatus status;
    bool success;
    std::string text;
  };
  // The run's own time is over at due_, which moves; ctx's deadline is the caller's.
  Ending work(const CallContext& ctx);
  std::string begin_on_page(const CallContext& ctx);
  void offer_tools();
  // Without an ending the next step follows.
  std::optional<Ending> step(const CallContext& ctx, int number);
  ModelAnswer ask(const CallContext& ctx);
  std::optional<Ending> act(const CallContext& ctx, const ModelAnswer& answer, Step& step, Message& results);
  struct Made {
    CallResult result;
    bool useful;
  };
  Made run_call(const CallContext& ctx, const ModelCall& call, Step& step);
  NestedCalls::Tool find_offered(const ModelCall& call, Json& arguments, std::string& problem) const;
  ToolResult call_tool(const CallContext& ctx, const NestedCalls::Tool& tool, Json arguments);
  ToolResult call_named(const CallContext& ctx, const std::string& name, Json arguments);
  std::optional<Ending> finish_by(const ModelCall& call, std::string& problem) const;
  const OriginList* act_on() const { return task_.allowed_origins ? &*task_.allowed_origins : nullptr; }
  void keep_short();
  void keep_few_pictures();
  void say(std::string text);

  const RunTask task_;
  Model& model_;
  NestedCalls& tools_;
  const Listener listener_;
  RunState state_{};
  Conversation conversation_{};
  Circles circles_{};
  Deadline due_ = Deadline::none();  // of the run; later by the time that its calls waited for a person
  int most_repeated_ = 0;            // of the last step's actions
  int useless_ = 0;                  // answers in a row that no action came of
  RunResult result_{};
};

}  // namespace bridle::agent
