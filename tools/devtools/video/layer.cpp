#include "tools/devtools/video/layer.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <cmath>
#include <iterator>

#include "tools/devtools/video/font.h"

namespace bridle {
namespace {

constexpr std::chrono::milliseconds kRing{500};    // a press is seen for so long
constexpr std::chrono::milliseconds kWords{1200};  // and what was done for so long
constexpr std::size_t kRings = 8;                  // at once
constexpr std::size_t kLetters = 24;               // of a word
constexpr std::uint32_t kRingColour = 0xE8453C;
constexpr std::uint32_t kWhite = 0xFFFFFF;
constexpr std::uint32_t kBlack = 0x202124;

// The pointer's outline, in px from its tip.
struct ArrowPoint {
  double x, y;
};
constexpr std::array<ArrowPoint, 7> kArrow{
    {{0, 0}, {0, 17}, {4, 13.4}, {6.8, 19.6}, {9.4, 18.4}, {6.7, 12.4}, {12, 12}}};
constexpr int kArrowWidth = 14;
constexpr int kArrowHeight = 22;

bool is_inside(double x, double y) {
  bool inside = false;
  for (std::size_t i = 0, before = kArrow.size() - 1; i < kArrow.size(); before = i++) {
    const auto& a = kArrow[i];
    const auto& b = kArrow[before];
    if ((a.y > y) != (b.y > y) && x < (b.x - a.x) * (y - a.y) / (b.y - a.y) + a.x) inside = !inside;
  }
  return inside;
}

// How far a point is from the outline.
double edge_distance(double x, double y) {
  double nearest = 1e9;
  for (std::size_t i = 0, before = kArrow.size() - 1; i < kArrow.size(); before = i++) {
    const auto& a = kArrow[before];
    const double dx = kArrow[i].x - a.x;
    const double dy = kArrow[i].y - a.y;
    const double along = std::clamp(((x - a.x) * dx + (y - a.y) * dy) / (dx * dx + dy * dy), 0.0, 1.0);
    nearest = std::min(nearest, std::hypot(x - a.x - along * dx, y - a.y - along * dy));
  }
  return nearest;
}

void draw_arrow(Canvas& canvas, double x, double y) {
  const int left = static_cast<int>(std::floor(x));
  const int top = static_cast<int>(std::floor(y));
  for (int row = -1; row < kArrowHeight; ++row) {
    for (int column = -1; column < kArrowWidth; ++column) {
      const double at_x = column + 0.5;
      const double at_y = row + 0.5;
      const double distance = edge_distance(at_x, at_y);
      const double rim = std::clamp(1.5 - distance, 0.0, 1.0);
      if (is_inside(at_x, at_y)) canvas.blend(left + column, top + row, kBlack, 1);
      if (rim > 0) canvas.blend(left + column, top + row, kWhite, rim);
    }
  }
}

void draw_ring(Canvas& canvas, double x, double y, double radius, double width, double alpha) {
  const int reach = static_cast<int>(radius + width) + 1;
  const int middle_x = static_cast<int>(std::lround(x));
  const int middle_y = static_cast<int>(std::lround(y));
  for (int row = -reach; row <= reach; ++row) {
    for (int column = -reach; column <= reach; ++column) {
      const double off = std::abs(std::hypot(column, row) - radius);
      const double cover = std::clamp(width / 2 + 0.5 - off, 0.0, 1.0);
      if (cover > 0) canvas.blend(middle_x + column, middle_y + row, kRingColour, cover * alpha);
    }
  }
}

const Glyph* glyph_of(char letter) {
  const auto found =
      std::find_if(std::begin(kGlyphs), std::end(kGlyphs), [&](const Glyph& glyph) { return glyph.letter == letter; });
  return found == std::end(kGlyphs) ? nullptr : &*found;
}

// In a plate at the bottom, in the middle.
void draw_words(Canvas& canvas, const std::string& words, double alpha) {
  const int dot = std::max(1, canvas.height() / 240);
  const int step = (kGlyphWidth + 1) * dot;
  const int pad = 4 * dot;
  const int width = static_cast<int>(words.size()) * step - dot + 2 * pad;
  const int height = kGlyphHeight * dot + 2 * pad;
  const int left = (canvas.width() - width) / 2;
  const int top = canvas.height() - height - 3 * pad;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) canvas.blend(left + x, top + y, kBlack, 0.75 * alpha);
  }
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto* glyph = glyph_of(words[i]);
    if (glyph == nullptr) continue;
    const int start = left + pad + static_cast<int>(i) * step;
    for (int x = 0; x < kGlyphWidth * dot; ++x) {
      for (int y = 0; y < kGlyphHeight * dot; ++y) {
        if ((glyph->columns[static_cast<std::size_t>(x / dot)] >> (y / dot) & 1) != 0)
          canvas.blend(start + x, top + pad + y, kWhite, alpha);
      }
    }
  }
}

void append_big_endian(std::string& bytes, std::uint32_t number) {
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(number >> shift & 0xFF);
}

// "Enter", "ArrowDown" and the like; of a key that types a character nothing is told.
std::string key_name(const Json& params) {
  const auto key = params.find("key");
  if (key == params.end() || !key->is_string()) return {};
  const auto& name = key->get_ref<const std::string&>();
  const bool is_named = name.size() > 1 && std::all_of(name.begin(), name.end(),
                                                       [](unsigned char letter) { return std::isalnum(letter) != 0; });
  return is_named ? name : std::string();
}

}  // namespace

Canvas::Canvas(int width, int height)
    : width_(width),
      height_(height),
      pixels_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height)),
      top_(height),
      bottom_(-1) {}

void Canvas::blend(int x, int y, std::uint32_t rgb, double alpha) {
  if (x < 0 || y < 0 || x >= width_ || y >= height_ || alpha <= 0) return;
  top_ = std::min(top_, y);
  bottom_ = std::max(bottom_, y);
  auto& pixel = pixels_[index(x, y)];
  const double below = (pixel & 0xFF) / 255.0;
  const double all = alpha + below * (1 - alpha);
  std::uint32_t mixed = 0;
  for (int shift = 16; shift >= 0; shift -= 8) {
    const double ours = rgb >> shift & 0xFF;
    const double theirs = pixel >> (shift + 8) & 0xFF;
    const auto part = static_cast<std::uint32_t>(std::lround((ours * alpha + theirs * below * (1 - alpha)) / all));
    mixed = mixed << 8 | std::min(part, 255U);
  }
  pixel = mixed << 8 | static_cast<std::uint32_t>(std::lround(all * 255));
}

void Canvas::clear() {
  if (is_empty()) return;
  std::fill(pixels_.begin() + static_cast<std::ptrdiff_t>(index(0, top_)),
            pixels_.begin() + static_cast<std::ptrdiff_t>(index(0, bottom_)) + width_, 0U);
  top_ = height_;
  bottom_ = -1;
}

std::string Canvas::qoi() const {
  constexpr int kLongestRun = 62;
  constexpr unsigned kRun = 0xC0;
  constexpr unsigned kWhole = 0xFF;
  std::string bytes = "qoif";
  append_big_endian(bytes, static_cast<std::uint32_t>(width_));
  append_big_endian(bytes, static_cast<std::uint32_t>(height_));
  bytes += '\4';                // channels
  bytes += '\0';                // sRGB with linear alpha
  std::uint32_t before = 0xFF;  // opaque black, as the format begins
  int run = 0;
  const auto end_run = [&] {
    if (run > 0) bytes += static_cast<char>(kRun | static_cast<unsigned>(run - 1));
    run = 0;
  };
  for (const auto pixel : pixels_) {
    if (pixel == before) {
      if (++run == kLongestRun) end_run();
      continue;
    }
    end_run();
    bytes += static_cast<char>(kWhole);
    append_big_endian(bytes, pixel);
    before = pixel;
  }
  end_run();
  return bytes.append(7, '\0').append(1, '\1');
}

Fitted fit(double page_width, double page_height, int width, int height) {
  if (page_width < 1 || page_height < 1) return {};
  const double scale = std::min(width / page_width, height / page_height);
  return {.left = (width - page_width * scale) / 2, .top = (height - page_height * scale) / 2, .scale = scale};
}

void ActionTrace::say(std::string words, Clock::time_point now) {
  words.resize(std::min(words.size(), kLetters));
  for (char& letter : words) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  words_ = std::move(words);
  said_ = now;
}

void ActionTrace::note(std::string_view method, const Json& params, Clock::time_point now) {
  stale_ = true;
  if (method == "Input.dispatchMouseEvent") {
    has_pointer_ = true;
    x_ = params.value("x", x_);
    y_ = params.value("y", y_);
    const auto type = params.value("type", "");
    const auto button = params.value("button", "left");
    if (type == "mousePressed") {
      is_down_ = true;
      if (rings_.size() == kRings) rings_.erase(rings_.begin());
      rings_.push_back({.x = x_, .y = y_, .since = now});
      const int count = params.value("clickCount", 1);
      say(count == 2         ? "double click"
          : count == 3       ? "triple click"
          : button == "left" ? "click"
                             : button + " click",
          now);
    } else if (type == "mouseReleased") {
      is_down_ = false;
    } else if (type == "mouseWheel") {
      say("scroll", now);
    } else if (type == "mouseMoved" && is_down_ && button != "none") {
      say("drag", now);
    }
  } else if (method == "Input.insertText") {
    say("type", now);
  } else if (method == "Input.dispatchKeyEvent") {
    const auto type = params.value("type", "");
    if (type != "keyDown" && type != "rawKeyDown") return;
    const auto name = key_name(params);
    say(name.empty() ? "type" : "key " + name, now);
  } else if (method == "Page.navigate") {
    say("open", now);
  } else if (method == "Page.reload") {
    say("reload", now);
  }
}

void ActionTrace::show(bool shown) {
  stale_ = stale_ || shown != shown_;
  shown_ = shown;
}

bool ActionTrace::draw(Canvas& canvas, const Fitted& page, Clock::time_point now) {
  const auto is_over = [&](const Ring& ring) { return now - ring.since >= kRing; };
  const bool moves = !rings_.empty() || !words_.empty();
  if (!stale_ && !moves) return false;
  stale_ = false;
  std::erase_if(rings_, is_over);
  if (now - said_ >= kWords) words_.clear();
  canvas.clear();
  if (!shown_) return true;
  const auto x = [&](double at) { return page.left + at * page.scale; };
  const auto y = [&](double at) { return page.top + at * page.scale; };
  for (const auto& ring : rings_) {
    const double age = std::chrono::duration<double>(now - ring.since) / std::chrono::duration<double>(kRing);
    draw_ring(canvas, x(ring.x), y(ring.y), 6 + 18 * age, 4, 1 - age * age);
  }
  if (is_down_) draw_ring(canvas, x(x_), y(y_), 6, 4, 1);
  if (has_pointer_) draw_arrow(canvas, x(x_), y(y_));
  if (!words_.empty()) {
    const double left = 1 - std::chrono::duration<double>(now - said_) / std::chrono::duration<double>(kWords);
    draw_words(canvas, words_, std::min(1.0, left * 4));
  }
  return true;
}

}  // namespace bridle
