#include "browser/chromium/profile.h"

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "base/concurrency/deadline.h"
#include "base/spawn.h"

namespace bridle {
namespace {

namespace fs = std::filesystem;

bool runs(pid_t pid) {
  const char state = task_state(fs::path("/proc") / std::to_string(pid));
  return state != '\0' && state != 'Z';
}

// Whose a profile is. Chromium marks it by a link named SingletonLock to `HOST-PID`.
struct Mark {
  std::string text{};  // "" none
  bool here = false;   // of this machine
  int pid = 0;
};

Mark mark_of(const fs::path& profile) {
  std::error_code ec;
  Mark mark;
  mark.text = fs::read_symlink(profile / "SingletonLock", ec).string();
  const auto dash = mark.text.rfind('-');
  if (ec || dash == std::string::npos) return mark;
  std::array<char, 256> host{};
  ::gethostname(host.data(), host.size() - 1);
  mark.here = mark.text.substr(0, dash) == host.data();
  mark.pid = std::atoi(mark.text.c_str() + dash + 1);
  return mark;
}

// Started on a profile that is in use, Chromium would open a window in the other browser, and exit as if all were well.
void check_free(const std::string& profile) {
  const auto mark = mark_of(profile);
  if (mark.text.empty() || (mark.here && !runs(mark.pid))) return;  // none, or left behind
  throw LaunchError("The profile folder " + profile + " is in use by another browser (" +
                    (mark.here ? "process " + std::to_string(mark.pid) : "on " + mark.text) +
                    "). Close that one, or name another folder with --user-data-dir.");
}

// The browser of a bridle that was killed ends by itself a moment later, and writes its profile before: it would make
// anew what is removed too early.
void await_end(const std::string& profile, Millis limit) {
  const auto mark = mark_of(profile);
  if (!mark.here || mark.pid <= 0) return;
  const Fd process(static_cast<int>(::syscall(SYS_pidfd_open, mark.pid, 0)));
  pollfd over{process.get(), POLLIN, 0};
  if (process) ::poll(&over, 1, static_cast<int>(limit.count()));
}

}  // namespace

ProfileDir::ProfileDir(const std::optional<OsUser>& owner) {
  try {
    folder_.emplace(kProfilePrefix);
  } catch (const std::system_error& error) {
    throw LaunchError(std::string("No profile for the browser: ") + error.what());
  }
  if (!owner) return;
  if (const int error = give_to(path(), *owner); error != 0)
    throw LaunchError("The profile folder " + path() + " can't be given to user " + std::to_string(owner->uid) + ": " +
                      std::strerror(error));
}

int ProfileDir::sweep() {
  constexpr Millis kEnds{2000};  // of all together, as bridle's own end waits for the sweep
  const auto limit = Deadline::after(kEnds);
  const auto wait = [&](const std::string& profile) { await_end(profile, limit.remaining()); };
  return TempFolder::sweep(kProfilePrefix, wait) + TempFolder::sweep(kHomePrefix) + TempFolder::sweep(kProgramsPrefix);
}

std::string kept_profile(const std::string& given) {
  std::error_code ec;
  const auto profile = fs::absolute(given, ec);
  if (!ec) fs::create_directories(profile, ec);
  if (ec || !fs::is_directory(profile) || ::access(profile.c_str(), W_OK | X_OK) != 0) {
    throw LaunchError("The profile folder " + given + " can't be used: " + (ec ? ec.message() : "it can't be written") +
                      ". Name another one with --user-data-dir.");
  }
  check_free(profile.string());
  return profile.string();
}

}  // namespace bridle
