#pragma once

#include <stdlib.h>
#include <unistd.h>

#include <fstream>
#include <string>

namespace bridle {

// A file of that content, gone with this object.
class TempFile {
 public:
  explicit TempFile(const std::string& content, const std::string& suffix = {}) : path_("/tmp/bridle-test-XXXXXX") {
    path_ += suffix;
    const int fd = ::mkstemps(path_.data(), static_cast<int>(suffix.size()));
    ::close(fd);
    std::ofstream(path_) << content;
  }
  ~TempFile() { ::unlink(path_.c_str()); }
  TempFile(const TempFile&) = delete;
  TempFile& operator=(const TempFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace bridle
