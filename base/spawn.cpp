#include "base/spawn.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

namespace bridle {
namespace {

[[noreturn]] void throw_errno(const char* what, int error = errno) {
  throw std::system_error(error, std::generic_category(), what);
}

constexpr const char* kUsualPath = "/usr/local/bin:/usr/bin:/bin";

const char* search_path() {
  const char* path = std::getenv("PATH");
  return path != nullptr ? path : kUsualPath;
}

}  // namespace

void SpawnSetup::set_apart(int first_closed) {
  // Accepted sockets lack CLOEXEC for a moment.
  ::posix_spawn_file_actions_addclosefrom_np(&actions, first_closed);
  sigset_t all;
  ::sigfillset(&all);
  sigset_t none;
  ::sigemptyset(&none);
  ::posix_spawnattr_setsigdefault(&attributes, &all);  // we ignore SIGPIPE; the program must not inherit that
  ::posix_spawnattr_setsigmask(&attributes, &none);    // our threads block the signals that main waits for
  ::posix_spawnattr_setpgroup(&attributes, 0);         // the terminal's Ctrl-C is for us; we end the program
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
}

bool is_program(const std::string& path) {
  std::error_code ec;
  return std::filesystem::is_regular_file(path, ec) && ::access(path.c_str(), X_OK) == 0;
}

char task_state(const std::filesystem::path& folder) {
  std::ifstream stat(folder / "stat");
  std::string line;
  std::getline(stat, line);
  const auto name_end = line.rfind(") ");  // the name before it may hold anything
  return name_end == std::string::npos || name_end + 2 >= line.size() ? '\0' : line[name_end + 2];
}

std::string find_program(const std::string& name) {
  std::string_view rest = search_path();
  while (!rest.empty()) {
    const auto end = rest.find(':');
    const auto candidate = std::filesystem::path(rest.substr(0, end)) / name;
    if (is_program(candidate.string())) return candidate.string();
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  return {};
}

std::vector<char*> exec_pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (auto& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

Fd above_standard(int fd) {
  constexpr int kLowest = 10;
  Fd high(::fcntl(fd, F_DUPFD_CLOEXEC, kLowest));
  if (!high) throw_errno("cannot duplicate a descriptor");
  return high;
}

Pipe make_pipe() {
  std::array<int, 2> fds;
  if (::pipe2(fds.data(), O_CLOEXEC) != 0) throw_errno("cannot make a pipe");
  const Fd low_read(fds[0]);
  const Fd low_write(fds[1]);
  return {above_standard(low_read.get()), above_standard(low_write.get())};
}

ChildProcess::ChildProcess(std::vector<std::string> command, const std::vector<std::pair<int, int>>& fds) {
  SpawnSetup setup;
  ::posix_spawn_file_actions_addopen(&setup.actions, 0, "/dev/null", O_RDONLY, 0);
  for (const int output : {1, 2}) ::posix_spawn_file_actions_addopen(&setup.actions, output, "/dev/null", O_WRONLY, 0);
  int next = 3;
  for (const auto& [ours, theirs] : fds) {
    setup.hand_over(ours, theirs);
    next = std::max(next, theirs + 1);
  }
  setup.set_apart(next);
  std::vector<std::string> variables{std::string("PATH=") + search_path(), "LC_ALL=C.UTF-8"};
  const auto argv = exec_pointers(command);
  const auto envp = exec_pointers(variables);
  if (const int error = ::posix_spawn(&pid_, argv[0], &setup.actions, &setup.attributes, argv.data(), envp.data());
      error != 0) {
    pid_ = -1;
    throw_errno(("cannot start " + command.front()).c_str(), error);
  }
  pidfd_.reset(static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)));
}

bool ChildProcess::has_ended(int& status) {
  if (pid_ < 0) return true;
  if (!reaped_) {
    const pid_t got = ::waitpid(pid_, &status_, WNOHANG);
    reaped_ = got == pid_ || (got < 0 && errno == ECHILD);
  }
  status = WIFEXITED(status_) ? WEXITSTATUS(status_) : -1;
  return reaped_;
}

void ChildProcess::kill() {
  if (pid_ < 0 || reaped_) return;
  ::kill(-pid_, SIGKILL);
  ::kill(pid_, SIGKILL);  // before it has its group
  while (::waitpid(pid_, &status_, 0) < 0 && errno == EINTR) {
  }
  reaped_ = true;
}

}  // namespace bridle
