#pragma once

#include <optional>
#include <string>

#include "base/os_user.h"

namespace bridle {

// Which user a launched Chromium runs as, and whether it has its sandbox [security.root].
struct BrowserUser {
  enum class Kind {
    own,       // bridle's own user, who isn't root; Chromium has its sandbox
    other,     // bridle is root, Chromium another user; it has its sandbox
    root,      // bridle is root, and so is Chromium, which has no sandbox then
    unguarded  // --no-sandbox: bridle's own user, whoever that is
  };
  Kind kind = Kind::own;
  OsUser user{};         // with `other`
  std::string why{};     // with `root`: what stands in the way of another user; the rest of a sentence
  std::string remedy{};  // with `root`: what to do
  bool sandboxed() const { return kind == Kind::own || kind == Kind::other; }
  std::optional<OsUser> other() const { return kind == Kind::other ? std::optional(user) : std::nullopt; }
};

// Decides it. A fresh profile ("" as `kept_profile`) goes with a user that no
// account has. A kept one stays whose it is: Chromium runs as that user, or as root where that is root or the folder
// isn't there yet. Tries in a child whether that user can run Chromium and the kernel lets it have its sandbox
// (a few milliseconds). Changes nothing. Any thread.
BrowserUser choose_browser_user(bool no_sandbox, const std::string& executable, const std::string& kept_profile);
// The one for a second start, after Chromium did not start as another user because of `why`.
BrowserUser browser_user_root(const std::string& why);

// A sentence or two: whether there is a sandbox, what that means, and what to do.
std::string describe(const BrowserUser& user);

// Whether Chromium's setuid helper is installed, which makes a sandbox without user namespaces.
bool has_sandbox_helper();
// The program that becomes another user before it executes Chromium: setpriv, of util-linux.
inline constexpr const char* kSetpriv = "/usr/bin/setpriv";

}  // namespace bridle
