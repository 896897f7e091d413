#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

// What the files of this folder share: paths, sizes, and words about them. Pure functions but for the disk.
namespace bridle {

// Whether `path` is `folder` or lies in it; both as they are, nothing is resolved.
bool is_below(const std::filesystem::path& path, const std::filesystem::path& folder);
// mkdir -p with mode 0700 for what isn't there. Throws ToolError.
void make_folders(const std::filesystem::path& folder);
// The bytes of all regular files below `folder`; symlinks are not followed. What goes away meanwhile counts nothing.
// `skip`: entries of the folder itself whose name begins so don't count; "" none.
std::uintmax_t bytes_below(const std::filesystem::path& folder, const std::string& skip = {});
// What of the disk that `path` is or will be on is free for us; the largest number when nobody can tell.
std::uintmax_t free_bytes(const std::filesystem::path& path);

// A path for a message: quoted, on one line, not endless.
std::string quoted_path(const std::string& path);
// Why a file could not be written, by errno; a full disk is said as such.
std::string file_error(int error);
// "3 bytes", "256 MiB", "1.5 GiB".
std::string in_bytes(std::uintmax_t count);

}  // namespace bridle
