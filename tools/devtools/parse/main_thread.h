#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace bridle {

// Where a main thread's time went, in ms.
struct MainThreadTimes {
  // "scripting", "rendering", ...; most first.
  std::vector<std::pair<std::string, double>> kinds{};
  struct LongTasks {
    std::string url{};  // of the script that took most of the task; "" of none
    std::size_t count = 0;
    double total = 0;
    double longest = 0;
  };
  std::vector<LongTasks> long_tasks{};  // of more than 50 ms, most time first
  std::size_t long_task_count = 0;
  double blocked = 0;  // what all of them took beyond 50 ms
};

// The slices of the tab's main threads, kept small: a long trace has a million of them. Not shared between threads.
class MainThread {
 public:
  static constexpr std::size_t kMost = 2'000'000;

  // `url`: the script that it runs, "" of none.
  void add(std::int64_t pid, std::string_view name, std::int64_t ts, std::int64_t duration, std::string_view url);
  // Of one process, from a time on. Sorts.
  MainThreadTimes times(std::int64_t pid, std::int64_t from);
  bool cut() const { return cut_; }

  // Whether an event of that name names a script that it runs.
  static bool runs_script(std::string_view name);

 private:
  enum Kind : std::uint8_t { run_task, inherited, scripting, rendering, painting, loading, collecting, kind_count };
  struct Slice {
    std::int64_t ts;
    std::uint32_t duration;  // microseconds, at most an hour
    std::uint32_t url;       // index into urls_
    std::uint32_t pid;
    Kind kind;
  };
  static Kind kind_of(std::string_view name);
  static const char* words_of(Kind kind);

  std::vector<Slice> slices_{};
  std::vector<std::string> urls_{""};
  std::unordered_map<std::string, std::uint32_t> url_index_{};
  bool cut_ = false;
};

}  // namespace bridle
