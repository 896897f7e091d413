// What `bridle doctor` asks the machine.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>

#include "base/concurrency/deadline.h"
#include "base/fd.h"
#include "base/os_user.h"
#include "base/text/text.h"
#include "server/doctor.h"

extern char** environ;

namespace bridle {
namespace {

namespace fs = std::filesystem;

constexpr Millis kVersionTime{5000};

// The first line that a program prints when it is asked for its version.
std::string version_of(const std::string& program) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return {};
  const Fd from(ends[0]);
  Fd to(ends[1]);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, to.get(), 1);
  ::posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  std::string name = program;
  std::string flag = "--version";
  const std::array<char*, 3> argv{name.data(), flag.data(), nullptr};
  pid_t child = -1;
  const int error = ::posix_spawn(&child, program.c_str(), &actions, nullptr, argv.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  to.reset();
  if (error != 0) return {};
  std::string text;
  const auto limit = Deadline::after(kVersionTime);
  std::array<char, 512> part{};
  while (text.find('\n') == std::string::npos) {
    pollfd fd{from.get(), POLLIN, 0};
    if (::poll(&fd, 1, static_cast<int>(limit.remaining().count())) <= 0) break;
    const auto size = ::read(from.get(), part.data(), part.size());
    if (size <= 0) break;
    text.append(part.data(), static_cast<std::size_t>(size));
  }
  ::kill(child, SIGKILL);  // it has told, or never will
  ::waitpid(child, nullptr, 0);
  return std::string(trimmed(text.substr(0, text.find('\n')), " \t\r\n"));
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

}  // namespace

Machine look_at_machine(const std::string& chromium, const std::string& problem) {
  Machine machine;
  machine.user = ::geteuid();
  machine.user_namespaces = try_as(std::nullopt, {}, true).obstacle == Obstacle::none;
  machine.chromium = chromium;
  machine.chromium_problem = problem;
  if (!chromium.empty()) machine.chromium_version = version_of(chromium);
  std::error_code error;
  machine.program = fs::read_symlink("/proc/self/exe", error).string();
  machine.home = variable("HOME");
  machine.temp = fs::temp_directory_path(error).string();
  for (const char* name : {"http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"}) {
    if (!variable(name).empty()) machine.proxies.emplace_back(name);
  }
  return machine;
}

}  // namespace bridle
