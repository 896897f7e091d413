#pragma once

#include <sys/stat.h>

#include <filesystem>

#include "tests/support/catch.h"

namespace bridle::testing {

// The permissions of a file, of a link itself where it is one.
inline unsigned mode_of(const std::filesystem::path& path) {
  struct stat info {};
  REQUIRE(::lstat(path.c_str(), &info) == 0);
  return info.st_mode & 07777U;
}

}  // namespace bridle::testing
