#pragma once

#include <optional>
#include <string>

#include "base/os_user.h"
#include "base/temp_folder.h"
#include "browser/cdp/launch_error.h"

namespace bridle {

// What the names of our folders in the temporary directory begin with.
inline constexpr const char* kProfilePrefix = "bridle-profile-";
inline constexpr const char* kHomePrefix = "bridle-home-";
inline constexpr const char* kProgramsPrefix = "bridle-programs-";

// A profile folder of our own: created with 0700 below the temporary directory, locked for as long as this object
// lives, removed by its destructor.
class ProfileDir {
 public:
  // `owner`: whose it is then; nullopt: ours. Throws LaunchError.
  explicit ProfileDir(const std::optional<OsUser>& owner = std::nullopt);
  const std::string& path() const { return folder_->path(); }

  // Removes the profiles, and the homes and programs beside them, that a killed bridle left (those of living ones are
  // locked). Returns how many.
  static int sweep();

 private:
  std::optional<TempFolder> folder_;
};

// The folder of a kept profile (--user-data-dir), made when it is missing. Throws LaunchError where it can't be used or
// another browser uses it.
std::string kept_profile(const std::string& given);

}  // namespace bridle
