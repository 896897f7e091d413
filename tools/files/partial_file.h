#pragma once

#include <filesystem>
#include <string_view>

#include "base/concurrency/call_context.h"
#include "base/fd.h"

namespace bridle {

// "a.txt", "a (1).txt", ...: creates the first of them that isn't there, empty, with mode 0600. Never touches what is.
// Throws ToolError.
std::filesystem::path claim_name(const std::filesystem::path& wanted);
// Adds to a file that is there and is no link. Throws ToolError.
void append_to_file(const std::filesystem::path& file, std::string_view text);

// A file that is only seen once it is whole; dropped before, it is gone. One thread at a time. Throws ToolError.
class PartialFile {
 public:
  explicit PartialFile(const std::filesystem::path& wanted);
  ~PartialFile();
  PartialFile(const PartialFile&) = delete;
  PartialFile& operator=(const PartialFile&) = delete;

  void write(const CallContext& ctx, std::string_view content);
  // Gives it the name that was wanted, or a free one like it. The name is claimed first, so that no other file is
  // replaced: rename() alone would do that.
  std::filesystem::path keep();

 private:
  const std::filesystem::path wanted_;
  std::filesystem::path path_;
  Fd fd_;
};

}  // namespace bridle
