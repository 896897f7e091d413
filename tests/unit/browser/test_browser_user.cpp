// Who Chromium runs as: what is tried, and what stands in the way.
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "base/os_user.h"
#include "base/temp_folder.h"
#include "browser/chromium/browser_user.h"
#include "tests/support/catch.h"

using namespace bridle;
using matchers::Contains;
using Kind = BrowserUser::Kind;

namespace {

bool skipped_without_root() {
  if (::geteuid() == 0) return false;
  WARN("needs root");
  return true;
}

// TMPDIR for the life of this object.
class TempDirectory {
 public:
  explicit TempDirectory(const std::string& path) : before_(temp_directory()) { ::setenv("TMPDIR", path.c_str(), 1); }
  ~TempDirectory() { ::setenv("TMPDIR", before_.c_str(), 1); }
  TempDirectory(const TempDirectory&) = delete;
  TempDirectory& operator=(const TempDirectory&) = delete;

 private:
  const std::string before_;
};

}  // namespace

TEST_CASE("an unused user is one that no account has, and stays the same", "[browser-user] [security.root]") {
  const auto user = unused_user();
  CHECK(user.uid >= 61184);
  CHECK(user.uid <= 65519);
  CHECK(user.gid == user.uid);
  CHECK(::getpwuid(user.uid) == nullptr);
  CHECK(unused_user().uid == user.uid);
}

TEST_CASE("a trial tells what a user may do with a path", "[browser-user] [security.root]") {
  const TempFolder folder("bridle-test-user-");
  CHECK(try_as(std::nullopt, {{folder.path(), W_OK}}, false).obstacle == Obstacle::none);
  const auto missing = try_as(std::nullopt, {{folder.path(), W_OK}, {folder.path() + "/none", R_OK}}, false);
  CHECK(missing.obstacle == Obstacle::no_access);
  CHECK(missing.path == folder.path() + "/none");
  const auto other = try_as(unused_user(), {{"/", X_OK}}, false);
  CHECK(other.obstacle == (::geteuid() == 0 ? Obstacle::none : Obstacle::cannot_become));
  if (skipped_without_root()) return;
  const auto reaches = [&] { return try_as(unused_user(), {{folder.path(), X_OK}}, false).obstacle; };
  CHECK(reaches() == Obstacle::no_access);
  REQUIRE(::chmod(folder.path().c_str(), 0711) == 0);
  CHECK(reaches() == Obstacle::none);
  CHECK(::geteuid() == 0);  // the child alone has changed
}

TEST_CASE("who Chromium runs as: what was asked for, and what another user can't reach",
          "[browser-user] [security.root]") {
  CHECK(choose_browser_user(true, "/bin/sh", "").kind == Kind::unguarded);
  if (::geteuid() != 0) {
    CHECK(choose_browser_user(false, "/bin/sh", "").kind == Kind::own);
    return;
  }
  const TempFolder folder("bridle-test-user-");
  SECTION("a program that only root can reach") {
    const auto user = choose_browser_user(false, folder.path() + "/chromium", "");
    CHECK(user.kind == Kind::root);
    CHECK_THAT(user.why, Contains(folder.path()));
    CHECK_FALSE(user.sandboxed());
    CHECK_FALSE(user.other());
  }
  SECTION("temporary files that only root can reach") {
    const TempDirectory inner(folder.path());
    const auto user = choose_browser_user(false, "/bin/sh", "");
    CHECK(user.kind == Kind::root);
    CHECK_THAT(user.why, Contains(folder.path()));
    CHECK_THAT(user.remedy, Contains("chmod o+x"));
  }
  SECTION("a kept profile of root's, or one that isn't there yet") {
    for (const auto& profile : {folder.path(), folder.path() + "/none"}) {
      const auto user = choose_browser_user(false, "/bin/sh", profile);
      CHECK(user.kind == Kind::root);
      CHECK_THAT(user.remedy, Contains("chown -R USER " + profile));
    }
    CHECK_FALSE(std::filesystem::exists(folder.path() + "/none"));
  }
  SECTION("a kept profile of another user's, and a fresh one") {
    REQUIRE(give_to(folder.path(), {61999, 61999}) == 0);
    const auto kept = choose_browser_user(false, "/bin/sh", folder.path());
    const auto fresh = choose_browser_user(false, "/bin/sh", "");
    REQUIRE(kept.kind == fresh.kind);
    if (fresh.kind == Kind::root) {
      WARN("the kernel makes no user namespaces here");
      CHECK_THAT(fresh.why, Contains("user namespaces"));
      return;
    }
    CHECK(kept.kind == Kind::other);
    CHECK(kept.user.uid == 61999);
    CHECK(fresh.user.uid == unused_user().uid);
    CHECK(fresh.sandboxed());
  }
}

TEST_CASE("each way to run Chromium is said in words of its own", "[browser-user] [security.root.told]") {
  CHECK_THAT(describe({}), Contains("has its sandbox"));
  CHECK_THAT(describe({.kind = Kind::other, .user = {61500, 61500}}),
             Contains("61500") && Contains("with its sandbox"));
  const auto root = browser_user_root("exit status 7");
  CHECK_THAT(describe(root), Contains("without its sandbox") && Contains("exit status 7"));
  CHECK_FALSE(root.remedy.empty());
  CHECK_THAT(describe({.kind = Kind::unguarded}), Contains("--no-sandbox"));
}
