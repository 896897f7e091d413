#include "browser/page/input/input.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/errors.h"
#include "browser/page/input/keys.h"
#include "browser/page/input/mouse_events.h"
#include "browser/page/world/world.h"

namespace bridle {
namespace {

Json key_event(const char* type, const Key& key, int modifiers) {
  Json event{{"type", type}, {"key", key.key}, {"modifiers", modifiers}};
  if (!key.code.empty()) event["code"] = key.code;
  if (key.location != 0) event["location"] = key.location;
  if (key.location == kKeypad) event["isKeypad"] = true;
  if (key.virtual_key != 0) {
    event["windowsVirtualKeyCode"] = key.virtual_key;
    event["nativeVirtualKeyCode"] = key.virtual_key;
  }
  return event;
}

constexpr int kInputMethodKey = 229;
constexpr const char* kKeyInput = "Input.dispatchKeyEvent";

Json down_event(const Key& key, int modifiers) {
  // A key types nothing while a modifier makes it a shortcut.
  const bool types = !key.text.empty() && (modifiers & (kControlBit | kAltBit | kMetaBit)) == 0;
  Json event = key_event(types ? "keyDown" : "rawKeyDown", key, modifiers);
  if (types) {
    event["text"] = key.text;
    event["unmodifiedText"] = key.text;
  }
  return event;
}

// Keys that are down; released on every path, without waiting when the call is over.
class HeldKeys {
 public:
  explicit HeldKeys(Tab& tab) : tab_(tab) {}
  ~HeldKeys() {
    while (!keys_.empty()) tab_.post(kKeyInput, up_event());
  }
  HeldKeys(const HeldKeys&) = delete;
  HeldKeys& operator=(const HeldKeys&) = delete;

  void press(const CallContext& ctx, const Key& key) {
    hold(key);
    tab_.call(ctx, kKeyInput, down_event(key, modifiers_));
  }
  // Presses the last key and releases all: one burst, so that a press which makes its frame leave doesn't leave its
  // release without anyone to answer it.
  void strike(const CallContext& ctx, const Key& key) {
    ctx.signal.throw_if_aborted();
    hold(key);
    std::vector<Tab::Command> burst{{kKeyInput, down_event(key, modifiers_)}};
    while (!keys_.empty()) burst.push_back({kKeyInput, up_event()});
    tab_.call_all(ctx, burst, Tab::Sends::even_aborted);
  }

 private:
  void hold(const Key& key) {
    modifiers_ |= key.modifier;
    keys_.push_back(key);
  }
  Json up_event() {
    const Key key = keys_.back();
    keys_.pop_back();
    modifiers_ &= ~key.modifier;
    return key_event("keyUp", key, modifiers_);
  }

  Tab& tab_;
  std::vector<Key> keys_;
  int modifiers_ = 0;
};

int modifier_bits(const std::vector<std::string>& names) {
  int bits = 0;
  for (const auto& name : names) {
    const auto key = find_key(name);
    if (!key || key->modifier == 0) {
      throw ToolError("\"" + name + "\" is not a modifier: use Alt, Control, ControlOrMeta, Meta or Shift.");
    }
    bits |= key->modifier;
  }
  return bits;
}

// Where the mouse is from now on, for who moves it on from there.
void note_place(Tab& tab, double x, double y) {
  tab.pointer().x = x;
  tab.pointer().y = y;
}

}  // namespace

void mouse_move(const CallContext& ctx, Tab& tab, double x, double y) {
  note_place(tab, x, y);
  tab.call(ctx, "Input.dispatchMouseEvent", mouse_event("mouseMoved", x, y, "none", 0, 0, 0));
}

void turn_wheel(const CallContext& ctx, Tab& tab, double x, double y, double delta_x, double delta_y) {
  ctx.signal.throw_if_aborted();
  note_place(tab, x, y);
  tab.call(ctx, "Input.dispatchMouseEvent", wheel_event(x, y, delta_x, delta_y, 0));
}

void mouse_click(const CallContext& ctx, Tab& tab, const MouseClick& click) {
  const int modifiers = modifier_bits(click.modifiers);
  // In one go: a lone mouseMoved is answered only at the next frame, and a click that has begun is also ended.
  constexpr const char* kInput = "Input.dispatchMouseEvent";
  std::vector<Tab::Command> commands{{kInput, mouse_event("mouseMoved", click.x, click.y, "none", 0, 0, modifiers)}};
  for (int count = 1; count <= click.count; ++count) {
    commands.push_back({kInput, mouse_event("mousePressed", click.x, click.y, click.button, button_bit(click.button),
                                            count, modifiers)});
    commands.push_back({kInput, mouse_event("mouseReleased", click.x, click.y, click.button, 0, count, modifiers)});
  }
  note_place(tab, click.x, click.y);
  tab.call_all(ctx, commands);
}

void rest_in_drag(const CallContext& ctx, Tab& tab, const std::string& frame_id) {
  constexpr int kFrames = 3;
  constexpr Millis kAtMost{500};
  try_page_call(ctx.within(kAtMost), tab, page::Frames{.n = kFrames});
  // A page that doesn't answer has no more of a drag's time than one that keeps moving.
  try_page_call(ctx.within(2 * kAtMost), tab,
                page::Still{.timeout = static_cast<page::Integer>(kAtMost.count()), .place = true}, frame_id);
}

MouseDrag::~MouseDrag() {
  if (down_) {
    // A native drag may have begun without our knowing yet; without one this does nothing.
    const Json data = data_.is_null() ? Json{{"items", Json::array()}, {"dragOperationsMask", 1}} : data_;
    tab_.post("Input.dispatchDragEvent", {{"type", "dragCancel"}, {"x", -1}, {"y", -1}, {"data", data}});
    // Off the page, where nothing is dropped.
    tab_.post("Input.dispatchMouseEvent", mouse_let_go(-1, -1, "left"));
  }
  if (intercepting_) tab_.post("Input.setInterceptDrags", {{"enabled", false}});
}

void MouseDrag::press(const CallContext& ctx, double x, double y) {
  tab_.take_drag();
  intercepting_ = true;
  tab_.call(ctx, "Input.setInterceptDrags", {{"enabled", true}});
  ctx.signal.throw_if_aborted();
  down_ = true;
  note_place(tab_, x, y);
  // Sent in one burst, as a click is: a lone mouseMoved is answered only at the next frame [why.click-in-one-burst].
  tab_.call_all(ctx, {{"Input.dispatchMouseEvent", mouse_event("mouseMoved", x, y, "none", 0, 0, 0)},
                      {"Input.dispatchMouseEvent", mouse_event("mousePressed", x, y, "left", 1, 1, 0)}});
}

void MouseDrag::move(const CallContext& ctx, double x, double y) {
  note_place(tab_, x, y);
  tab_.call(ctx, "Input.dispatchMouseEvent", mouse_event("mouseMoved", x, y, "left", 1, 0, 0));
}

void MouseDrag::native_event(const CallContext& ctx, const char* type, double x, double y) {
  tab_.call(ctx, "Input.dispatchDragEvent", {{"type", type}, {"x", x}, {"y", y}, {"data", data_}});
}

void MouseDrag::begin(const CallContext& ctx, double to_x, double to_y) {
  const double from_x = tab_.pointer().x, from_y = tab_.pointer().y;
  // Far enough for every drag to begin (Chromium: 3 px, libraries: up to 10), in the direction it will take.
  constexpr double kThreshold = 12;
  const double distance = std::hypot(to_x - from_x, to_y - from_y);
  const double part = distance > 1 ? std::min(1.0, kThreshold / distance) : 0;
  const double step_x = distance > 1 ? (to_x - from_x) * part : kThreshold;
  const double step_y = (to_y - from_y) * part;
  for (int step = 1; step <= 2; ++step) move(ctx, from_x + step_x * step / 2, from_y + step_y * step / 2);
}

void MouseDrag::take_native(const CallContext& ctx) { data_ = tab_.await_drag(ctx.within(limits::kCdpCommand)); }

void MouseDrag::pass(const CallContext& ctx, double x, double y) {
  if (data_.is_null()) return move(ctx, x, y);
  if (!std::exchange(entered_, true)) native_event(ctx, "dragEnter", x, y);
  native_event(ctx, "dragOver", x, y);
}

void MouseDrag::drop(const CallContext& ctx, double x, double y, const std::string& frame_id, bool rests) {
  constexpr int kSteps = 5;
  const double from_x = tab_.pointer().x, from_y = tab_.pointer().y;
  // By a point beside it: a person comes to no exact middle, at which a page may tell neither half. On the way there,
  // for a page that asks in which direction it goes: one straight up goes neither left nor right.
  const auto before = [](double from, double to) { return std::abs(from - to) < 1 ? to : to + (from > to ? 1 : -1); };
  const double near_x = before(from_x, x), near_y = before(from_y, y);
  if (!data_.is_null()) {
    if (!entered_) {
      pass(ctx, near_x, near_y);
      rest_in_drag(ctx, tab_, frame_id);
    }
    pass(ctx, x, y);
    rest_in_drag(ctx, tab_, frame_id);
    native_event(ctx, "dragOver", x, y);  // some pages take the place from the one before
    ctx.signal.throw_if_aborted();
    native_event(ctx, "drop", x, y);
    note_place(tab_, x, y);
    data_ = Json();
    down_ = false;  // the drop is the release: a page sees no mouse event of a native drag
    return;
  }
  const double to_x = rests ? near_x : x, to_y = rests ? near_y : y;
  for (int step = 1; step <= kSteps; ++step)
    move(ctx, from_x + (to_x - from_x) * step / kSteps, from_y + (to_y - from_y) * step / kSteps);
  if (rests) {
    rest_in_drag(ctx, tab_, frame_id);
    move(ctx, x, y);
    rest_in_drag(ctx, tab_, frame_id);
  }
  ctx.signal.throw_if_aborted();
  down_ = false;
  tab_.call(ctx, "Input.dispatchMouseEvent", mouse_event("mouseReleased", x, y, "left", 0, 1, 0));
}

void press_key(const CallContext& ctx, Tab& tab, std::string_view combination) {
  if (combination.empty()) throw ToolError("key is empty: name a key, such as Enter or a.");
  const auto keys = keys_of_combination(combination);
  HeldKeys held(tab);
  for (std::size_t i = 0; i + 1 < keys.size(); ++i) held.press(ctx, keys[i]);
  held.strike(ctx, keys.back());
}

void insert_text(const CallContext& ctx, Tab& tab, const std::string& text) {
  tab.call(ctx, "Input.insertText", {{"text", text}});
}

void replace_selection(const CallContext& ctx, Tab& tab, const std::string& text, bool key_down) {
  if (text.empty()) return press_key(ctx, tab, "Delete");
  const Key input_method{"Unidentified", "", kInputMethodKey};
  std::vector<Tab::Command> commands;
  if (key_down) commands.push_back({kKeyInput, key_event("rawKeyDown", input_method, 0)});
  commands.push_back({"Input.insertText", {{"text", text}}});
  // A key that does more than type would do it now, as Enter does; it goes up as one of an input method's does.
  const bool types = text.back() >= ' ' && text.back() <= '~';
  const Key last = types ? *find_key(text.substr(text.size() - 1)) : input_method;
  commands.push_back({kKeyInput, key_event("keyUp", last, 0)});
  tab.call_all(ctx, commands);
}

void type_slowly(const CallContext& ctx, Tab& tab, std::string_view text, const std::function<void()>& before_each) {
  for (std::size_t at = 0; at < text.size();) {
    if (before_each) before_each();
    std::size_t end = at + 1;
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) ++end;
    const auto character = text.substr(at, end - at);
    at = end;
    const auto key = find_key(character);
    if (!key || key->code.empty()) {
      insert_text(ctx, tab, std::string(character));
      continue;
    }
    HeldKeys(tab).strike(ctx, *key);
  }
}

}  // namespace bridle
