// What is known of a process from outside.
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "base/spawn.h"
#include "tests/support/catch.h"

using namespace bridle;

TEST_CASE("a process's state is told apart: one that runs, one that has ended, none", "[spawn]") {
  CHECK(task_state("/proc/thread-self") == 'R');
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  siginfo_t ended{};
  REQUIRE(::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT) == 0);
  CHECK(task_state("/proc/" + std::to_string(child)) == 'Z');
  REQUIRE(::waitpid(child, nullptr, 0) == child);
  CHECK(task_state("/proc/" + std::to_string(child)) == '\0');
  CHECK(task_state("/proc") == '\0');
}
