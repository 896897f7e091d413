#include "browser/page/input/held_input.h"

#include <algorithm>
#include <exception>

#include "base/text/log.h"
#include "browser/page/input/mouse_events.h"
#include "browser/page/world/world.h"

namespace bridle {
namespace {

constexpr const char* kButtonInput = "Input.dispatchMouseEvent";
constexpr const char* kKeyboardInput = "Input.dispatchKeyEvent";
constexpr const char* kHeld = "input";  // among the tab's extras
constexpr Millis kReleased{500};        // a page that can answers within a frame or two

// One key of the keyboard, whatever it types at the moment.
std::string physical_key(const Json& key) {
  const auto code = key.value("code", "");
  return code.empty() ? key.value("key", "") : code;
}

int modifier_bit(const Json& key) {
  const auto name = key.value("key", "");
  return name == "Alt" ? 1 : name == "Control" ? 2 : name == "Meta" ? 4 : name == "Shift" ? 8 : 0;
}

int modifiers_held(const std::vector<Json>& keys) {
  int bits = 0;
  for (const Json& key : keys) bits |= modifier_bit(key);
  return bits;
}

// The page's script stops the click that the browser makes of a release. It is there from each document's start, but
// not in frames of other processes, and not where the page has opened its document anew.
void watch_releases(Tab& tab) {
  auto frames = tab.frames_below_main();
  frames.emplace_back();
  for (const auto& frame : frames) {
    const auto command = page_command(tab, page_expression(page::WatchReleases{}), frame);
    if (!command.params.is_null()) tab.post("Runtime.evaluate", command.params, command.session);
  }
}

}  // namespace

void HeldInput::note(const std::vector<Tab::Command>& commands) {
  const MutexLock lock(mutex_);
  for (const auto& [method, params] : commands) {
    const auto type = params.value("type", "");
    if (method == kKeyboardInput) {
      const auto name = physical_key(params);
      std::erase_if(keys_, [&](const Json& key) { return physical_key(key) == name; });
      if (type != "keyUp") keys_.push_back(params);
    } else if (method == kButtonInput) {
      x_ = params.value("x", x_);
      y_ = params.value("y", y_);
      const auto button = params.value("button", "none");
      if (type != "mousePressed" && type != "mouseReleased") continue;
      std::erase(buttons_, button);
      if (type == "mousePressed" && button != "none") buttons_.push_back(button);
    }
  }
}

std::vector<Tab::Command> HeldInput::take() {
  const MutexLock lock(mutex_);
  std::vector<Tab::Command> commands;
  // Without a drag of the browser's own this does nothing; with one the release would be a drop.
  if (!buttons_.empty()) commands.push_back({"Input.cancelDragging", Json::object()});
  for (const auto& button : buttons_)
    commands.push_back({kButtonInput, mouse_let_go(x_, y_, button, modifiers_held(keys_))});
  buttons_.clear();
  while (!keys_.empty()) {
    Json key = std::move(keys_.back());
    keys_.pop_back();
    for (const char* only_pressed : {"text", "unmodifiedText", "autoRepeat"}) key.erase(only_pressed);
    key["type"] = "keyUp";
    key["modifiers"] = modifiers_held(keys_);
    commands.push_back({kKeyboardInput, std::move(key)});
  }
  return commands;
}

std::shared_ptr<HeldInput> held_input(Tab& tab) {
  auto held = std::static_pointer_cast<HeldInput>(tab.extras().find(kHeld));
  if (held) return held;
  held = std::make_shared<HeldInput>();
  tab.extras().keep(kHeld, held);
  return held;
}

void send_held_input(const CallContext& ctx, Tab& tab, const std::vector<Tab::Command>& commands) {
  const bool presses = std::any_of(commands.begin(), commands.end(), [](const Tab::Command& one) {
    return one.params.value("type", "") == "mousePressed";
  });
  if (presses) watch_releases(tab);
  held_input(tab)->note(commands);
  for (const auto& [method, params] : commands) {
    if (method != kButtonInput) continue;
    tab.pointer().x = params.value("x", tab.pointer().x);
    tab.pointer().y = params.value("y", tab.pointer().y);
  }
  tab.call_all(ctx, commands);
}

void release_held_input(Tab& tab) {
  try {
    const auto held = std::static_pointer_cast<HeldInput>(tab.extras().find(kHeld));
    const auto commands = held ? held->take() : std::vector<Tab::Command>();
    if (!commands.empty()) tab.call_all({}, commands, Tab::Sends::even_aborted, kReleased);
  } catch (const std::exception& error) {
    spdlog::debug("what the user held down in tab {} was released unheard: {}", tab.label(), error.what());
  }
}

}  // namespace bridle
