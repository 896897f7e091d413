#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

// Other users of the system, for a process that is root: which one to become, and what one may do.
namespace bridle {

struct OsUser {
  uid_t uid = 0;
  gid_t gid = 0;
};

// A user that no account has, the same one for the life of this process, with a group of the same number. It lies in
// systemd's range for such users (61184 to 65519), and differs from process to process where it can.
OsUser unused_user();
// A user by its id, with its account's group; without an account the group has the user's number.
OsUser user_by_id(uid_t uid);

// What is to be done with a path: R_OK, W_OK, X_OK, as access(2) takes them.
struct PathAccess {
  std::string path{};
  int mode = 0;
};

// What stands in a user's way.
enum class Obstacle {
  none,
  cannot_become,  // this process may not change its user
  no_access,      // a path can't be used as it has to be
  no_namespaces,  // the kernel makes no user namespace for that user, or gives no rights in it
};
struct UserTrial {
  Obstacle obstacle = Obstacle::none;
  std::string path{};  // with no_access: which one
};
// Tries in a forked child, which becomes `user` without further groups, because only the kernel knows: capabilities,
// seccomp, access lists and AppArmor decide together. `namespaces`: whether it must be able to make a user namespace
// with what Chromium's sandbox needs in it. `user` nullopt: tries as who we are. Takes a few milliseconds; any thread.
UserTrial try_as(const std::optional<OsUser>& user, const std::vector<PathAccess>& paths, bool namespaces);

// Makes `path`, which is no symlink, the user's own. Returns 0 or errno.
int give_to(const std::string& path, const OsUser& user);

}  // namespace bridle
