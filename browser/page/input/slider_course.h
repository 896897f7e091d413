#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace bridle {

// How a slider is brought to a value by keys: which one is next, given how the last ones moved it [tool.type.slider]. A
// pure state machine, of one thread:
//
//   while (!(key = course.next()).empty()) { press it; course.moved_to(where it stands now); }
//
// Which way a key moves a slider is learnt and never assumed: pages turn their sliders round, and libraries mirror them
// where text runs from right to left.
class SliderCourse {
 public:
  struct Start {
    double now = 0;
    double wanted = 0;
    std::optional<double> least{};  // the ends of its range, where the page tells them
    std::optional<double> most{};
    bool upright = false;  // ArrowUp and ArrowDown are tried first
  };
  enum class End {
    none,
    reached,   // it stands at the wanted value
    closest,   // it stands at another, and no step leads closer
    no_keys,   // no arrow key has moved it
    held_up,   // arrow keys have moved it, and now don't or lead elsewhere, more than a step away
    too_many,  // limits::kSliderPresses are over
  };

  explicit SliderCourse(const Start& start);

  // The name of the key to press, as press_key() takes it; "" once it is over.
  std::string_view next();
  // After each press: the value that it has led to.
  void moved_to(double now);

  End end() const { return end_; }
  double step() const { return step_; }  // of an arrow key; 0 while none has moved it

 private:
  // Two keys that move it by the same amount, up and down.
  struct Pair {
    std::string_view up{};
    std::string_view down{};
    double jump = 0;      // of the last press; 0: not known yet
    bool turned = false;  // they were found to be the other way round, and exchanged
    bool useless = false;

    std::string_view towards(bool upwards) const { return upwards ? up : down; }
    // Takes in a press that was to go upwards or downwards. False: it went the other way.
    bool learn(bool upwards, double moved);
  };
  enum class Pressed { nothing, probe, arrow, page, end };

  bool upwards() const { return wanted_ > now_; }
  double distance() const { return wanted_ > now_ ? wanted_ - now_ : now_ - wanted_; }
  bool is_there() const;
  bool end_helps() const;
  bool page_helps() const;
  std::string_view press(Pressed kind, std::string_view key);
  std::string_view probe();
  void end_at(End end) { end_ = end; }
  void learn_probe(double moved);
  void learn_arrow(double moved);
  void note_crossing(double before);

  double now_;
  const double wanted_;
  const std::optional<double> least_;
  const std::optional<double> most_;
  std::array<Pair, 2> axes_;
  std::size_t axis_ = 0;  // the one whose arrow keys move it
  Pair pages_{.up = "PageUp", .down = "PageDown"};
  bool ends_useless_ = false;
  bool stuck_ = false;  // the arrow key towards the value has no effect
  int probes_ = 0;
  int presses_ = 0;
  double step_ = 0;
  Pressed pressed_ = Pressed::nothing;
  bool pressed_up_ = false;
  End end_ = End::none;
};

}  // namespace bridle
