#include "server/agent/history.h"

#include <fcntl.h>
#include <spdlog/fmt/chrono.h>
#include <spdlog/fmt/fmt.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>
#include <system_error>
#include <utility>

#include "base/text/random.h"

namespace bridle::agent {
namespace {

namespace fs = std::filesystem;

constexpr const char* kExtension = ".jsonl";

std::string now_text(const char* format) {
  return fmt::format(fmt::runtime(format),
                     fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
}

bool is_run_id(const std::string& id) {
  return !id.empty() && id.size() <= 64 && std::all_of(id.begin(), id.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '_';
  });
}

fs::path make_folder(const fs::path& folder) {
  fs::create_directories(folder);
  fs::permissions(folder, fs::perms::owner_all);
  return folder;
}

}  // namespace

std::string make_run_id() { return now_text("{:%Y%m%d-%H%M%S}-") + random_token(6); }

History::History(const fs::path& folder, const RunTask& task, const std::string& model)
    : path_(make_folder(folder) / (task.id + kExtension)),
      file_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600)) {
  if (file_.get() < 0) throw std::system_error(errno, std::generic_category(), "the run's history can't be written");
  ::flock(file_.get(), LOCK_SH | LOCK_NB);  // nobody else has it: tells remove_old_runs() that the run is under way
  remove_old_runs(folder);
  write({{"id", task.id},
         {"task", task.task},
         {"url", task.url},
         {"model", model},
         {"started", now_text("{:%Y-%m-%dT%H:%M:%SZ}")}});
}

// With what an exported test needs of each action [agent.history.test].
void History::add(const Step& step) {
  Json line = to_json(step);
  for (std::size_t i = 0; i < step.actions.size(); ++i) {
    if (!step.actions[i].noted.is_null()) line["actions"][i]["noted"] = step.actions[i].noted;
  }
  write(line);
}

void History::end(const RunResult& result) {
  Json line = to_json(result);
  line.erase("history");
  line.erase("id");
  line["ended"] = now_text("{:%Y-%m-%dT%H:%M:%SZ}");
  write(line);
}

// A disk that is full must not end the run: its result reaches the caller all the same.
void History::write(const Json& line) {
  const std::string text = dump(line) + "\n";
  std::string_view rest = text;
  while (!rest.empty()) {
    const auto count = ::write(file_.get(), rest.data(), rest.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
}

void remove_old_runs(const fs::path& folder, const RunsKept& kept) {
  std::vector<std::pair<std::string, std::uintmax_t>> runs;  // ids, which begin with their time, and sizes
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const auto id = entry.path().stem().string();
    const auto size = entry.file_size(error);
    if (!error && entry.path().extension() == kExtension && is_run_id(id)) runs.emplace_back(id, size);
  }
  std::sort(runs.begin(), runs.end(), std::greater<>());
  std::uintmax_t bytes = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    bytes += runs[i].second;
    if (i == 0 || (i < kept.runs && bytes <= kept.bytes)) continue;
    const auto path = folder / (runs[i].first + kExtension);
    const Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    if (file && ::flock(file.get(), LOCK_EX | LOCK_NB) == 0) fs::remove(path, error);
  }
}

std::vector<PastRun> past_runs(const fs::path& folder) {
  std::vector<PastRun> runs;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const auto id = entry.path().stem().string();
    if (entry.path().extension() != kExtension || !is_run_id(id)) continue;
    std::ifstream file(entry.path());
    std::string line;
    PastRun run{.id = id, .status = "running"};
    bool first = true;
    while (std::getline(file, line)) {
      const Json json = parse_json(line);
      if (!json.is_object()) continue;  // the last one of a run that was killed
      if (first) {
        run.task = string_in(json, "task");
        run.started = string_in(json, "started");
      } else if (json.contains("status")) {
        run.status = string_in(json, "status");
        run.success = json.value("success", Json()) == true;
        run.text = string_in(json, "text");
        run.steps = static_cast<int>(integer_in(json, "steps"));
      } else {
        run.steps = static_cast<int>(integer_in(json, "step"));
      }
      first = false;
    }
    if (!first) runs.push_back(std::move(run));
  }
  std::sort(runs.begin(), runs.end(), [](const PastRun& a, const PastRun& b) { return a.id > b.id; });
  return runs;
}

std::optional<std::string> read_history(const fs::path& folder, const std::string& id) {
  if (!is_run_id(id)) return std::nullopt;
  std::ifstream file(folder / (id + kExtension));
  if (!file) return std::nullopt;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace bridle::agent
