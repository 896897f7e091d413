#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/limits.h"
#include "server/agent/run.h"

namespace bridle::agent {

// What runs did, one file each: `ID.jsonl`, a JSON object a line, of which the first is the task, then one a step, the
// last the end. Each line is in the file as soon as it is written, so that it outlives a kill -9 [agent.history]. The
// file is locked (flock) for as long as the run is under way.
class History {
 public:
  // Makes the file of a run that begins. Throws std::system_error.
  History(const std::filesystem::path& folder, const RunTask& task, const std::string& model);
  void add(const Step& step);
  void end(const RunResult& result);
  const std::filesystem::path& path() const { return path_; }

 private:
  void write(const Json& line);

  const std::filesystem::path path_;
  Fd file_;
};

// Removes the oldest histories beyond that many, and beyond that many bytes together, but for those of runs that are
// under way, in whichever process, and the newest one. Who makes a History has done so.
struct RunsKept {
  std::size_t runs = limits::kRunsKept;
  std::uintmax_t bytes = limits::kRunsBytes;
};
void remove_old_runs(const std::filesystem::path& folder, const RunsKept& kept = {});

// A run's id: its time, and enough that nobody guesses it.
std::string make_run_id();

// A run as its file tells it; its status is "running" where the file has no end: it runs, or was killed.
struct PastRun {
  std::string id{};
  std::string task{};
  std::string started{};
  std::string status{};
  bool success = false;
  std::string text{};
  int steps = 0;
};
// The newest first. A file that can't be read is left out.
std::vector<PastRun> past_runs(const std::filesystem::path& folder);
// The whole text of a run's file; nullopt: there is none of that id.
std::optional<std::string> read_history(const std::filesystem::path& folder, const std::string& id);

}  // namespace bridle::agent
