#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/concurrency/call_context.h"
#include "browser/tab/tab.h"

// Mouse and keyboard through CDP's Input domain. Everything throws Aborted, DialogOpened (the input had its effect and
// a dialog now blocks the page), TabGone, CdpTimeout. An abort in the middle releases the buttons and modifiers that
// are held and sends no more input [cancel.browser].
namespace bridle {

struct MouseClick {
  double x = 0;  // CSS px in the main frame's viewport
  double y = 0;
  std::string button = "left";           // left, right, middle
  int count = 1;                         // 2: double click
  std::vector<std::string> modifiers{};  // Alt, Control, ControlOrMeta, Meta, Shift
};

void mouse_move(const CallContext& ctx, Tab& tab, double x, double y);
// Turns the wheel at a point, by CSS px.
void turn_wheel(const CallContext& ctx, Tab& tab, double x, double y, double delta_x, double delta_y);
void mouse_click(const CallContext& ctx, Tab& tab, const MouseClick& click);

// Lets three frames pass, as a person rests where a drag is about to end: pages that look at one dragover in some have
// looked at the last one by then. And lets what has given way come to rest, in `frame_id` ("" the main one), 500 ms at
// most [tool.drag.rest]. Throws Aborted.
void rest_in_drag(const CallContext& ctx, Tab& tab, const std::string& frame_id);

// A drag with the mouse: press(), begin(), drop(). It serves both what a page does itself with the pointer (sliders,
// sortable lists) and the browser's own drag and drop (draggable elements). However the drag ends, afterwards no button
// is down, no drag is under way, and drags are no longer intercepted [why.native-drag-ends]. Used by one thread.
class MouseDrag {
 public:
  explicit MouseDrag(Tab& tab) : tab_(tab) {}
  ~MouseDrag();
  MouseDrag(const MouseDrag&) = delete;
  MouseDrag& operator=(const MouseDrag&) = delete;

  void press(const CallContext& ctx, double x, double y);
  // The first small moves towards a point, after which a native drag, if it is one, has begun.
  void begin(const CallContext& ctx, double to_x, double to_y);
  // Called when the page has seen its dragstart: takes over the drag's data from the browser, and continues with drag
  // events.
  void take_native(const CallContext& ctx);
  // Moves through a point on the way.
  void pass(const CallContext& ctx, double x, double y);
  // Moves to the end point, which is in `frame_id` ("" the main one), and releases the button there: a native drag's
  // after rest_in_drag(), another one's where it `rests`, as a stroke or a swipe doesn't.
  void drop(const CallContext& ctx, double x, double y, const std::string& frame_id, bool rests);

 private:
  void move(const CallContext& ctx, double x, double y);
  void native_event(const CallContext& ctx, const char* type, double x, double y);

  Tab& tab_;
  bool down_ = false;
  bool intercepting_ = false;
  bool entered_ = false;  // a native drag has told the page that it is there
  Json data_;             // of a native drag that is under way
};

// One key or a combination: "Enter", "a", "Control+Shift+T". Throws ToolError that names what isn't a key, before any
// input. No modifier is down afterwards [tool.keys].
void press_key(const CallContext& ctx, Tab& tab, std::string_view combination);
// The whole text at once, as an input method commits it.
void insert_text(const CallContext& ctx, Tab& tab, const std::string& text);
// The whole text in place of what is selected: Delete for an empty one, else as insert_text, and then the last key goes
// up, for the pages that look at a field only then. `key_down`: a key goes down before it, for those that begin their
// search then; it is the one that stands for an input method's, as of a phone's keyboard, with which no page does what
// it does with a key of its own.
void replace_selection(const CallContext& ctx, Tab& tab, const std::string& text, bool key_down);
// Key by key, with key events for each character. `before_each` is called before each one, and ends the typing by
// throwing.
void type_slowly(const CallContext& ctx, Tab& tab, std::string_view text,
                 const std::function<void()>& before_each = {});

}  // namespace bridle
