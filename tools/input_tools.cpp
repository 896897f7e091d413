#include <spdlog/fmt/fmt.h>

#include "browser/element.h"
#include "browser/input.h"
#include "tools/browser_tools.h"
#include "tools/page_call.h"
#include "tools/schema.h"

namespace bridle {
namespace {

const PageToolOptions kActs{.mutates = true};

ReadyElement find_ready(PageCall& call, const std::string& target, const char* kind) {
  auto element =
      ready_element(call.ctx(), call.tab(), call.scope().refs(), target, kind, call.settings().action_timeout);
  if (element.matches > 1) {
    call.response.result(
        fmt::format("{} matched {} elements; the first visible one was taken.", target, element.matches));
  }
  return element;
}

void click_tool(PageCall& call, const Json& args) {
  MouseClick click;
  click.button = string_arg(args, "button", "left");
  click.count = args.value("doubleClick", false) ? 2 : 1;
  if (const auto modifiers = args.find("modifiers"); modifiers != args.end()) {
    click.modifiers = modifiers->get<std::vector<std::string>>();
  }
  const auto element = find_ready(call, target_arg(args), "click");
  call.begin_action();
  click.x = element.x;
  click.y = element.y;
  const auto words = fmt::format("{} {}", click.count == 2 ? "double-clicked" : "clicked", element.describe);
  call.did(words);
  mouse_click(call.ctx(), call.tab(), click);
  call.response.result(words);
  call.finish_action();
}

void type_tool(PageCall& call, const Json& args) {
  const auto target = target_arg(args);
  const auto text = string_arg(args, "text");
  const auto element = find_ready(call, target, "type");
  call.begin_action();
  const std::string named = element.ref.empty() ? target : element.ref;
  // The value may be a secret: it is never repeated.
  if (args.value("slowly", false)) {
    element_call(call.ctx(), call.tab(), element.frame, "focusForTyping", {{"target", named}, {"clear", true}});
    call.if_cancelled("typed part of a text into " + element.describe);
    type_slowly(call.ctx(), call.tab(), text);
  } else {
    call.if_cancelled("may have typed into " + element.describe);
    element_call(call.ctx(), call.tab(), element.frame, "fill", {{"target", named}, {"text", text}});
  }
  call.if_cancelled("");
  call.did("typed into " + element.describe);
  call.response.result("typed into " + element.describe);
  if (args.value("submit", false)) {
    call.did("pressed Enter");
    press_key(call.ctx(), call.tab(), "Enter");
    call.response.result("pressed Enter");
  }
  call.finish_action();
}

void press_key_tool(PageCall& call, const Json& args) {
  const auto key = string_arg(args, "key");
  call.begin_action();
  call.did("pressed " + key);
  press_key(call.ctx(), call.tab(), key);
  call.response.result("pressed " + key);
  call.finish_action();
}

}  // namespace

void add_input_tools(Toolbox& toolbox) {
  toolbox.add({.name = "browser_click",
               .title = "Click",
               .description = "Click an element once it is visible, still, enabled and uncovered. Waits for what the "
                              "click causes; returns what changed.",
               .input_schema = schema::object(
                   {schema::target(),
                    schema::element(),
                    {"doubleClick", schema::boolean("Double click")},
                    {"button", schema::choice({"left", "right", "middle"})},
                    {"modifiers", schema::list(schema::choice({"Alt", "Control", "ControlOrMeta", "Meta", "Shift"}))},
                    schema::tab()}),
               .destructive = true,
               .queues = true,
               .handler = page_tool("browser_click", kActs, click_tool)});
  toolbox.add({.name = "browser_type",
               .title = "Type text",
               .description = "Fill an editable element with text, replacing what is there.",
               .input_schema = schema::object({schema::target(),
                                               schema::element(),
                                               {"text", schema::text("The text"), true},
                                               {"submit", schema::boolean("Press Enter afterwards")},
                                               {"slowly", schema::boolean("Key by key, for pages that listen to keys")},
                                               schema::tab()}),
               .destructive = true,
               .queues = true,
               .handler = page_tool("browser_type", kActs, type_tool)});
  toolbox.add({.name = "browser_press_key",
               .title = "Press a key",
               .description = "Press a key or a combination on what has the focus.",
               .input_schema =
                   schema::object({{"key", schema::text("a, Enter, ArrowDown, Control+A, ..."), true}, schema::tab()}),
               .destructive = true,
               .queues = true,
               .handler = page_tool("browser_press_key", kActs, press_key_tool)});
}

}  // namespace bridle
