#include "browser/page/input/slider_course.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/limits.h"

namespace bridle {
namespace {

// Beyond so many steps other keys than the arrows are tried.
constexpr double kFar = 10;
// Sums of steps such as 0.1 are not exact, and pages round what they tell: a hundredth of a step is none.
constexpr double kPartOfStep = 0.01;
constexpr double kRounding = 1e-9;
constexpr int kProbes = 4;  // each arrow key once

}  // namespace

bool SliderCourse::Pair::learn(bool upwards, double moved) {
  jump = std::abs(moved);
  if ((moved > 0) == upwards) return true;
  useless = turned;
  turned = true;
  std::swap(up, down);
  return false;
}

SliderCourse::SliderCourse(const Start& start)
    : now_(start.now), wanted_(start.wanted), least_(start.least), most_(start.most) {
  const Pair across{.up = "ArrowRight", .down = "ArrowLeft"};
  const Pair along{.up = "ArrowUp", .down = "ArrowDown"};
  axes_ = start.upright ? std::array{along, across} : std::array{across, along};
}

bool SliderCourse::is_there() const {
  return distance() <= std::max(step_ * kPartOfStep, kRounding * std::max(1.0, std::abs(wanted_)));
}

// The end of the range on this side is closer to the value by more than the key press that leads there.
bool SliderCourse::end_helps() const {
  const auto end = upwards() ? most_ : least_;
  if (ends_useless_ || !end) return false;
  if (stuck_) return true;
  const double unit = std::max(step_, pages_.useless ? 0 : pages_.jump);
  return std::abs(wanted_ - *end) + unit < distance();
}

bool SliderCourse::page_helps() const { return !pages_.useless && pages_.jump <= distance(); }

std::string_view SliderCourse::press(Pressed kind, std::string_view key) {
  pressed_ = kind;
  pressed_up_ = upwards();
  ++presses_;
  return key;
}

// Towards the value, then away from it, because a slider that goes the other way round may stand at its end.
std::string_view SliderCourse::probe() {
  if (probes_ == kProbes) {
    end_at(End::no_keys);
    return {};
  }
  axis_ = static_cast<std::size_t>(probes_ / 2);
  const bool away = probes_ % 2 == 1;
  return press(Pressed::probe, axes_[axis_].towards(upwards() != away));
}

std::string_view SliderCourse::next() {
  if (end_ != End::none) return {};
  if (is_there()) {
    end_at(End::reached);
    return {};
  }
  if (presses_ >= limits::kSliderPresses) {
    end_at(End::too_many);
    return {};
  }
  if (step_ == 0) return probe();
  if (stuck_ || distance() > kFar * step_) {
    if (end_helps()) return press(Pressed::end, upwards() ? "End" : "Home");
    if (!stuck_ && page_helps()) return press(Pressed::page, pages_.towards(upwards()));
  }
  if (stuck_) {
    end_at(distance() < step_ ? End::closest : End::held_up);
    return {};
  }
  return press(Pressed::arrow, axes_[axis_].towards(upwards()));
}

void SliderCourse::learn_probe(double moved) {
  const bool away = probes_ % 2 == 1;
  ++probes_;
  if (moved == 0) return;
  step_ = std::abs(moved);
  axes_[axis_].learn(pressed_up_ != away, moved);
}

void SliderCourse::learn_arrow(double moved) {
  if (moved == 0) {
    stuck_ = true;
    return;
  }
  auto& axis = axes_[axis_];
  if (axis.learn(pressed_up_, moved)) {
    step_ = std::abs(moved);
  } else if (axis.useless) {
    end_at(End::held_up);
  }
}

// Where the value lies between the last two places it ends at the closer one, which the next key leads back to.
void SliderCourse::note_crossing(double before) {
  if (is_there() || (wanted_ > before) == upwards()) return;
  if (distance() <= std::abs(wanted_ - before)) end_at(End::closest);
}

void SliderCourse::moved_to(double now) {
  const double before = std::exchange(now_, now);
  const double moved = now - before;
  switch (pressed_) {
    case Pressed::nothing:
      return;
    case Pressed::probe:
      learn_probe(moved);
      return note_crossing(before);
    case Pressed::arrow:
      learn_arrow(moved);
      return note_crossing(before);
    case Pressed::page:
      if (moved == 0) pages_.useless = true;
      if (moved != 0) pages_.learn(pressed_up_, moved);
      return;
    case Pressed::end:
      // Once is enough: it leads to the end, or doesn't help.
      ends_useless_ = true;
      if (moved != 0) stuck_ = false;
      return;
  }
}

}  // namespace bridle
