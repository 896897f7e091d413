#include "tools/panel/hand_input.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "base/errors.h"
#include "base/limits.h"
#include "base/text/text.h"

namespace bridle {
namespace {

constexpr double kFarthest = 1e6;  // CSS px
constexpr int kMostModifiers = 15;
constexpr std::size_t kLongestText = 100'000;  // bytes
constexpr int kShortcut = 1 | 2 | 4;           // alt, ctrl, meta: with one of them a key types nothing

double number_of(const Json& event, const char* name) {
  const auto found = event.find(name);
  if (found == event.end()) return 0;
  const bool fits = found->is_number() && std::abs(found->get<double>()) <= kFarthest;
  if (!fits) throw ToolError(std::string(name) + " must be a number");
  return found->get<double>();
}

int modifiers_of(const Json& event) {
  const double given = number_of(event, "modifiers");
  if (given < 0 || given > kMostModifiers) throw ToolError("modifiers must be 0 to 15");
  return static_cast<int>(given);
}

Tab::Command mouse_command(const Json& event, const std::string& type) {
  const auto button = event.contains("button") ? string_in(event, "button") : std::string("none");
  static constexpr std::array kButtons{"none", "left", "middle", "right", "back", "forward"};
  if (std::find(kButtons.begin(), kButtons.end(), button) == kButtons.end())
    throw ToolError("button must be left, middle, right, back, forward or none");
  Json params = {{"type", type == "move"   ? "mouseMoved"
                          : type == "down" ? "mousePressed"
                                           : "mouseReleased"},
                 {"x", number_of(event, "x")},
                 {"y", number_of(event, "y")},
                 {"button", button},
                 {"buttons", static_cast<int>(number_of(event, "buttons"))},
                 {"modifiers", modifiers_of(event)}};
  if (type != "move") params["clickCount"] = std::clamp(static_cast<int>(number_of(event, "clicks")), 1, 3);
  return {"Input.dispatchMouseEvent", std::move(params)};
}

Tab::Command wheel_command(const Json& event) {
  return {"Input.dispatchMouseEvent",
          {{"type", "mouseWheel"},
           {"x", number_of(event, "x")},
           {"y", number_of(event, "y")},
           {"deltaX", number_of(event, "dx")},
           {"deltaY", number_of(event, "dy")},
           {"modifiers", modifiers_of(event)}}};
}

// The code by which Windows knows a key, as CDP wants it; 0: none that matters.
int virtual_key(const std::string& key, const std::string& code) {
  static constexpr std::array<std::pair<std::string_view, int>, 23> kNamed{
      {{"Backspace", 8}, {"Tab", 9},          {"Enter", 13},     {"Shift", 16},  {"Control", 17},
       {"Alt", 18},      {"Pause", 19},       {"CapsLock", 20},  {"Escape", 27}, {" ", 32},
       {"PageUp", 33},   {"PageDown", 34},    {"End", 35},       {"Home", 36},   {"ArrowLeft", 37},
       {"ArrowUp", 38},  {"ArrowRight", 39},  {"ArrowDown", 40}, {"Insert", 45}, {"Delete", 46},
       {"Meta", 91},     {"ContextMenu", 93}, {"NumLock", 144}}};
  for (const auto& [name, number] : kNamed) {
    if (name == key) return number;
  }
  if (key.size() > 1 && key.size() <= 3 && key[0] == 'F' && key.find_first_not_of("0123456789", 1) == std::string::npos)
    return 111 + std::stoi(key.substr(1));  // F1 is 112
  if (code.size() == 4 && code.starts_with("Key")) return code[3];
  if (code.size() == 6 && code.starts_with("Digit")) return code[5];
  if (code.size() == 7 && code.starts_with("Numpad")) return 96 + (code[6] - '0');
  return 0;
}

Tab::Command key_command(const Json& event, bool down) {
  const auto key = string_in(event, "key");
  const auto code = string_in(event, "code");
  constexpr std::size_t kLongestName = 32;
  if (key.empty() || key.size() > kLongestName || code.size() > kLongestName)
    throw ToolError("key must name a key, as KeyboardEvent does");
  const int modifiers = modifiers_of(event);
  const bool types = characters(key) == 1 && (modifiers & kShortcut) == 0;
  const std::string text = types ? key : key == "Enter" ? "\r" : "";
  Json params = {{"type", !down          ? "keyUp"
                          : text.empty() ? "rawKeyDown"
                                         : "keyDown"},
                 {"key", key},
                 {"code", code},
                 {"modifiers", modifiers}};
  if (const int number = virtual_key(key, code); number != 0) {
    params["windowsVirtualKeyCode"] = number;
    params["nativeVirtualKeyCode"] = number;
  }
  if (down && !text.empty()) {
    params["text"] = text;
    params["unmodifiedText"] = text;
  }
  if (down && event.value("repeat", Json()) == true) params["autoRepeat"] = true;
  if (const auto location = static_cast<int>(number_of(event, "location")); location > 0 && location < 3)
    params["location"] = location;
  return {"Input.dispatchKeyEvent", std::move(params)};
}

Tab::Command input_command(const Json& event) {
  if (!event.is_object()) throw ToolError("each event must be an object");
  const auto type = string_in(event, "type");
  if (type == "move" || type == "down" || type == "up") return mouse_command(event, type);
  if (type == "wheel") return wheel_command(event);
  if (type == "keydown" || type == "keyup") return key_command(event, type == "keydown");
  if (type == "text") {
    const auto text = string_in(event, "text");
    if (text.empty() || text.size() > kLongestText) throw ToolError("text must have 1 to 100000 bytes");
    return {"Input.insertText", {{"text", text}}};
  }
  throw ToolError("type must be one of move, down, up, wheel, keydown, keyup, text");
}

}  // namespace

std::vector<Tab::Command> input_commands(const Json& events) {
  if (!events.is_array() || events.empty() || events.size() > limits::kPanelInputs)
    throw ToolError("events must hold 1 to " + std::to_string(limits::kPanelInputs) + " events");
  std::vector<Tab::Command> commands;
  for (const Json& event : events) commands.push_back(input_command(event));
  return commands;
}

}  // namespace bridle
