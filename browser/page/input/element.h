#pragma once

#include <optional>
#include <string>
#include <utility>

#include "base/concurrency/call_context.h"
#include "browser/page/snapshot.h"
#include "browser/page/world/world.h"
#include "browser/tab/tab.h"

namespace bridle {

// An element that is ready to be acted on, and where. Points are CSS px in the main frame's viewport.
struct ReadyElement {
  std::string frame{};
  std::string ref{};       // "" when the snapshot hasn't numbered it
  std::string describe{};  // button "Save"
  std::string tag{};
  std::string role{};
  std::string input_type{};
  bool is_link = false;
  bool multiple = false;  // takes several files or options
  bool made = false;      // to select in: no <select>, but a widget of the page's own
  bool checks = false;    // without a kind of readiness: it is checked by a click, or stands for what is
  bool by_page = false;   // only a script of the page makes something of a click on it
  bool secret = false;    // a password or one-time code: its value must not be told
  int matches = 1;        // how many elements the target named
  double x = 0;
  double y = 0;
  double frame_x = 0;  // the same point in the viewport of the element's own frame
  double frame_y = 0;
  double left = 0;  // of the corner that PointIn counts from, in the main frame's viewport
  double top = 0;
  std::string target{};  // as it was named
  std::optional<std::pair<double, double>>
      from{};  // to hover over it the mouse comes from here, where it wasn't in the page before

  // The name by which page functions find the element in its frame: its ref if it has one, else the target as it was
  // given.
  const std::string& name() const { return ref.empty() ? target : ref; }
};

// CSS px from an element's top left corner, within its border.
struct PointIn {
  double x = 0;
  double y = 0;
};

// Waits, within `timeout`, until the element is there and ready for `kind` (click, hover, type, select, drag, file,
// none), scrolled into view and uncovered in its frame and in all frames around it [tool.actionable]. `guard`
// installs the page's watch over the input to come: see HitGuard. `at`: the point to hit, instead of the middle.
// `known_frame`: the id of the frame that it is in, where that is known; else it is looked for. Throws ToolError with
// why it isn't ready.
ReadyElement ready_element(const CallContext& ctx, Tab& tab, const RefSpace& refs, const std::string& target,
                           const std::string& kind, Millis timeout, bool guard = false,
                           const std::optional<PointIn>& at = std::nullopt, const std::string& known_frame = {});

// Nothing is being loaded, and nothing is about to be: what isn't on the page won't come by itself.
bool is_quiet(Tab& tab);

// Takes a point from a frame's viewport to the main frame's. In each frame around it the frame's element must be in
// view, which it is brought to, and hit at the point: else the words say why not, and the point means nothing. `frame`
// "": the main one. Throws ToolError when the frame has gone.
std::string to_main_viewport(const CallContext& ctx, Tab& tab, const std::string& frame, double& x, double& y);

// Where a point of a frame's viewport is in the main frame's, whether it can be seen there or not. Throws ToolError
// when the frame has gone.
PointIn place_of_frame(const CallContext& ctx, Tab& tab, const std::string& frame, PointIn point);

// What a page function says that went wrong, as a ToolError.
void throw_if_failed(const page::Outcome& outcome);

// A page function on a target's frame, as page_call; a result with ok false becomes a ToolError.
template <typename Function>
typename Function::Result element_call(const CallContext& ctx, Tab& tab, const std::string& frame,
                                       const Function& function) {
  auto result = page_call(ctx, tab, frame, function);
  throw_if_failed(result);
  return result;
}

}  // namespace bridle
