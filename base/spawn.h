#pragma once

#include <spawn.h>
#include <sys/types.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/concurrency/deadline.h"
#include "base/fd.h"

// Starting other programs through posix_spawn.
namespace bridle {

// What posix_spawn is told, freed at its end.
class SpawnSetup {
 public:
  SpawnSetup() {
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawnattr_init(&attributes);
  }
  ~SpawnSetup() {
    ::posix_spawn_file_actions_destroy(&actions);
    ::posix_spawnattr_destroy(&attributes);
  }
  SpawnSetup(const SpawnSetup&) = delete;
  SpawnSetup& operator=(const SpawnSetup&) = delete;

  // The program gets `ours` as `theirs`. Ours must be above all of theirs (see above_standard).
  void hand_over(int ours, int theirs) { ::posix_spawn_file_actions_adddup2(&actions, ours, theirs); }
  // A process group of its own, no signal of ours ignored or blocked, and no descriptor from `first_closed` on.
  void set_apart(int first_closed);

  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
};

// The whole path of a program, by PATH; "" when there is none.
std::string find_program(const std::string& name);
bool is_program(const std::string& path);

// For exec: pointers into `texts`, ended by null.
std::vector<char*> exec_pointers(std::vector<std::string>& texts);

// What a process, or a thread of one, is doing, from its folder in /proc: proc(5)'s letter, R of one that runs or waits
// for a processor, Z of one that has ended and wasn't waited for; 0 where there is none.
char task_state(const std::filesystem::path& folder);

struct Pipe {
  Fd read_end;
  Fd write_end;
};
// Both ends CLOEXEC and above the descriptors that a program is handed. Throws std::system_error.
Pipe make_pipe();
// The same file, CLOEXEC and at 10 or above. Throws std::system_error.
Fd above_standard(int fd);

// A program that was started: killed, with its process group, and waited for at the latest when this ends. Used by one
// thread at a time.
class ChildProcess {
 public:
  ChildProcess() = default;
  // `fds`: ours, and the numbers that the program gets them as; it has no others. Its environment has but PATH and a
  // locale. Throws std::system_error.
  ChildProcess(std::vector<std::string> command, const std::vector<std::pair<int, int>>& fds);
  ~ChildProcess() { kill(); }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  pid_t pid() const { return pid_; }
  int pidfd() const { return pidfd_.get(); }  // readable once it has ended
  // Whether it has ended; its exit status then is `status`, -1 after a signal.
  bool has_ended(int& status);
  void kill();

 private:
  pid_t pid_ = -1;
  Fd pidfd_;
  bool reaped_ = false;
  int status_ = 0;
};

}  // namespace bridle
