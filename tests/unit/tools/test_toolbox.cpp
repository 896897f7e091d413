// Sets of tools, and other servers' names for ours.

#include "tests/support/catch.h"
#include "tools/contract/tool.h"

using namespace bridle;

namespace {

struct ScopeOf : ToolScope {
  explicit ScopeOf(std::string its) : set(std::move(its)) {}
  Json tabs() const override { return Json::array(); }
  bool has_set(const std::string& name) const override { return name == set; }
  std::string set;
};

Toolbox box() {
  Toolbox box;
  box.add({.name = "plain", .input_schema = {{"type", "object"}}});
  box.add({.name = "mouse", .set = "vision", .input_schema = {{"type", "object"}}});
  box.add(ToolAlias{.name = "mouse_drag",
                    .tool = "mouse",
                    .fixed = {{"action", "drag"}},
                    .renamed = {{"startX", "x"}, {"startY", "y"}}});
  return box;
}

}  // namespace

TEST_CASE("toolbox: an alias is the tool with its arguments renamed and its own ones fixed", "[tool.accepted-names]") {
  const Toolbox tools = box();
  Json arguments{{"startX", 1}, {"startY", 2}, {"endX", 3}, {"action", "click"}};
  CHECK(tools.resolve("mouse_drag", &arguments) == tools.find("mouse"));
  CHECK(arguments == Json{{"x", 1}, {"y", 2}, {"endX", 3}, {"action", "drag"}});
  CHECK(tools.find("mouse_drag") == nullptr);
  CHECK(tools.resolve("mouse_drop") == nullptr);
  Json own{{"startX", 1}};
  CHECK(tools.resolve("mouse", &own) == tools.find("mouse"));
  CHECK(own == Json{{"startX", 1}});
  Toolbox more = box();
  CHECK_THROWS_AS(more.add(ToolAlias{.name = "plain", .tool = "mouse"}), std::logic_error);
  CHECK_THROWS_AS(more.add(ToolAlias{.name = "other", .tool = "nothing"}), std::logic_error);
}

TEST_CASE("a call's wait for a person who has taken over takes nothing of its time",
          "[panel.take-over] [agent.run.limits]") {
  const auto scope = std::make_shared<ScopeOf>("");
  ToolContext context{.scope = scope, .acts = true};
  context.call.deadline = Deadline::after(Millis(0));
  const auto before = context.call.deadline;
  SECTION("nobody has") {
    context.wait_for_person();
    CHECK(context.call.deadline.when() == before.when());
  }
  SECTION("somebody has, and hands back") {
    REQUIRE(scope->hold().take("one"));
    // Hands back once it is told that the call waits, and not before.
    struct Person : CallObserver {
      explicit Person(UserHold& its) : hold(its) {}
      void on_tab(std::string_view) override {}
      void on_running() override {}
      void on_held(bool held) override {
        if (held) hold.hand_back("one");
      }
      UserHold& hold;
    } person(scope->hold());
    context.observer = &person;
    context.wait_for_person();
    CHECK(context.call.deadline.when() > before.when());
  }
}

TEST_CASE("toolbox: a tool of a set is listed to who has the set", "[tool.sets]") {
  Toolbox tools = box();
  const ToolSpec& mouse = *tools.find("mouse");
  const ScopeOf has("vision"), has_not("pdf");
  CHECK(tools.lists(*tools.find("plain"), nullptr));
  CHECK(tools.lists(mouse, &has));
  CHECK_FALSE(tools.lists(mouse, &has_not));
  CHECK_FALSE(tools.lists(mouse, nullptr));
  tools.sets = {"vision"};
  CHECK(tools.lists(mouse, nullptr));
}
