#include "browser/chromium/browser_user.h"

#include <sys/stat.h>
#include <unistd.h>

#include <vector>

#include "base/temp_folder.h"

namespace bridle {
namespace {

BrowserUser root_because(std::string why, std::string remedy) {
  return {.kind = BrowserUser::Kind::root, .why = std::move(why), .remedy = std::move(remedy)};
}

BrowserUser by_trial(const UserTrial& trial, const OsUser& user) {
  const auto name = "user " + std::to_string(user.uid);
  switch (trial.obstacle) {
    case Obstacle::cannot_become:
      return root_because("this process may not become another user",
                          "Start bridle as a normal user, or give it CAP_SETUID and CAP_SETGID.");
    case Obstacle::no_namespaces:
      return root_because(
          "the kernel makes no user namespaces for another user",
          "sudo sysctl kernel.unprivileged_userns_clone=1 kernel.apparmor_restrict_unprivileged_userns=0"
          ", or in a container allow the system calls clone and unshare in its seccomp profile; or start "
          "bridle as a normal user.");
    case Obstacle::no_access:
      return root_because(trial.path + " can't be reached by " + name,
                          "Name another place, or make it and the folders above it accessible: chmod o+x.");
    case Obstacle::none:
      break;
  }
  return {.kind = BrowserUser::Kind::other, .user = user};
}

}  // namespace

bool has_sandbox_helper() {
  for (const char* path : {"/usr/lib/chromium/chrome-sandbox", "/opt/google/chrome/chrome-sandbox"}) {
    struct stat info {};
    if (::stat(path, &info) == 0 && info.st_uid == 0 && (info.st_mode & S_ISUID) != 0) return true;
  }
  return false;
}

BrowserUser choose_browser_user(bool no_sandbox, const std::string& executable, const std::string& kept_profile) {
  if (no_sandbox) return {.kind = BrowserUser::Kind::unguarded};
  if (::geteuid() != 0) return {};
  if (::access(kSetpriv, X_OK) != 0)
    return root_because(std::string(kSetpriv) + " is missing", "sudo apt-get install util-linux");
  std::vector<PathAccess> paths{{executable, X_OK}, {temp_directory(), X_OK}};
  auto user = unused_user();
  if (!kept_profile.empty()) {
    struct stat info {};
    if (::stat(kept_profile.c_str(), &info) != 0 || info.st_uid == 0) {
      return root_because(
          "the profile folder " + kept_profile + " is root's",
          "Give it to a user without rights (chown -R USER " + kept_profile + "), or leave --user-data-dir out.");
    }
    user = user_by_id(info.st_uid);
    paths.push_back({kept_profile, R_OK | W_OK | X_OK});
  }
  return by_trial(try_as(user, paths, !has_sandbox_helper()), user);
}

BrowserUser browser_user_root(const std::string& why) {
  return root_because("it did not start as another user (" + why + ")",
                      "Start bridle as a normal user, or look into the cause.");
}

std::string describe(const BrowserUser& user) {
  switch (user.kind) {
    case BrowserUser::Kind::own:
      return "Chromium has its sandbox.";
    case BrowserUser::Kind::other:
      return "bridle runs as root; Chromium runs as user " + std::to_string(user.user.uid) +
             ", with its sandbox: a page that breaks out of a renderer and of the sandbox still isn't root.";
    case BrowserUser::Kind::root:
      return "bridle runs as root, and so does Chromium, without its sandbox, because " + user.why +
             ": a page that breaks out of its renderer can do whatever root can on this machine.";
    case BrowserUser::Kind::unguarded:
      return "Chromium is started without its sandbox (--no-sandbox): a page that breaks out of its renderer can do "
             "what bridle's user can.";
  }
  return {};
}

}  // namespace bridle
