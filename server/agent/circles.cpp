#include "server/agent/circles.h"

#include <regex>

#include "base/text/digest.h"

namespace bridle::agent {
namespace {

// "Settled: load in 312 ms" and "waited 5.0 s" differ from time to time, the page doesn't.
std::string without_times(std::string_view text) {
  std::string kept;
  kept.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && (text[end] >= '0' && text[end] <= '9')) ++end;
    const auto unit = text.substr(end);
    const bool time = end > i && (unit.starts_with(" ms") || unit.starts_with(" s"));
    if (end == i) end = i + 1;
    if (!time) kept.append(text.substr(i, end - i));
    i = end;
  }
  return kept;
}

}  // namespace

int Circles::note(std::string_view tool, std::string_view arguments, std::string_view result) {
  std::string key(tool);
  key.append("\n").append(arguments).append("\n").append(without_times(result));
  return ++seen_[sha1(key)];
}

}  // namespace bridle::agent
