#include "base/os_user.h"

#include <grp.h>
#include <pwd.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace bridle {
namespace {

// systemd's range for users that exist only while a service runs (DynamicUser=).
constexpr uid_t kFirstUnused = 61184;
constexpr uid_t kLastUnused = 65519;

// The exit codes of the child that tries; further ones count the paths.
constexpr int kCan = 0;
constexpr int kCannotBecome = 1;
constexpr int kNoNamespaces = 2;
constexpr int kFirstPath = 3;
constexpr std::size_t kMostPaths = 100;

// The group of a user's account; nullopt without one.
std::optional<gid_t> group_of_account(uid_t uid) {
  std::array<char, 16 * 1024> buffer{};
  passwd entry{};
  passwd* user = nullptr;
  if (::getpwuid_r(uid, &entry, buffer.data(), buffer.size(), &user) != 0 || user == nullptr) return std::nullopt;
  return entry.pw_gid;
}

bool is_account(uid_t id) {
  if (group_of_account(id)) return true;
  std::array<char, 16 * 1024> buffer{};
  group group_entry{};
  group* found = nullptr;
  return ::getgrgid_r(id, &group_entry, buffer.data(), buffer.size(), &found) == 0 && found != nullptr;
}

// Runs in the child of a process with threads: system calls only. The raw ones, as glibc's would change the user of all
// threads.
int attempt(const OsUser* user, const std::vector<PathAccess>& paths, bool namespaces) {
  if (user != nullptr) {
    if (::syscall(SYS_setgroups, 0, nullptr) != 0) return kCannotBecome;
    if (::syscall(SYS_setresgid, user->gid, user->gid, user->gid) != 0) return kCannotBecome;
    if (::syscall(SYS_setresuid, user->uid, user->uid, user->uid) != 0) return kCannotBecome;
  }
  for (std::size_t i = 0; i < paths.size() && i < kMostPaths; ++i) {
    if (::access(paths[i].path.c_str(), paths[i].mode) != 0) return kFirstPath + static_cast<int>(i);
  }
  // AppArmor may allow the namespace and then refuse every capability in it: the sandbox needs SYS_ADMIN, which a new
  // namespace of processes asks for, and SYS_CHROOT.
  const bool refused = namespaces && (::unshare(CLONE_NEWUSER) != 0 || ::unshare(CLONE_NEWPID) != 0 || ::chroot("/"));
  return refused ? kNoNamespaces : kCan;
}

}  // namespace

OsUser unused_user() {
  static const OsUser kUser = [] {
    constexpr uid_t kCount = kLastUnused - kFirstUnused + 1;
    const uid_t first = static_cast<uid_t>(::getpid()) % kCount;
    for (uid_t i = 0; i < kCount; ++i) {
      const uid_t id = kFirstUnused + (first + i) % kCount;
      if (!is_account(id)) return OsUser{id, id};
    }
    return OsUser{kFirstUnused, kFirstUnused};
  }();
  return kUser;
}

OsUser user_by_id(uid_t uid) { return {uid, group_of_account(uid).value_or(uid)}; }

UserTrial try_as(const std::optional<OsUser>& user, const std::vector<PathAccess>& paths, bool namespaces) {
  const OsUser* const other = user ? &*user : nullptr;
  const pid_t child = ::fork();
  if (child < 0) return {.obstacle = Obstacle::cannot_become};
  if (child == 0) ::_exit(attempt(other, paths, namespaces));
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return {.obstacle = Obstacle::cannot_become};
  }
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : kCannotBecome;
  if (code == kCan) return {};
  if (code == kNoNamespaces) return {.obstacle = Obstacle::no_namespaces};
  const auto path = static_cast<std::size_t>(code) - kFirstPath;
  if (code >= kFirstPath && path < paths.size()) return {.obstacle = Obstacle::no_access, .path = paths[path].path};
  return {.obstacle = Obstacle::cannot_become};
}

int give_to(const std::string& path, const OsUser& user) {
  return ::lchown(path.c_str(), user.uid, user.gid) == 0 ? 0 : errno;
}

}  // namespace bridle
