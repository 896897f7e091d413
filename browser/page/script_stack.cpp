#include "browser/page/script_stack.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace bridle {
namespace {

constexpr std::string_view kFrame = "    at ";
// What has no URL of its own, as the function around the script.
constexpr std::string_view kNowhere = "<anonymous>:";
constexpr std::string_view kInEval = "eval at ";
// How the stack names what is called as the method `run` of an object; the script's own name stands in between.
constexpr std::string_view kOwner = "Object.";
constexpr std::string_view kRun = " [as run]";
constexpr std::string_view kOwnRun = "    at Object.run (";

struct Place {
  std::size_t begin = 0;  // of the line's number in the frame's text
  std::size_t end = 0;    // behind the column
  std::size_t line = 0;
  std::size_t column = 0;
};

std::optional<std::size_t> take_number(std::string_view text, std::size_t& at) {
  std::size_t number = 0;
  const auto [rest, error] = std::from_chars(text.data() + at, text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  at = static_cast<std::size_t>(rest - text.data());
  return number;
}

std::optional<Place> place_of(std::string_view frame) {
  const auto found = frame.rfind(kNowhere);
  // A place in what somebody has given to eval() counts from that text's beginning.
  if (found == std::string_view::npos || frame.find(kInEval) < found) return std::nullopt;
  Place place{.begin = found + kNowhere.size()};
  place.end = place.begin;
  const auto line = take_number(frame, place.end);
  if (!line || place.end >= frame.size() || frame[place.end] != ':') return std::nullopt;
  const auto column = take_number(frame, ++place.end);
  if (!column) return std::nullopt;
  place.line = *line;
  place.column = *column;
  return place;
}

// A frame of the script, as the caller would have it.
std::string own_frame(std::string_view frame, const Place& place, std::size_t before) {
  const auto column = place.line == 1 ? place.column - before : place.column;
  std::string where(kNowhere);
  where += std::to_string(place.line) + ":" + std::to_string(column);
  if (frame.starts_with(kOwnRun)) return std::string(kFrame) + where;
  const auto run = frame.find(kRun);
  if (run == std::string_view::npos) {
    return std::string(frame.substr(0, place.begin - kNowhere.size())) + where + std::string(frame.substr(place.end));
  }
  auto name = frame.substr(kFrame.size(), run - kFrame.size());
  if (name.starts_with(kOwner)) name.remove_prefix(kOwner.size());
  if (name == "$f") return std::string(kFrame) + where;
  return std::string(kFrame) + std::string(name) + " (" + where + ")";
}

}  // namespace

std::string own_stack(std::string_view words, std::string_view form, std::string_view source) {
  const auto begin = form.find(std::string(source) + "\n");
  if (begin == std::string_view::npos) return std::string(words);
  // The browser puts one parenthesis in front of the function.
  const std::size_t before = begin + 1;
  const auto lines = static_cast<std::size_t>(std::count(source.begin(), source.end(), '\n')) + 1;
  std::string own;
  for (std::size_t at = 0; at <= words.size();) {
    const auto end = std::min(words.find('\n', at), words.size());
    const auto line = words.substr(at, end - at);
    at = end + 1;
    const auto place = line.starts_with(kFrame) ? place_of(line) : std::nullopt;
    const bool around = place && (place->line > lines || (place->line == 1 && place->column <= before));
    if (around) continue;
    if (!own.empty()) own += '\n';
    own += place ? own_frame(line, *place, before) : std::string(line);
  }
  return own;
}

}  // namespace bridle
