#pragma once

#include <unistd.h>

#include <string>

namespace bridle::testing {

// The Chromium of tests that ask nothing of it but to be one: Debian's headless shell, which is of the same version and
// starts in a third of the processor time. "" where it isn't installed: the one in PATH then. Tests of tools, and of
// how a browser starts and ends, take the Chromium that users have.
inline std::string lean_browser() {
  constexpr const char* kShell = "/usr/bin/chromium-headless-shell";
  return ::access(kShell, X_OK) == 0 ? kShell : "";
}

}  // namespace bridle::testing
