#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/call_context.h"

namespace bridle {

// The only folder that tools write files to (--output-dir), and the folders that files may be uploaded from (that one
// and --allowed-upload-dirs) [tool.files] [tool.uploads]. Every path is resolved, symlinks too, before it is judged.
// Nothing is created before the first write. Any thread; its members never change.
class OutputFolder {
 public:
  // `folder` "": the default, ${XDG_CACHE_HOME:-~/.cache}/bridle/output. Relative folders count from the process's
  // working directory as it is now.
  explicit OutputFolder(const std::string& folder = {}, const std::vector<std::string>& upload_folders = {});

  // The folder itself, absolute, its symlinks resolved; created with mode 0700 when it isn't there. Throws ToolError.
  std::filesystem::path ensure() const;
  // The file that `filename` names, a path below the folder or an absolute one into it; the folders on its way are
  // made. Throws ToolError when the file lies outside, is a folder, or can't be created.
  std::filesystem::path resolve(const std::string& filename) const;
  // Writes a file whole or not at all, with mode 0600, replacing an older one; returns its absolute path. After an
  // abort no file is left and no older one is changed. Throws ToolError, Aborted.
  std::filesystem::path write(const CallContext& ctx, const std::string& filename, std::string_view content) const;
  // Reserves a name for a file that comes from elsewhere, such as a download: the last part of `suggested`, made
  // harmless, with a number if that name is taken. When it returns an empty file has this name; rename the real one
  // over it. Throws ToolError.
  std::filesystem::path reserve(const std::string& suggested) const;

  // The regular file behind a path to upload, symlinks resolved; relative paths count from the folder. Throws ToolError
  // when the path isn't there, is no file, or lies outside the allowed folders, which the words then name.
  std::filesystem::path upload(const std::string& path) const;

 private:
  const std::filesystem::path folder_;
  const std::vector<std::filesystem::path> upload_folders_;
};

}  // namespace bridle
