// Folders that several bridles make and sweep in one temporary directory.
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <string>
#include <thread>

#include "base/temp_folder.h"
#include "tests/support/catch.h"

using namespace bridle;

namespace {

namespace fs = std::filesystem;

// Nobody else's: the suites of other worktrees run beside this one.
std::string own_prefix(const char* name) {
  return std::string("bridle-") + name + "-" + std::to_string(::getpid()) + "-";
}

}  // namespace

TEST_CASE("temporary folder: a sweep leaves those that live and removes those that are left over", "[temp-folder]") {
  const auto prefix = own_prefix("sweep");
  const fs::path left = fs::path(temp_directory()) / (prefix + "left");
  fs::create_directory(left);
  const TempFolder living(prefix);
  CHECK(TempFolder::sweep(prefix) == 0);  // one without a lock file is just being made
  fs::copy_file(living.path() + "/bridle.lock", left / "bridle.lock");
  CHECK(TempFolder::sweep(prefix) == 1);
  CHECK_FALSE(fs::exists(left));
  CHECK(fs::exists(living.path() + "/bridle.lock"));
}

TEST_CASE("temporary folder: one that is made while others sweep is there", "[temp-folder]") {
  const auto prefix = own_prefix("race");
  std::atomic<bool> done = false;
  std::thread sweeper([&] {
    while (!done) TempFolder::sweep(prefix);
  });
  int missing = 0;
  for (int round = 0; round < 2000; ++round) {
    const TempFolder folder(prefix);
    if (!fs::exists(folder.path() + "/bridle.lock")) ++missing;
  }
  done = true;
  sweeper.join();
  CHECK(missing == 0);
  CHECK(TempFolder::sweep(prefix) == 0);
}
