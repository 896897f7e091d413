#pragma once

#include <string>

#include "browser/cdp/pipe_transport.h"

namespace bridle {

// A profile folder of our own: created with 0700 below the temporary directory, locked for as long as this object
// lives, removed by its destructor. The lock tells a later bridle whether the folder is still in use.
class ProfileDir {
 public:
  ProfileDir();  // throws LaunchError
  ~ProfileDir();
  ProfileDir(const ProfileDir&) = delete;
  ProfileDir& operator=(const ProfileDir&) = delete;
  const std::string& path() const { return path_; }

  // Removes the folders that a killed bridle left (those of living ones are locked). Returns how many.
  static int sweep();

 private:
  std::string path_;
  Fd lock_;
};

// The folder of a kept profile (--user-data-dir), made when it is missing. Throws LaunchError where it can't be used or
// another browser uses it.
std::string kept_profile(const std::string& given);

}  // namespace bridle
