#pragma once

#include <stdexcept>

namespace bridle {

// The browser couldn't be found or started. what() says what to do, and carries the exit status and the tail of its
// stderr.
class LaunchError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace bridle
