#include <future>

#include "base/errors.h"
#include "browser/page/input/input.h"
#include "browser/page/input/keys.h"
#include "browser/tab/frame_tracker.h"
#include "tests/support/catch.h"
#include "tests/unit/support/fake_tab.h"

using namespace bridle;
using bridle::testing::FakeTab;
using bridle::testing::FakeTransport;

namespace {

constexpr const char* kMouse = "Input.dispatchMouseEvent";
constexpr const char* kKey = "Input.dispatchKeyEvent";

// "mousePressed left 1": what was sent, in order.
std::vector<std::string> inputs(const FakeTab& fake, const char* method) {
  std::vector<std::string> lines;
  for (const auto& command : fake.transport->sent(method)) {
    const auto& params = command.params;
    lines.push_back(params["type"].get<std::string>() + " " +
                    (method == kMouse ? params.value("button", "") : params.value("key", "")) + " " +
                    std::to_string(params.value("modifiers", 0)));
  }
  return lines;
}

std::string refusal(const FakeTab& fake, const char* combination) {
  try {
    press_key({}, *fake.tab, combination);
    return "pressed";
  } catch (const ToolError& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("a byte beyond ASCII where a key's letter stands is no key, and nothing is pressed", "[input]") {
  const FakeTab fake;
  for (const char* name : {"Key\xE9", "Key\xFF", "Digit\xFF", "Shift+Key\x80", "\xE9"}) {
    CAPTURE(name);
    CHECK(refusal(fake, name) != "pressed");
  }
  CHECK(fake.transport->sent(kKey).empty());
  press_key({}, *fake.tab, "\u00e9");  // a character of its own: it comes as text
  CHECK(inputs(fake, kKey).size() == 2);
}

TEST_CASE("a click: move, press, release; a double click counts", "[input]") {
  const FakeTab fake;
  mouse_click({}, *fake.tab, {.x = 3, .y = 4, .count = 2, .modifiers = {"Control", "Shift"}});
  CHECK(inputs(fake, kMouse) == std::vector<std::string>{"mouseMoved none 10", "mousePressed left 10",
                                                         "mouseReleased left 10", "mousePressed left 10",
                                                         "mouseReleased left 10"});
  const auto sent = fake.transport->sent(kMouse);
  CHECK(sent.at(1).params["clickCount"] == 1);
  CHECK(sent.at(3).params["clickCount"] == 2);
  CHECK(sent.at(4).params["x"] == 3.0);
  CHECK(sent.at(4).params["y"] == 4.0);
}

TEST_CASE("an unknown modifier of a click is refused before any input", "[input]") {
  const FakeTab fake;
  CHECK_THROWS_AS(mouse_click({}, *fake.tab, {.modifiers = {"Hyper"}}), ToolError);
  CHECK(inputs(fake, kMouse).empty());
}

TEST_CASE("a click leaves no button down when it is aborted", "[input] [cancel.browser.input]") {
  const FakeTab fake;
  fake.transport->ignore(kMouse);
  AbortController controller;
  CallContext ctx;
  ctx.signal = controller.signal();
  auto click = std::async(std::launch::async, [&] { mouse_click(ctx, *fake.tab, {.x = 3, .y = 4}); });
  REQUIRE(fake.transport->wait_sent(kMouse));
  controller.abort(AbortReason::client_cancelled);
  CHECK_THROWS_AS(click.get(), Aborted);
  int down = 0;
  for (const auto& line : inputs(fake, kMouse))
    down += line.starts_with("mousePressed") ? 1 : line.starts_with("mouseReleased") ? -1 : 0;
  CHECK(down == 0);
}

TEST_CASE("a drag that is aborted halfway releases its button off the page, and moves no further",
          "[input] [cancel.browser.input]") {
  const FakeTab fake;
  AbortController controller;
  CallContext ctx;
  ctx.signal = controller.signal();
  int moves = 0;
  fake.transport->on(kMouse, [&](const auto& command) {
    if (command.params["type"] == "mouseMoved" && ++moves == 4) controller.abort(AbortReason::client_cancelled);
    return std::vector<std::string>{FakeTransport::result(command, Json::object())};
  });
  const auto drag = [&] {
    MouseDrag mouse(*fake.tab);
    mouse.press(ctx, 0, 0);
    mouse.begin(ctx, 100, 0);
    mouse.drop(ctx, 100, 0, "", false);
  };
  CHECK_THROWS_AS(drag(), Aborted);
  const auto sent = fake.transport->sent(kMouse);
  CHECK(moves == 4);
  CHECK(sent.back().params["type"] == "mouseReleased");
  CHECK(sent.back().params["x"] == -1.0);
  CHECK(inputs(fake, kMouse).size() == 6);  // the first move, press, three moves, release
  CHECK(fake.transport->sent("Input.setInterceptDrags").back().params["enabled"] == false);
}

TEST_CASE("a native drag goes on with drag events; one that is aborted is called off", "[input]") {
  const FakeTab fake;
  const Json data{{"items", Json::array()}, {"dragOperationsMask", 1}};
  AbortController controller;
  CallContext ctx;
  ctx.signal = controller.signal();
  const bool aborts = GENERATE(false, true);
  constexpr const char* kDrag = "Input.dispatchDragEvent";
  fake.transport->on(kDrag, [&](const auto& command) {
    if (aborts && command.params["type"] == "dragOver") controller.abort(AbortReason::client_cancelled);
    return std::vector<std::string>{FakeTransport::result(command, Json::object())};
  });
  // Its page can't say when it rests, and says so at once.
  fake.event("Runtime.executionContextCreated", {{"context",
                                                  {{"id", 2},
                                                   {"uniqueId", "WORLD"},
                                                   {"name", FrameTracker::kWorldName},
                                                   {"auxData", {{"frameId", kMain}, {"isDefault", false}}}}}});
  fake.transport->on("Runtime.evaluate", [](const auto& command) {
    return std::vector<std::string>{FakeTransport::error(command, -32000, "Internal error")};
  });
  const auto drag = [&] {
    MouseDrag mouse(*fake.tab);
    mouse.press(ctx, 10, 10);
    mouse.begin(ctx, 100, 10);
    fake.event("Input.dragIntercepted", {{"data", data}});
    mouse.take_native(ctx);
    mouse.drop(ctx, 100, 10, "", false);
  };
  if (aborts) {
    CHECK_THROWS_AS(drag(), Aborted);
  } else {
    drag();
  }
  std::vector<std::string> types;
  for (const auto& command : fake.transport->sent(kDrag)) {
    types.push_back(command.params["type"]);
    CHECK(command.params["data"] == data);
  }
  CHECK(types == (aborts ? std::vector<std::string>{"dragEnter", "dragOver", "dragCancel"}
                         : std::vector<std::string>{"dragEnter", "dragOver", "dragOver", "dragOver", "drop"}));
  // The drop is the release: a page sees no mouse event of a native drag.
  CHECK(fake.transport->sent(kMouse).back().params["type"] == (aborts ? "mouseReleased" : "mouseMoved"));
  CHECK(fake.transport->sent("Input.setInterceptDrags").back().params["enabled"] == false);
  CHECK(fake.clean());
}

TEST_CASE("keys go down in order and up in reverse; shortcuts type nothing", "[input]") {
  const FakeTab fake;
  press_key({}, *fake.tab, "Control+Shift+T");
  CHECK(inputs(fake, kKey) == std::vector<std::string>{"rawKeyDown Control 2", "rawKeyDown Shift 10", "rawKeyDown T 10",
                                                       "keyUp T 10", "keyUp Shift 2", "keyUp Control 0"});
  for (const auto& command : fake.transport->sent(kKey)) CHECK_FALSE(command.params.contains("text"));
}

TEST_CASE("a plain key types its character; Enter its line end", "[input]") {
  const FakeTab fake;
  press_key({}, *fake.tab, "a");
  press_key({}, *fake.tab, "Enter");
  press_key({}, *fake.tab, "Control++");
  const auto sent = fake.transport->sent(kKey);
  CHECK(sent.at(0).params["text"] == "a");
  CHECK(sent.at(0).params["code"] == "KeyA");
  CHECK(sent.at(2).params["text"] == "\r");
  CHECK(sent.at(5).params["key"] == "+");
}

TEST_CASE("what is no key is refused before any input, with examples", "[input] [tool.keys]") {
  const FakeTab fake;
  for (const char* combination : {"", "Nonsense", "Control+Nonsense", "Control+", "a+b", "F25", "F0", "++", "KeyÄ"}) {
    CAPTURE(combination);
    CHECK(refusal(fake, combination) != "pressed");
  }
  CHECK_THAT(refusal(fake, "Nonsense"), matchers::Contains("\"Nonsense\" is not a key") && matchers::Contains("Enter"));
  CHECK_THAT(refusal(fake, "a+b"), matchers::Contains("not a modifier"));
  CHECK(inputs(fake, kKey).empty());
  for (const char* key : {"F1", "F24", "Space", "ArrowLeft", "é", "日", "+", "KeyA", "Digit7", "ControlOrMeta+a"}) {
    CAPTURE(key);
    CHECK(refusal(fake, key) == "pressed");
  }
}

TEST_CASE("a key has all the names that people have for it", "[input] [tool.keys.names]") {
  const auto names = [](const char* key, const char* code, std::initializer_list<const char*> all) {
    for (const char* name : all) {
      CAPTURE(name);
      const auto found = find_key(name);
      REQUIRE(found);
      CHECK(found->key == key);
      CHECK(found->code == code);
    }
  };
  names("Enter", "Enter", {"Enter", "enter", "Return", "RETURN", "\n"});
  names("Enter", "NumpadEnter", {"NumpadEnter", "KP_Enter"});
  names("Escape", "Escape", {"Esc", "esc", "escape"});
  names("Delete", "Delete", {"Del", "delete"});
  names("ArrowUp", "ArrowUp", {"Up", "arrow_up", "UpArrow", "Arrow Up"});
  names("PageDown", "PageDown", {"PgDn", "Page_Down", "pagedown"});
  names("Backspace", "Backspace", {"BackSpace", "backspace"});
  names("Control", "ControlLeft", {"Ctrl", "ctrl", "Control", "ControlOrMeta", "Cmd", "Command"});
  names("Control", "ControlRight", {"ControlRight"});
  names("Meta", "MetaLeft", {"Meta", "Win", "super"});
  names("Alt", "AltLeft", {"alt", "Option"});
  names("AltGraph", "AltRight", {"AltGraph", "AltGr"});
  names(" ", "Space", {" ", "Space", "space", "Spacebar"});
  names("5", "Numpad5", {"Numpad5", "KP_5"});
  names("+", "Equal", {"+", "Plus"});
  names("-", "Minus", {"-", "Minus"});
  names("F12", "F12", {"F12", "f12"});
  names("a", "KeyA", {"a", "KeyA"});
  names("A", "KeyA", {"A"});
  for (const char* none : {"", "__", "F25", "Key", "Numpad10", "hello", "Digit"}) {
    CAPTURE(none);
    CHECK_FALSE(find_key(none));
  }
}

TEST_CASE("Shift has its effect on the key that is pressed with it", "[input] [tool.keys.names]") {
  const auto last = [](const char* combination) { return keys_of_combination(combination).back(); };
  CHECK(last("Shift+a").text == "A");
  CHECK(last("shift+1").key == "!");
  CHECK(last("Shift+/").text == "?");
  CHECK(last("Ctrl+Shift+t").key == "T");
  CHECK(last("Shift+Numpad5").key == "5");
  CHECK(last("Shift+Tab").key == "Tab");
  CHECK(last("Alt+a").key == "a");
}

TEST_CASE("an abort in the middle of a combination releases what is down and presses nothing more",
          "[input] [cancel.browser.input]") {
  const FakeTab fake;
  AbortController controller;
  CallContext ctx;
  ctx.signal = controller.signal();
  int events = 0;
  fake.transport->on(kKey, [&](const auto& command) {
    if (++events == 2) controller.abort(AbortReason::client_cancelled);
    return std::vector<std::string>{FakeTransport::result(command, Json::object())};
  });
  CHECK_THROWS_AS(press_key(ctx, *fake.tab, "Control+Shift+a"), Aborted);
  CHECK(inputs(fake, kKey) ==
        std::vector<std::string>{"rawKeyDown Control 2", "rawKeyDown Shift 10", "keyUp Shift 2", "keyUp Control 0"});
}

TEST_CASE("typing slowly stops in the middle", "[input] [cancel.browser.typing]") {
  const FakeTab fake;
  AbortController controller;
  CallContext ctx;
  ctx.signal = controller.signal();
  int events = 0;
  fake.transport->on(kKey, [&](const auto& command) {
    if (++events == 5) controller.abort(AbortReason::client_cancelled);  // the third character's key goes down
    return std::vector<std::string>{FakeTransport::result(command, Json::object())};
  });
  CHECK_THROWS_AS(type_slowly(ctx, *fake.tab, "abcdef"), Aborted);
  CHECK(inputs(fake, kKey) ==
        std::vector<std::string>{"keyDown a 0", "keyUp a 0", "keyDown b 0", "keyUp b 0", "keyDown c 0", "keyUp c 0"});
}

TEST_CASE("characters without a key come as text, whole", "[input]") {
  const FakeTab fake;
  type_slowly({}, *fake.tab, "aß🎉");
  CHECK(inputs(fake, kKey).size() == 2);
  const auto inserted = fake.transport->sent("Input.insertText");
  REQUIRE(inserted.size() == 2);
  CHECK(inserted[0].params["text"] == "ß");
  CHECK(inserted[1].params["text"] == "🎉");
}
