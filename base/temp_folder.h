#pragma once

#include <functional>
#include <string>

#include "base/fd.h"
#include "base/os_user.h"

namespace bridle {

// The directory for temporary files, absolute: TMPDIR, or /tmp.
std::string temp_directory();

// A folder of this process below the temporary directory, removed by its destructor with all that is in it. It is
// locked for as long as this object lives, which tells a later bridle that it is in use. Not thread-safe.
class TempFolder {
 public:
  // Makes PREFIX + process id + "-" + random characters, with mode 0700. Throws std::system_error, whose words name
  // the folder.
  explicit TempFolder(const std::string& prefix);
  ~TempFolder();
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  const std::string& path() const { return path_; }

  // Removes the folders of that prefix that a killed bridle left (those of living ones are locked). Returns how many.
  // `before` is called with each, and may wait until nobody writes there any more.
  static int sweep(const std::string& prefix, const std::function<void(const std::string& folder)>& before = {});

 private:
  std::string path_;
  Fd lock_;
};

}  // namespace bridle
