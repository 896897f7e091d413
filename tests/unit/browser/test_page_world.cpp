// How the page script gets into each document: by the browser, and by us where it is missing nevertheless.
#include <mutex>
#include <optional>
#include <set>

#include "browser/page/script_stack.h"
#include "browser/page/world/page_script.h"
#include "browser/page/world/world.h"
#include "browser/tab/frame_tracker.h"
#include "tests/support/catch.h"
#include "tests/unit/support/fake_tab.h"

using namespace bridle;
using namespace bridle::testing;
using matchers::Contains;

namespace {

// The part of a renderer that matters here. Its functions run wherever the command is sent.
class Renderer {
 public:
  explicit Renderer(FakeTab& fake) : fake_(fake) {
    fake.transport->on("Runtime.evaluate", [this](const FakeTransport::Command& command) { return evaluate(command); });
  }

  // A new document, with our isolated world in it.
  // `scripted`: the script that every new document is given ran in it.
  void new_document(int context_id, const std::string& unique_id, bool scripted) {
    if (scripted) {
      const std::lock_guard lock(mutex_);
      scripted_.insert(unique_id);
    }
    fake_.event("Runtime.executionContextsCleared", Json::object());
    fake_.event("Runtime.executionContextCreated", {{"context",
                                                     {{"id", context_id},
                                                      {"uniqueId", unique_id},
                                                      {"name", FrameTracker::kWorldName},
                                                      {"auxData", {{"frameId", kMain}, {"isDefault", false}}}}}});
    REQUIRE(fake_.transport->drain());
  }
  // From now on the page script does nothing at all.
  void break_script() {
    const std::lock_guard lock(mutex_);
    broken_ = true;
  }
  int whole_texts() const {
    const std::lock_guard lock(mutex_);
    return whole_texts_;
  }
  int calls() const {
    const std::lock_guard lock(mutex_);
    return calls_;
  }

 private:
  static std::vector<std::string> replies(std::string one) { return {std::move(one)}; }

  std::vector<std::string> evaluate(const FakeTransport::Command& command) {
    const std::lock_guard lock(mutex_);
    const auto expression = command.params.value("expression", "");
    const auto world = command.params.value("uniqueContextId", "");
    if (expression == bridle_page_script()) {
      ++whole_texts_;
      if (!broken_) scripted_.insert(world);
      return replies(FakeTransport::result(command, {{"result", {{"type", "undefined"}}}}));
    }
    if (!expression.starts_with("__bridle.")) {
      return replies(FakeTransport::result(command, {{"result", {{"type", "number"}, {"value", 0}}}}));
    }
    if (!scripted_.contains(world)) {
      return replies(FakeTransport::result(
          command,
          {{"result", {{"type", "object"}}},
           {"exceptionDetails",
            {{"text", "Uncaught"},
             {"exception", {{"description", "ReferenceError: __bridle is not defined\n    at <anonymous>:1:1"}}}}}}));
    }
    ++calls_;
    return replies(FakeTransport::result(command, {{"result", {{"type", "object"}, {"value", {{"ok", true}}}}}}));
  }

  FakeTab& fake_;
  mutable std::mutex mutex_;
  std::set<std::string> scripted_;
  int whole_texts_ = 0;
  int calls_ = 0;
  bool broken_ = false;
};

bool page_answers(FakeTab& fake) { return page_call({}, *fake.tab, "", page::Stats{}).ok; }

}  // namespace

TEST_CASE("every document of the tab is given the script before its own; nothing is put again",
          "[page_world] [nav.origin.pinned]") {
  FakeTab fake;
  Renderer renderer(fake);
  const auto given = fake.transport->sent("Page.addScriptToEvaluateOnNewDocument");
  REQUIRE(given.size() == 1);
  CHECK(given[0].params["source"] == bridle_page_script());
  CHECK(given[0].params["worldName"] == FrameTracker::kWorldName);
  for (int document = 1; document <= 3; ++document) {
    renderer.new_document(document, "W" + std::to_string(document), true);
    prepare_page(*fake.tab);
    CHECK(page_answers(fake));
    CHECK(page_answers(fake));
  }
  CHECK(renderer.whole_texts() == 0);
  CHECK(renderer.calls() == 6);
}

TEST_CASE("a document that has no script gets it, and the call is repeated", "[page_world]") {
  FakeTab fake;
  Renderer renderer(fake);
  renderer.new_document(1, "W1", false);
  CHECK(page_answers(fake));
  CHECK(renderer.whole_texts() == 1);
  CHECK(renderer.calls() == 1);
  CHECK(page_answers(fake));
  CHECK(renderer.whole_texts() == 1);
}

TEST_CASE("for commands that others send, a missing script is put before the next", "[page_world]") {
  FakeTab fake;
  Renderer renderer(fake);
  renderer.new_document(1, "W1", false);
  CHECK_FALSE(page_command(*fake.tab, page_expression(page::Frames{})).params.is_null());
  CHECK(renderer.whole_texts() == 0);
  forget_page_script(*fake.tab);
  CHECK_FALSE(page_command(*fake.tab, page_expression(page::Frames{})).params.is_null());
  REQUIRE(eventually([&] { return renderer.whole_texts() == 1; }));
  CHECK(page_answers(fake));
  CHECK(renderer.whole_texts() == 1);
}

TEST_CASE("frames of another process get it when they are looked into", "[page_world]") {
  FakeTab fake;
  Renderer renderer(fake);
  renderer.new_document(1, "W1", true);
  fake.event(
      "Target.attachedToTarget",
      {{"sessionId", "CHILD"}, {"targetInfo", {{"type", "iframe"}, {"targetId", "F1"}, {"parentFrameId", kMain}}}});
  fake.event("Runtime.executionContextCreated",
             {{"context",
               {{"id", 1},
                {"uniqueId", "WF"},
                {"name", FrameTracker::kWorldName},
                {"auxData", {{"frameId", "F1"}, {"isDefault", false}}}}}},
             "CHILD");
  REQUIRE(fake.transport->drain());
  const auto given = fake.transport->sent("Page.addScriptToEvaluateOnNewDocument");
  REQUIRE(given.size() == 2);
  CHECK(given[1].params["source"] == "");
  CHECK(renderer.whole_texts() == 0);
  CHECK(page_call({}, *fake.tab, "F1", page::Stats{}).ok);
  CHECK(renderer.whole_texts() == 1);
}

TEST_CASE("a script that can't be put is an error, and no endless repetition", "[page_world]") {
  FakeTab fake;
  Renderer renderer(fake);
  renderer.break_script();
  renderer.new_document(1, "W1", false);
  CHECK_THROWS_WITH(page_answers(fake), Contains("page script"));
  CHECK(renderer.whole_texts() == 1);
}

TEST_CASE("a command for others to send names a missing script by its reply", "[page_world]") {
  const FakeTransport::Command command{.id = 1};
  const Json missing{
      {"exceptionDetails", {{"exception", {{"description", "ReferenceError: __bridle is not defined"}}}}}};
  const Json other{{"exceptionDetails", {{"exception", {{"description", "TypeError: no"}}}}}};
  CHECK(names_missing_script({CdpReply::Kind::result, FakeTransport::result(command, missing)}));
  CHECK_FALSE(names_missing_script({CdpReply::Kind::result, FakeTransport::result(command, other)}));
  CHECK_FALSE(names_missing_script({CdpReply::Kind::result, FakeTransport::result(command, Json::object())}));
  CHECK_FALSE(names_missing_script({CdpReply::Kind::error, FakeTransport::error(command, -1, "exceptionDetails")}));
  CHECK_FALSE(names_missing_script({CdpReply::Kind::closed, "gone"}));
}

// [cancel.browser.page-function]
TEST_CASE("a page function has a bounded time of its own in the renderer, and its end there is told",
          "[page_world] [cancel.browser.page-function]") {
  FakeTab fake;
  Renderer renderer(fake);
  renderer.new_document(1, "W1", true);
  CHECK(page_answers(fake));
  for (const auto& command : fake.transport->sent("Runtime.evaluate")) {
    if (!command.params.value("expression", "").starts_with("__bridle.")) continue;
    CHECK(command.params.value("timeout", 0) > 0);
    CHECK(command.params.value("timeout", 0) < limits::kCdpCommand.count());
  }
  fake.transport->on("Runtime.evaluate", [](const FakeTransport::Command& command) -> std::vector<std::string> {
    if (!command.params.value("expression", "").starts_with("__bridle."))
      return {FakeTransport::result(command, Json::object())};
    return {FakeTransport::error(command, -32000, "Execution was terminated")};
  });
  CHECK_THROWS_WITH(page_answers(fake), Contains("stats") && Contains("was ended") && Contains("a smaller part"));
  CHECK_THROWS_WITH(page_call({}, *fake.tab, "", page::Find{.ref_start = 1, .regex = "(a+)+$"}),
                    Contains("find") && Contains("regular expression"));
}

namespace {

// A page that never answers a page function; `reached`: it has come to it, `hears`: it still takes other commands.
struct DeafPage {
  FakeTab fake;
  // `strikes`: the termination that hits our script; those before it hit the page's own.
  explicit DeafPage(bool reached, bool hears, int strikes = 1) {
    Renderer(fake).new_document(1, "W1", true);
    struct State {
      int left;
      std::optional<FakeTransport::Command> cancel{};
    };
    const auto state = std::make_shared<State>(State{strikes});
    fake.transport->on("Runtime.evaluate", [=](const FakeTransport::Command& command) -> std::vector<std::string> {
      const auto expression = command.params.value("expression", "");
      const bool cancel = expression.starts_with("__bridle.call(\"cancel\"");
      if (cancel && !hears) state->cancel = command;
      const bool free = state->left == 0;
      if (cancel ? hears : expression == "0" && (reached || free))
        return {FakeTransport::result(command, Json::object())};
      return {};
    });
    fake.transport->on("Runtime.terminateExecution",
                       [=](const FakeTransport::Command& command) -> std::vector<std::string> {
                         std::vector<std::string> replies{FakeTransport::result(command, Json::object())};
                         if (--state->left == 0 && state->cancel)
                           replies.push_back(FakeTransport::result(*state->cancel, Json::object()));
                         return replies;
                       });
  }
  // Aborts a call of the function once it was sent; how many terminations that took. On a busy machine one more may be
  // sent before the answer is seen.
  template <typename Function>
  std::size_t terminations_of_abort(const Function& function) const {
    AbortController controller;
    CallContext ctx;
    ctx.signal = controller.signal();
    const auto sent = fake.transport->sent("Runtime.evaluate").size();
    auto call = std::async(std::launch::async, [&] { page_call(ctx, *fake.tab, "", function); });
    REQUIRE(eventually([&] {
      const auto commands = fake.transport->sent("Runtime.evaluate");
      return std::any_of(commands.begin() + static_cast<std::ptrdiff_t>(sent), commands.end(), [](const auto& command) {
        return command.params.value("expression", "").starts_with("__bridle.");
      });
    }));
    REQUIRE(fake.transport->drain());
    controller.abort(AbortReason::client_cancelled);
    CHECK_THROWS_AS(call.get(), Aborted);
    return fake.transport->sent("Runtime.terminateExecution").size();
  }
};

}  // namespace

TEST_CASE("an abort terminates what a regular expression keeps busy, and nothing else",
          "[page_world] [cancel.browser.page-function]") {
  const page::Find pattern{.ref_start = 1, .regex = "(a+)+$"};
  const page::Describe target{.target = "role=button[name=/(a+)+$/]"};
  SECTION("the renderer has come to it and hears nothing any more") {
    CHECK(DeafPage(true, false).terminations_of_abort(pattern) >= 1);
    CHECK(DeafPage(true, false).terminations_of_abort(target) >= 1);
  }
  SECTION("a script of the page's own was hit in its place") {
    CHECK(DeafPage(true, false, 3).terminations_of_abort(pattern) >= 3);
  }
  SECTION("it waits, and hears that it is cancelled") {
    CHECK(DeafPage(true, true).terminations_of_abort(pattern) == 0);
  }
  SECTION("the page is busy with its own scripts, before ours") {
    CHECK(DeafPage(false, false).terminations_of_abort(pattern) == 0);
  }
  SECTION("no regular expression") {
    CHECK(DeafPage(true, false).terminations_of_abort(page::Find{.ref_start = 1, .text = "(a+)+$"}) == 0);
    CHECK(DeafPage(true, false).terminations_of_abort(page::Describe{.target = "a[href='/x']"}) == 0);
  }
}

namespace {

constexpr const char* kFormBegin = "function(element){const $f=(";
constexpr const char* kFormEnd = "\n);this.result=$f()}";

std::string stack_told(const std::string& words, const std::string& source) {
  return own_stack(words, kFormBegin + source + kFormEnd, source);
}

}  // namespace

TEST_CASE("a script's stack has the places in the script alone", "[script] [tool.evaluate.stack]") {
  // Chromium counts a parenthesis of its own in front of the 28 characters.
  CHECK(stack_told("Error: own\n    at deep (<anonymous>:1:40)\n    at Object.$f [as run] (<anonymous>:1:50)\n"
                   "    at Object.<anonymous> (<anonymous>:2:9)",
                   "() => deep()") == "Error: own\n    at deep (<anonymous>:1:11)\n    at <anonymous>:1:21");
  CHECK(stack_told("Error: own\n    at Object.mine [as run] (<anonymous>:2:5)\n    at async <anonymous>:4:9",
                   "function mine() {\n}\n") == "Error: own\n    at mine (<anonymous>:2:5)");
  CHECK(stack_told("Error: the page's\n    at http://a.test/x.js:1:2\n    at Object.<anonymous> (<anonymous>:1:12)",
                   "f") == "Error: the page's\n    at http://a.test/x.js:1:2");
  CHECK(stack_told("Error: own\n    at Object.run (<anonymous>:1:40)", "throw 1") ==
        "Error: own\n    at <anonymous>:1:11");
  CHECK(stack_told("Error: text\n    at <anonymous>:x", "f") == "Error: text\n    at <anonymous>:x");
  constexpr const char* kInEval = "Error: text\n    at eval (eval at run (http://a.test/x.js:1:2), <anonymous>:12:3)";
  CHECK(stack_told(kInEval, "f") == kInEval);
  CHECK(own_stack("Error: own\n    at <anonymous>:1:2", "", "f") == "Error: own\n    at <anonymous>:1:2");
}
