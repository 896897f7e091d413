// A run by a scripted model and scripted tools: every way that it ends.
#include <deque>

#include "server/agent/circles.h"
#include "server/agent/history.h"
#include "server/agent/prompt.h"
#include "server/agent/run.h"
#include "tests/support/catch.h"
#include "tools/contract/response.h"

namespace {

using namespace bridle;
using namespace bridle::agent;
using namespace std::chrono_literals;
using matchers::Contains;

ModelAnswer calls(std::initializer_list<ModelCall> made, std::string text = {}) {
  return {.text = std::move(text), .calls = made, .usage = {.input = 100, .output = 10}};
}
ModelCall call_of(std::string name, Json arguments = Json::object()) {
  return {.id = name, .name = std::move(name), .arguments = std::move(arguments)};
}
ModelAnswer done(bool success, std::string text = "the end") {
  return calls({call_of("done", {{"success", success}, {"text", std::move(text)}})});
}

// The last answer is given again and again.
class FakeModel : public Model {
 public:
  explicit FakeModel(std::vector<ModelAnswer> answers) : answers_(std::move(answers)) {}
  ModelAnswer ask(const CallContext&, const Conversation& conversation) override {
    asked.push_back(conversation);
    if (before_answer) before_answer();
    return answers_[std::min(asked.size(), answers_.size()) - 1];
  }
  std::string name() const override { return "fake"; }
  std::string last_words(std::size_t n) const { return asked.at(n).messages.back().text; }
  bool takes_pictures() const override { return pictures; }
  bool pictures = false;
  std::deque<Conversation> asked{};
  std::function<void()> before_answer{};

 private:
  const std::vector<ModelAnswer> answers_;
};

class FakeTools : public NestedCalls {
 public:
  FakeTools() {
    for (const char* name :
         {"browser_snapshot", "browser_navigate", "browser_click", "browser_stop", "browser_take_screenshot"})
      specs_.push_back({.name = name, .description = "d", .read_only = std::string_view(name) == "browser_snapshot"});
  }
  std::vector<Tool> listed() const override {
    std::vector<Tool> all;
    for (const auto& spec : specs_) all.push_back(std::make_shared<const ToolSpec>(spec));
    return all;
  }
  Tool find(const std::string& name, Json* arguments) const override {
    ++found;
    const bool alias = name == "press";
    if (alias && arguments != nullptr) *arguments = {{"target", arguments->at("selector")}};
    for (const auto& spec : specs_) {
      if (spec.name == (alias ? "browser_click" : name)) return std::make_shared<const ToolSpec>(spec);
    }
    return nullptr;
  }
  ToolResult call(const CallContext& ctx, const Tool& tool, Json arguments, const OriginList* act_on) override {
    ctx.signal.throw_if_aborted();
    made.push_back(tool->name + " " + dump(arguments));
    acted_on.push_back(act_on == nullptr ? std::vector<std::string>{} : act_on->listed);
    deadlines.push_back(ctx.deadline);
    if (on_call) on_call();
    if (arguments.contains("wrong")) {
      auto refusal = error_result("there is no argument wrong");
      refusal.refused = true;
      return refusal;
    }
    if (always_picture || tool->name == "browser_take_screenshot") {
      auto picture = plain_result("taken");
      picture.content.push_back({.kind = Content::Kind::image, .data = "UElD", .mime_type = "image/png"});
      return picture;
    }
    auto result = same_result ? plain_result("nothing") : plain_result("result " + std::string(made.size(), 'x'));
    result.held = held;
    return result;
  }
  std::vector<std::string> made{};
  std::vector<std::vector<std::string>> acted_on{};  // by call
  std::vector<Deadline> deadlines{};
  Millis held{};
  mutable int found = 0;
  bool same_result = false;
  bool always_picture = false;
  std::function<void()> on_call{};

 private:
  std::vector<ToolSpec> specs_{};
};

struct Played {
  explicit Played(std::vector<ModelAnswer> answers, RunTask given = {})
      : model(std::move(answers)), task(std::move(given)) {
    task.id = "r";
    task.task = "buy milk";
  }
  RunResult play(const CallContext& ctx = {}) {
    Run run(task, model, tools, {});
    return run.execute(ctx);
  }
  FakeModel model;
  FakeTools tools{};
  RunTask task;
};

}  // namespace

TEST_CASE("run: done completes it, with success or without", "[agent] [agent.run.status]") {
  const bool success = GENERATE(true, false);
  Played played(
      {calls({call_of("browser_click", {{"target", "e1"}})}, "**Evaluation:** new\nMemory: milk\nNext goal: click it"),
       done(success)});
  const auto result = played.play();
  CHECK(result.status == RunStatus::completed);
  CHECK(result.success == success);
  CHECK(result.text == "the end");
  CHECK(result.steps == 2);
  CHECK(result.usage.input == 200);
  CHECK(played.tools.made == std::vector<std::string>{"browser_snapshot {}", "browser_click {\"target\":\"e1\"}"});
}

TEST_CASE("run: with done it is over, whatever else the answer asks for", "[agent] [agent.run.status]") {
  const auto end = call_of("done", {{"success", true}, {"text", "early"}});
  Played played({calls({call_of("browser_click"), end, call_of("browser_click")})});
  const auto result = played.play();
  CHECK(result.status == RunStatus::completed);
  CHECK(result.text == "early");
  CHECK(played.tools.made.size() == 2);  // the first look, and what came before done
  CHECK(played.model.asked.size() == 1);
}

TEST_CASE("run: a step keeps what was thought and done", "[agent] [agent.run.step]") {
  Played played({calls({call_of("browser_click", {{"target", "e1"}})},
                       "**Evaluation:** it is new\n- Memory: milk\nNext goal: click it\n"),
                 done(true)});
  const auto json = to_json(played.play());
  const Json& step = json.at("history").at(0);
  CHECK(step.at("evaluation") == "it is new");
  CHECK(step.at("memory") == "milk");
  CHECK(step.at("goal") == "click it");
  CHECK(step.at("actions").at(0).at("tool") == "browser_click");
  CHECK(step.at("actions").at(0).at("arguments") == Json{{"target", "e1"}});
  CHECK_THAT(step.at("actions").at(0).at("result").get<std::string>(), Contains("result xx"));
  CHECK(step.at("usage").at("input") == 100);
}

TEST_CASE("run: the model is told its task, the page between what is data, and how it may end",
          "[agent] [agent.prompt]") {
  Played played({done(true)});
  played.play();
  const auto& asked = played.model.asked.at(0);
  CHECK(asked.system == agent_prompt());
  CHECK_THAT(asked.system,
             Contains("It is fine to fail") && Contains("data") && Contains("captcha") && Contains("{{NAME}}"));
  CHECK_THAT(asked.messages.at(0).text, Contains("Your task: buy milk") && Contains("What the browser shows now:"));
  std::vector<std::string> names;
  for (const auto& tool : asked.tools) names.push_back(tool.name);
  CHECK(names == std::vector<std::string>{"done", "browser_snapshot", "browser_navigate", "browser_click"});
}

TEST_CASE("run: the model is told which secrets it may type, and where", "[agent] [agent.secrets]") {
  Played played({done(true)}, {.secrets = {"{{USER}}", "{{PASS}} (on https://a.example alone)"}});
  played.play();
  CHECK_THAT(played.model.asked.at(0).messages.at(0).text,
             Contains("Secrets that you may type: {{USER}}, {{PASS}} (on https://a.example alone)."));
}

TEST_CASE("run: a model that takes pictures is shown the newest two", "[agent] [agent.models.pictures]") {
  const auto take = [](int n) {
    return calls({call_of("browser_take_screenshot", {{"filename", std::to_string(n)}})});
  };
  Played played({take(1), take(2), take(3), done(true)});
  SECTION("which it takes itself") {
    played.model.pictures = true;
    CHECK(played.play().status == RunStatus::completed);
    std::vector<std::size_t> shown;
    for (const auto& message : played.model.asked.at(3).messages) {
      for (const auto& result : message.results) shown.push_back(result.pictures.size());
    }
    CHECK(shown == std::vector<std::size_t>{0, 1, 1});
    CHECK(played.model.asked.at(1).messages.back().results.at(0).pictures.at(0).data == "UElD");
    CHECK(played.model.asked.at(0).tools.back().name == "browser_take_screenshot");
  }
  SECTION("others can't take them") {
    CHECK(played.play().status == RunStatus::error);  // three in a row
    CHECK(played.model.asked.at(0).tools.back().name == "browser_click");
    CHECK_THAT(played.model.asked.at(1).messages.back().results.at(0).text, Contains("not for a run"));
  }
}

TEST_CASE("run: of several pictures that one answer took the last ones are kept", "[agent] [agent.models.pictures]") {
  const auto take = [](int n) { return call_of("browser_take_screenshot", {{"filename", std::to_string(n)}}); };
  Played played({calls({take(1), take(2), take(3)}), done(true)});
  played.model.pictures = true;
  CHECK(played.play().status == RunStatus::completed);
  std::vector<std::size_t> shown;
  for (const auto& result : played.model.asked.at(1).messages.back().results) shown.push_back(result.pictures.size());
  CHECK(shown == std::vector<std::size_t>{0, 1, 1});
}

TEST_CASE("run: a picture that a tool shows is named as what the model gets of it", "[agent] [agent.models.pictures]") {
  Played played({calls({call_of("browser_click")}), done(true)});
  played.tools.always_picture = true;
  played.model.pictures = GENERATE(true, false);
  CHECK(played.play().status == RunStatus::completed);
  const auto& result = played.model.asked.at(1).messages.back().results.at(0);
  CHECK(result.pictures.size() == (played.model.pictures ? 1 : 0));
  CHECK_THAT(result.text, Contains("(a picture"));
  CHECK((result.text.find("can't be shown") == std::string::npos) == played.model.pictures);
}

TEST_CASE("run: each call's tool is looked up once, an alias too", "[agent] [agent.run.calls]") {
  Played played({calls({call_of("press", {{"selector", "e1"}}), call_of("browser_click")}), done(true)});
  CHECK(played.play().status == RunStatus::completed);
  CHECK(played.tools.made.at(1) == "browser_click {\"target\":\"e1\"}");
  CHECK(played.tools.found == 3);  // with the first look at the page
}

TEST_CASE("run: limits end it in an error, with what was reached", "[agent] [agent.run.limits]") {
  const auto click = calls({call_of("browser_click")});
  SECTION("steps, of which the last ones are announced") {
    Played played({click}, {.limits = {.max_steps = 7}});
    const auto result = played.play();
    CHECK(result.status == RunStatus::error);
    CHECK_THAT(result.text, Contains("Step count exceeded maximum limit"));
    CHECK(result.steps == 7);
    CHECK(result.history.size() == 7);
    CHECK_THAT(played.model.last_words(2), Contains("5 steps are left"));
    CHECK_THAT(played.model.last_words(5), Contains("2 steps are left"));
    CHECK(played.model.last_words(3).empty());
  }
  SECTION("tokens") {
    Played played({click}, {.limits = {.max_tokens = 300}});
    const auto result = played.play();
    CHECK(result.status == RunStatus::error);
    CHECK(result.steps == 3);
    CHECK_THAT(result.text, Contains("330 tokens"));
  }
  SECTION("time") {
    Played played({click}, {.limits = {.max_time = 0ms}});
    const auto result = played.play();
    CHECK(result.status == RunStatus::error);
    CHECK_THAT(result.text, Contains("longer than"));
    CHECK(played.model.asked.empty());
  }
  SECTION("time, but for that in which a person had taken over") {
    Played played({click, done(true)}, {.limits = {.max_time = 0ms}});
    played.tools.held = 1h;
    CHECK(played.play().status == RunStatus::completed);
    REQUIRE(played.tools.deadlines.size() == 2);
    CHECK(played.tools.deadlines[0].expired());
    CHECK(played.tools.deadlines[1].remaining() > 59min);
  }
}

TEST_CASE("run: what can't be acted on goes back, three times in a row at most", "[agent] [agent.run.useless]") {
  const ModelAnswer talk{.text = "I think."};
  ModelAnswer broken = calls({call_of("browser_click")});
  broken.calls[0].broken = "its arguments are not JSON: {";
  const auto unknown = calls({call_of("teleport")});
  SECTION("then it is over") {
    Played played({talk, broken, unknown});
    const auto result = played.play();
    CHECK(result.status == RunStatus::error);
    CHECK_THAT(result.text, Contains("3 times in a row"));
    CHECK_THAT(played.model.last_words(1), Contains("no tool call"));
    CHECK_THAT(played.model.asked.at(2).messages.back().results.at(0).text, Contains("not JSON"));
    CHECK(played.tools.made.size() == 1);  // the first look at the page
  }
  SECTION("a good one between them starts anew") {
    Played played({talk, unknown, calls({call_of("browser_click")}), talk, unknown, done(true)});
    CHECK(played.play().status == RunStatus::completed);
    CHECK_THAT(played.model.asked.at(2).messages.back().results.at(0).text, Contains("There is no tool teleport"));
  }
  SECTION("wrong arguments, as the tool's schema has them") {
    const auto wrong = calls({call_of("browser_click", {{"wrong", 1}})});
    Played played({wrong, wrong, wrong, done(true)});
    const auto result = played.play();
    CHECK(result.status == RunStatus::error);
    CHECK_THAT(result.text, Contains("3 times in a row"));
    CHECK_THAT(played.model.asked.at(1).messages.back().results.at(0).text, Contains("no argument wrong"));
    CHECK(result.history.at(0).actions.at(0).is_error);
    Played mixed({wrong, wrong, calls({call_of("browser_click", {{"wrong", 1}}), call_of("browser_click")}), wrong,
                  wrong, done(true)});
    CHECK(mixed.play().status == RunStatus::completed);
  }
  SECTION("done with wrong arguments") {
    Played played({calls({call_of("done", {{"success", "yes"}})}), done(true)});
    CHECK(played.play().status == RunStatus::completed);
    CHECK_THAT(played.model.asked.at(1).messages.back().results.at(0).text, Contains("done needs success"));
  }
}

TEST_CASE("run: circles are pointed out, then end it", "[agent] [agent.run.circles]") {
  Played played({calls({call_of("browser_click", {{"target", "e1"}})})});
  played.tools.same_result = true;
  const auto result = played.play();
  CHECK(result.status == RunStatus::error);
  CHECK(result.steps == 6);
  CHECK_THAT(result.text, Contains("circles"));
  CHECK_THAT(played.model.last_words(3), Contains("the same thing 3 times"));
  Circles circles;
  CHECK(circles.note("a", "{}", "waited 12 ms, 3 items") == 1);
  CHECK(circles.note("a", "{}", "waited 900 ms, 3 items") == 2);
  CHECK(circles.note("a", "{}", "waited 900 ms, 4 items") == 1);
  CHECK(circles.note("b", "{}", "waited 900 ms, 3 items") == 1);
}

TEST_CASE("run: where it may act is told to the model, and goes with each of its calls",
          "[agent] [agent.run.origins]") {
  const std::vector<std::string> allowed{"http://shop.example", "pay.example"};
  Played played({calls({call_of("browser_click"), call_of("browser_snapshot"), call_of("browser_stop")}), done(false)});
  SECTION("some origins") {
    played.task.allowed_origins.emplace(allowed);
    played.play();
    CHECK(played.tools.acted_on == std::vector<std::vector<std::string>>(3, allowed));
    CHECK_THAT(played.model.asked.at(0).messages.at(0).text,
               Contains("You may act on http://shop.example, pay.example alone"));
    CHECK_THAT(played.model.asked.at(1).messages.back().results.at(2).text, Contains("not for a run"));
  }
  SECTION("everywhere") {
    played.play();
    CHECK(played.tools.acted_on == std::vector<std::vector<std::string>>(3));
  }
}

TEST_CASE("run: an abort stops it between two calls and drops a late answer", "[agent] [agent.run.status]") {
  AbortController controller;
  Played played({calls({call_of("browser_click"), call_of("browser_click"), call_of("browser_click")})});
  Run run(played.task, played.model, played.tools, {});
  SECTION("between two calls of one answer") {
    played.tools.on_call = [&] {
      if (played.tools.made.size() == 2) controller.abort(AbortReason::stopped_by_user);
    };
    CHECK_THROWS_AS(run.execute({.signal = controller.signal()}), Aborted);
    CHECK(played.tools.made.size() == 2);
    REQUIRE(run.result().history.size() == 1);
    CHECK(run.result().history.at(0).actions.size() == 1);
  }
  SECTION("while the model thinks") {
    played.model.before_answer = [&] { controller.abort(AbortReason::client_cancelled); };
    CHECK_THROWS_AS(run.execute({.signal = controller.signal()}), Aborted);
    CHECK(played.tools.made.size() == 1);
    CHECK(run.result().steps == 0);
  }
  CHECK(run.state().status() == RunStatus::stopped);
  CHECK(run.result().status == RunStatus::stopped);
}

TEST_CASE("run: its transitions stand in one table", "[agent] [agent.run.status]") {
  using enum RunStatus;
  const std::vector<RunStatus> all{idle, running, completed, error, stopped, disposed};
  for (const auto from : all) {
    for (const auto to : all) {
      const bool ends = to == error || to == stopped || to == disposed;
      const bool expected = (from == idle && (to == running || ends)) || (from == running && (to == completed || ends));
      CHECK(may_become(from, to) == expected);
    }
  }
  const auto before = RunState::invalid_transitions();
  RunState state;
  CHECK_FALSE(state.become(completed));
  CHECK(state.become(running));
  CHECK(state.become(stopped));
  CHECK_FALSE(state.become(completed));
  CHECK(state.status() == stopped);
  CHECK(RunState::invalid_transitions() == before + 2);
  AbortController controller;
  controller.abort(AbortReason::shutdown);
  Played played({done(true)});
  Run run(played.task, played.model, played.tools, {});
  CHECK_THROWS_AS(run.execute({.signal = controller.signal()}), Aborted);
  CHECK(run.state().status() == disposed);
}
