#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/concurrency/deadline.h"
#include "base/text/json.h"

// What is drawn over the frames of a video: the pointer, rings where it presses, and a word for what is done. Drawn by
// us and not by the page, which can't see it.
namespace bridle {

// A picture in red, green, blue and alpha; all of it is transparent at first.
class Canvas {
 public:
  Canvas(int width, int height);
  int width() const { return width_; }
  int height() const { return height_; }
  // Puts a colour over what is there; `alpha` from 0 to 1. Outside of the canvas nothing happens.
  void blend(int x, int y, std::uint32_t rgb, double alpha);
  void clear();
  bool is_empty() const { return top_ > bottom_; }
  // As a file in the Quite OK Image format (https://qoiformat.org/qoi-specification.pdf): transparent runs cost
  // next to nothing there, and ffmpeg reads it.
  std::string qoi() const;
  std::uint32_t at(int x, int y) const { return pixels_[index(x, y)]; }  // red in the highest byte

 private:
  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x);
  }
  int width_;
  int height_;
  std::vector<std::uint32_t> pixels_;
  int top_;  // rows that were drawn on
  int bottom_;
};

// Where the page is in the frames: it keeps its shape and stands in the middle.
struct Fitted {
  double left = 0;
  double top = 0;
  double scale = 1;
};
Fitted fit(double page_width, double page_height, int width, int height);

// What has been done lately, by the commands that went to the page. Not thread-safe.
class ActionTrace {
 public:
  // A command of the Input domain, or a navigation. What is typed isn't looked at.
  void note(std::string_view method, const Json& params, Clock::time_point now);
  // Whether draw() draws anything, as it does at first.
  void show(bool shown);
  // Draws it as it looks at that time. False when nothing has changed since it was drawn last.
  bool draw(Canvas& canvas, const Fitted& page, Clock::time_point now);

 private:
  void say(std::string words, Clock::time_point now);

  struct Ring {
    double x = 0;
    double y = 0;
    Clock::time_point since{};
  };
  bool has_pointer_ = false;
  bool is_down_ = false;
  double x_ = 0;  // CSS px of the page's viewport
  double y_ = 0;
  std::vector<Ring> rings_;
  std::string words_{};
  Clock::time_point said_{};
  bool stale_ = true;
  bool shown_ = true;
};

}  // namespace bridle
