#include "tools/files/upload_copies.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "base/errors.h"
#include "tools/files/file_system.h"
#include "tools/files/foreign_file.h"

namespace fs = std::filesystem;

namespace bridle {

fs::path UploadCopies::make_folder(const OsUser& reader) {
  const MutexLock lock(mutex_);
  try {
    if (!folder_) {
      folder_.emplace(kUploadsPrefix);
      if (::chmod(folder_->path().c_str(), 0711) != 0) throw ToolError(file_error(errno));
    }
  } catch (const std::system_error& error) {
    throw ToolError(std::string("The files can't be given to the browser: ") + error.what() + ".");
  }
  auto folder = fs::path(folder_->path()) / std::to_string(++made_);
  if (::mkdir(folder.c_str(), 0700) != 0 || ::chown(folder.c_str(), ::geteuid(), reader.gid) != 0 ||
      ::chmod(folder.c_str(), 0710) != 0) {
    throw ToolError("The files can't be given to the browser: " + folder.string() + ": " + file_error(errno) + ".");
  }
  return folder;
}

std::vector<fs::path> UploadCopies::readable(const CallContext& ctx, const std::vector<fs::path>& files,
                                             const OsUser& reader) {
  std::vector<PathAccess> needed;
  needed.reserve(files.size());
  for (const auto& file : files) needed.push_back({file.string(), R_OK});
  if (try_as(reader, needed, false).obstacle == Obstacle::none) return files;
  std::vector<fs::path> copies;
  try {
    for (const auto& file : files) {
      copies.push_back(make_folder(reader) / file.filename());  // one each, as two may have the same name
      try {
        copy_for(ctx, file, reader, copies.back());
      } catch (const ToolError& error) {
        throw ToolError(quoted_path(file.string()) + " can't be copied for the browser: " + error.what() + ".");
      }
    }
  } catch (...) {
    std::error_code ignored;
    for (const auto& copy : copies) fs::remove_all(copy.parent_path(), ignored);
    throw;
  }
  return copies;
}

}  // namespace bridle
