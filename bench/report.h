#pragma once

#include <string>
#include <vector>

#include "base/concurrency/deadline.h"

namespace bridle::bench {

// Milliseconds since its making.
class Stopwatch {
 public:
  double ms() const { return std::chrono::duration<double, std::milli>(Clock::now() - begun_).count(); }
  Clock::time_point begun() const { return begun_; }

 private:
  Clock::time_point begun_ = Clock::now();
};

// The value that `percent` of the samples don't exceed (nearest rank). NaN without samples.
double percentile(std::vector<double> samples, double percent);

// What a figure should be at most.
struct Goal {
  enum class Kind {
    none,   // shown for what it is
    value,  // bridle's figure
    ratio,  // bridle's figure over the bare one
    above,  // bridle's figure less the bare one
  };
  Kind kind = Kind::none;
  double limit = 0;

  static Goal at_most(double limit) { return {Kind::value, limit}; }
  static Goal ratio_at_most(double limit) { return {Kind::ratio, limit}; }
  static Goal above_bare_at_most(double limit) { return {Kind::above, limit}; }
};

// One line of the table. Samples are milliseconds unless the name gives another unit.
struct Row {
  std::string name;
  Goal goal{};
  std::vector<double> bare{};  // empty: bare CDP has nothing like it
  std::vector<double> bridle{};
  double percent = 50;    // which percentile the figures are
  std::string failure{};  // why it could not be measured
};

// The rows in the order they came. One thread.
class Report {
 public:
  void print_head() const;
  // Prints the row at once: a long run shows how far it is.
  void add(Row row);
  bool complete() const;  // every row was measured
  // How many goals were met and missed, and which those are.
  void print_summary() const;
  // Throws std::runtime_error when the file can't be written.
  void write_json(const std::string& path) const;

 private:
  std::vector<Row> rows_;
};

}  // namespace bridle::bench
