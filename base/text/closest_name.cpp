#include "base/text/closest_name.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "base/text/text.h"

namespace bridle {
namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      const std::size_t swap = diagonal + (lower(a[i - 1]) == lower(b[j - 1]) ? 0U : 1U);
      row[j] = std::min({above + 1, row[j - 1] + 1, swap});
      diagonal = above;
    }
  }
  return row[b.size()];
}

}  // namespace

std::string closest_name(const std::string& name, const std::vector<std::string>& known) {
  constexpr std::size_t kLongest = 64;
  if (name.size() > kLongest) return {};
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(2, name.size() / 2) + 1;
  for (const auto& one : known) {
    const std::size_t distance = edit_distance(name, one);
    if (distance >= best_distance) continue;
    best_distance = distance;
    best = one;
  }
  return best;
}

}  // namespace bridle
