#include "bench/report.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace bridle::bench {
namespace {

using OrderedJson = nlohmann::ordered_json;

double bare_of(const Row& row) { return percentile(row.bare, row.percent); }
double bridle_of(const Row& row) { return percentile(row.bridle, row.percent); }

// The figure that the goal is about. NaN when there is none.
double judged(const Row& row) {
  switch (row.goal.kind) {
    case Goal::Kind::none:
      break;
    case Goal::Kind::value:
      return bridle_of(row);
    case Goal::Kind::ratio:
      return bridle_of(row) / bare_of(row);
    case Goal::Kind::above:
      return bridle_of(row) - bare_of(row);
  }
  return std::numeric_limits<double>::quiet_NaN();
}

const char* verdict(const Row& row) {
  if (!row.failure.empty()) return "failed";
  if (row.goal.kind == Goal::Kind::none) return "";
  return judged(row) <= row.goal.limit ? "ok" : "miss";
}

std::string goal_words(const Goal& goal) {
  switch (goal.kind) {
    case Goal::Kind::none:
      return "";
    case Goal::Kind::value:
      return fmt::format("<= {:g}", goal.limit);
    case Goal::Kind::ratio:
      return fmt::format("<= {:g} x bare", goal.limit);
    case Goal::Kind::above:
      return fmt::format("<= bare + {:g}", goal.limit);
  }
  return "";
}

std::string number(double value) {
  if (std::isnan(value)) return "-";
  if (std::abs(value) < 10) return fmt::format("{:.2f}", value);
  if (std::abs(value) < 100) return fmt::format("{:.1f}", value);
  return fmt::format("{:.0f}", value);
}

OrderedJson json_number(double value) { return std::isnan(value) ? OrderedJson() : OrderedJson(value); }

}  // namespace

double percentile(std::vector<double> samples, double percent) {
  if (samples.empty()) return std::numeric_limits<double>::quiet_NaN();
  const auto rank = std::ceil(percent / 100 * static_cast<double>(samples.size()));
  const auto index = std::clamp(static_cast<std::size_t>(std::max(rank, 1.0)) - 1, std::size_t{0}, samples.size() - 1);
  std::nth_element(samples.begin(), samples.begin() + static_cast<std::ptrdiff_t>(index), samples.end());
  return samples[index];
}

void Report::print_head() const {
  fmt::print("{:<54} {:>8} {:>8} {:>6} {:>8} {:>4}  {:<14} {}\n", "action (ms)", "bare", "bridle", "ratio", "above",
             "n", "goal", "");
  std::fflush(stdout);
}

void Report::add(Row row) {
  const double bare = bare_of(row);
  const double bridle = bridle_of(row);
  fmt::print("{:<54} {:>8} {:>8} {:>6} {:>8} {:>4}  {:<14} {}\n", row.name, number(bare), number(bridle),
             number(bridle / bare), number(bridle - bare), row.bridle.size(), goal_words(row.goal), verdict(row));
  if (!row.failure.empty()) fmt::print("    {}\n", row.failure);
  std::fflush(stdout);
  rows_.push_back(std::move(row));
}

bool Report::complete() const {
  return std::none_of(rows_.begin(), rows_.end(), [](const Row& row) { return !row.failure.empty(); });
}

void Report::print_summary() const {
  int met = 0;
  std::string missed;
  for (const auto& row : rows_) {
    const std::string word = verdict(row);
    if (word == "ok") ++met;
    if (word == "miss")
      missed += fmt::format("  {}: {}, goal {}\n", row.name, number(judged(row)), goal_words(row.goal));
  }
  fmt::print("\n{} goals met; missed:{}\n{}", met, missed.empty() ? " none" : "", missed);
}

void Report::write_json(const std::string& path) const {
  OrderedJson rows = OrderedJson::array();
  for (const auto& row : rows_) {
    OrderedJson entry{{"name", row.name},
                      {"percentile", row.percent},
                      {"bare", json_number(bare_of(row))},
                      {"bridle", json_number(bridle_of(row))},
                      {"n", row.bridle.size()},
                      {"goal", goal_words(row.goal)},
                      {"verdict", verdict(row)},
                      {"bareSamples", row.bare},
                      {"bridleSamples", row.bridle}};
    if (!row.failure.empty()) entry["failure"] = row.failure;
    rows.push_back(std::move(entry));
  }
  std::ofstream file(path);
  file << OrderedJson{{"rows", rows}}.dump(1) << '\n';
  file.close();
  if (!file) throw std::runtime_error("cannot write " + path);
}

}  // namespace bridle::bench
