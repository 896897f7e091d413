// Which keys bring a slider to a value [tool.type.slider]: the sliders are made up of what they do for a key.
#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <vector>

#include "base/limits.h"
#include "browser/page/input/slider_course.h"
#include "tests/support/catch.h"

using namespace bridle;
using End = SliderCourse::End;

namespace {

struct Course {
  End end = End::none;
  double now = 0;
  std::vector<std::string> keys{};
};

Course run(const SliderCourse::Start& start, const std::function<double(const std::string& key, double now)>& after) {
  SliderCourse course(start);
  Course ran{.now = start.now};
  for (auto key = course.next(); !key.empty(); key = course.next()) {
    ran.keys.emplace_back(key);
    ran.now = after(ran.keys.back(), ran.now);
    course.moved_to(ran.now);
  }
  ran.end = course.end();
  return ran;
}

// A slider from 0 on whose arrow keys move it by one step, and whose other keys do nothing.
double by_arrows(const std::string& key, double now, double step = 1) {
  if (key == "ArrowRight" || key == "ArrowUp") return now + step;
  if (key == "ArrowLeft" || key == "ArrowDown") return std::max(now - step, 0.0);
  return now;
}
double by_ones(const std::string& key, double now) { return by_arrows(key, now); }

}  // namespace

TEST_CASE("a slider is given no more keys than the limit", "[slider] [tool.type.slider]") {
  // Without ends that are known PageUp alone is tried, once and in vain.
  constexpr int kTried = 1;
  const auto to = [](int steps) { return run({.now = 0, .wanted = static_cast<double>(steps)}, by_ones); };
  const auto under = to(limits::kSliderPresses - kTried - 1);
  CHECK(under.end == End::reached);
  CHECK(under.keys.size() == limits::kSliderPresses - 1);
  const auto full = to(limits::kSliderPresses - kTried);
  CHECK(full.end == End::reached);
  CHECK(full.keys.size() == limits::kSliderPresses);
  const auto over = to(limits::kSliderPresses - kTried + 1);
  CHECK(over.end == End::too_many);
  CHECK(over.keys.size() == limits::kSliderPresses);
}

TEST_CASE("a slider ends at the closer of two steps", "[slider] [tool.type.slider]") {
  const auto by_fives = [](const std::string& key, double now) { return by_arrows(key, now, 5); };
  for (const auto& [from, wanted, at] : std::vector<std::array<double, 3>>{
           {0, 12, 10}, {0, 13, 15}, {30, 12, 10}, {30, 13, 15}, {10, 12, 10}, {10, 13, 15}, {15, 12, 10}}) {
    INFO(from << " to " << wanted);
    const auto ran = run({.now = from, .wanted = wanted, .least = 0, .most = 100}, by_fives);
    CHECK(ran.end == End::closest);
    CHECK(ran.now == at);
  }
}

TEST_CASE("a slider that does as it likes comes to an end", "[slider] [tool.type.slider]") {
  SECTION("it stays") {
    const auto ran = run({.now = 5, .wanted = 9}, [](const std::string&, double now) { return now; });
    CHECK(ran.end == End::no_keys);
    CHECK(ran.keys == std::vector<std::string>{"ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown"});
  }
  SECTION("it only goes away from the value") {
    const auto ran = run({.now = 50, .wanted = 55}, [](const std::string&, double now) { return now - 1; });
    CHECK(ran.end == End::held_up);
    CHECK(ran.keys.size() < 10);
  }
  SECTION("it jumps over the value further each time") {
    double jump = 1;
    const auto ran = run({.now = 50, .wanted = 50.1}, [&](const std::string& key, double now) {
      jump *= 3;
      return key == "ArrowRight" ? now + jump : key == "ArrowLeft" ? now - jump : now;
    });
    CHECK(ran.end != End::none);
    CHECK(ran.keys.size() <= limits::kSliderPresses);
  }
  SECTION("Home and End lead to the other end") {
    const auto ran = run({.now = 50, .wanted = 97, .least = 0, .most = 100}, [](const std::string& key, double now) {
      if (key == "End") return 0.0;
      if (key == "Home") return 100.0;
      return by_ones(key, now);
    });
    CHECK(ran.end == End::reached);
  }
  SECTION("it is held up by another one before the value, and can be moved away from that") {
    const auto ran = run({.now = 40, .wanted = 60, .least = 0, .most = 100},
                         [](const std::string& key, double now) { return std::min(by_ones(key, now), 40.0); });
    CHECK(ran.end == End::held_up);
    CHECK(ran.now == 40);
  }
}
