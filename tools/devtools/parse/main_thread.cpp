#include "tools/devtools/parse/main_thread.h"

#include <algorithm>
#include <array>
#include <map>

namespace bridle {
namespace {

constexpr std::int64_t kLongTask = 50'000;  // microseconds
constexpr std::int64_t kLongestSlice = 3'600'000'000;
constexpr std::size_t kUrls = 100'000;

double in_ms(std::int64_t microseconds) { return static_cast<double>(microseconds) / 1000; }

}  // namespace

bool MainThread::runs_script(std::string_view name) {
  return name == "EvaluateScript" || name == "FunctionCall" || name == "v8.evaluateModule" || name == "v8.compile" ||
         name == "v8.compileModule";
}

// As DevTools' Performance panel sorts them. A name that isn't here is of the kind of what it is part of.
MainThread::Kind MainThread::kind_of(std::string_view name) {
  static const std::unordered_map<std::string_view, Kind> kKindOf{
      {"RunTask", run_task},
      {"ThreadControllerImpl::RunTask", run_task},
      {"EvaluateScript", scripting},
      {"FunctionCall", scripting},
      {"EventDispatch", scripting},
      {"TimerFire", scripting},
      {"FireAnimationFrame", scripting},
      {"FireIdleCallback", scripting},
      {"RunMicrotasks", scripting},
      {"XHRReadyStateChange", scripting},
      {"XHRLoad", scripting},
      {"WebSocketReceive", scripting},
      {"HandlePostMessage", scripting},
      {"Layout", rendering},
      {"UpdateLayoutTree", rendering},
      {"RecalculateStyles", rendering},
      {"UpdateLayerTree", rendering},
      {"PrePaint", rendering},
      {"HitTest", rendering},
      {"ScrollLayer", rendering},
      {"IntersectionObserverController::computeIntersections", rendering},
      {"Paint", painting},
      {"Layerize", painting},
      {"Commit", painting},
      {"UpdateLayer", painting},
      {"PaintImage", painting},
      {"CompositeLayers", painting},
      {"RasterTask", painting},
      {"Decode Image", painting},
      {"ParseHTML", loading},
      {"ParseAuthorStyleSheet", loading},
      {"ResourceReceivedData", loading},
      {"MinorGC", collecting},
      {"MajorGC", collecting},
      {"BlinkGC.AtomicPhase", collecting},
  };
  if (const auto it = kKindOf.find(name); it != kKindOf.end()) return it->second;
  if (name.starts_with("V8.GC")) return collecting;
  if (name.starts_with("v8.") || name.starts_with("V8.")) return scripting;
  return inherited;
}

const char* MainThread::words_of(Kind kind) {
  static constexpr std::array<const char*, kind_count> kWords{"other",    "other",   "scripting",         "rendering",
                                                              "painting", "loading", "garbage collection"};
  return kWords.at(kind);
}

void MainThread::add(std::int64_t pid, std::string_view name, std::int64_t ts, std::int64_t duration,
                     std::string_view url) {
  if (slices_.size() >= kMost) {
    cut_ = true;
    return;
  }
  std::uint32_t index = 0;
  if (!url.empty() && urls_.size() < kUrls) {
    const auto [it, is_new] = url_index_.try_emplace(std::string(url), static_cast<std::uint32_t>(urls_.size()));
    if (is_new) urls_.emplace_back(url);
    index = it->second;
  }
  slices_.push_back({ts, static_cast<std::uint32_t>(std::clamp<std::int64_t>(duration, 0, kLongestSlice)), index,
                     static_cast<std::uint32_t>(pid), kind_of(name)});
}

MainThreadTimes MainThread::times(std::int64_t pid, std::int64_t from) {
  // What begins first comes first, and of those what lasts longest: it holds the others.
  std::sort(slices_.begin(), slices_.end(),
            [](const Slice& a, const Slice& b) { return a.ts != b.ts ? a.ts < b.ts : a.duration > b.duration; });
  std::array<std::int64_t, kind_count> spent{};
  std::map<std::uint32_t, MainThreadTimes::LongTasks> by_url;
  std::map<std::uint32_t, std::int64_t> in_task;  // time by script
  MainThreadTimes times;

  struct Open {
    std::int64_t end;
    std::int64_t own;  // without what its parts take
    std::int64_t duration;
    Kind kind;
    std::uint32_t url;
    bool task;
  };
  std::vector<Open> open;
  const auto close = [&] {
    const auto slice = open.back();
    open.pop_back();
    spent[slice.kind] += slice.own;
    if (slice.url != 0) in_task[slice.url] += slice.own;
    if (!slice.task) return;
    if (slice.duration > kLongTask) {
      const auto most = std::max_element(in_task.begin(), in_task.end(),
                                         [](const auto& a, const auto& b) { return a.second < b.second; });
      const auto url = most == in_task.end() ? 0 : most->first;
      auto& tasks = by_url[url];
      tasks.url = urls_[url];
      ++tasks.count;
      tasks.total += in_ms(slice.duration);
      tasks.longest = std::max(tasks.longest, in_ms(slice.duration));
      ++times.long_task_count;
      times.blocked += in_ms(slice.duration - kLongTask);
    }
    in_task.clear();
  };
  for (const auto& slice : slices_) {
    if (slice.pid != static_cast<std::uint32_t>(pid) || slice.ts < from) continue;
    while (!open.empty() && open.back().end <= slice.ts) close();
    auto end = slice.ts + slice.duration;
    if (!open.empty()) end = std::min(end, open.back().end);  // clocks of parts may run over by a little
    const auto duration = end - slice.ts;
    Kind kind = slice.kind;
    auto url = slice.url;
    if (!open.empty()) {
      open.back().own -= duration;
      if (kind == inherited) kind = open.back().kind;
      if (url == 0) url = open.back().url;
    }
    const bool task = slice.kind == run_task && open.empty();
    open.push_back({end, duration, duration, kind, url, task});
  }
  while (!open.empty()) close();

  spent[run_task] += spent[inherited];
  spent[inherited] = 0;
  for (std::size_t kind = 0; kind < kind_count; ++kind) {
    if (spent[kind] > 0) times.kinds.emplace_back(words_of(static_cast<Kind>(kind)), in_ms(spent[kind]));
  }
  std::stable_sort(times.kinds.begin(), times.kinds.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  for (auto& [url, tasks] : by_url) times.long_tasks.push_back(std::move(tasks));
  std::stable_sort(times.long_tasks.begin(), times.long_tasks.end(),
                   [](const auto& a, const auto& b) { return a.total > b.total; });
  return times;
}

}  // namespace bridle
